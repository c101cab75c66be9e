//! The tools, and their settings at one level.
//!
//! [`ToolSettings`] are the settings of every tool of Valgrind. Callgrind and DHAT have more and
//! hold them as a field.

use std::fmt;
use std::str::FromStr;

use super::json::described;
use super::{Callgrind, Dhat, Limits, Over, Perf, Time, ToolMetric};

described! {
    /// A tool of Valgrind, or Linux perf.
    ///
    /// Parses from its name for Valgrind in any case, `bbv` for `exp-bbv` included, and prints as
    /// it.
    ///
    /// ```
    /// use iai_callgrind::Tool;
    ///
    /// assert_eq!("DHAT".parse(), Ok(Tool::Dhat));
    /// assert_eq!(Tool::Bbv.id(), "exp-bbv");
    /// ```
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Tool {
        /// Counts instructions, data accesses and, by simulation, cache misses.
        Callgrind,
        /// Counts the same for whole processes.
        Cachegrind,
        /// Follows every heap block.
        Dhat,
        /// Takes snapshots of the heap.
        Massif,
        /// Counts basic blocks.
        Bbv,
        /// Finds errors in the use of memory.
        Memcheck,
        /// Finds errors in the use of threads.
        Helgrind,
        /// Finds errors in the use of threads by another method.
        Drd,
        /// Linux perf, which is no tool of Valgrind: reads the counters of the processor and of the
        /// kernel.
        Perf,
    }
}

impl Tool {
    /// [`Tool::Dhat`] as its authors write it.
    pub const DHAT: Self = Self::Dhat;
    /// [`Tool::Drd`] as its authors write it.
    pub const DRD: Self = Self::Drd;
    /// [`Tool::Bbv`] as its authors write it.
    pub const BBV: Self = Self::Bbv;

    /// Every tool, in the order in which they run.
    pub const ALL: [Self; 9] = [
        Self::Callgrind,
        Self::Cachegrind,
        Self::Dhat,
        Self::Massif,
        Self::Bbv,
        Self::Memcheck,
        Self::Helgrind,
        Self::Drd,
        Self::Perf,
    ];

    /// Name in `valgrind --tool=<id>` and in file names.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Callgrind => "callgrind",
            Self::Cachegrind => "cachegrind",
            Self::Dhat => "dhat",
            Self::Massif => "massif",
            Self::Bbv => "exp-bbv",
            Self::Memcheck => "memcheck",
            Self::Helgrind => "helgrind",
            Self::Drd => "drd",
            Self::Perf => "perf",
        }
    }
}

impl fmt::Display for Tool {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl FromStr for Tool {
    type Err = UnknownTool;

    #[inline]
    fn from_str(word: &str) -> Result<Self, Self::Err> {
        for tool in &Self::ALL {
            if word.eq_ignore_ascii_case(tool.id()) {
                return Ok(*tool);
            }
        }
        match word.eq_ignore_ascii_case("bbv") {
            true => Ok(Self::Bbv),
            false => Err(UnknownTool(word.to_owned())),
        }
    }
}

/// A word that names no tool.
///
/// ```
/// use iai_callgrind::{Tool, UnknownTool};
///
/// assert_eq!("gdb".parse::<Tool>(), Err(UnknownTool("gdb".into())));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownTool(pub String);

impl fmt::Display for UnknownTool {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Tool::ALL.map(Tool::id).join("`, `");
        write!(f, "unknown tool `{}`, it is none of `{known}`", self.0)
    }
}

impl std::error::Error for UnknownTool {}

described! {
    /// Settings of one tool, as they were said at one level.
    #[derive(Debug, Clone, PartialEq)]
    pub enum ToolConfig {
        /// Settings of Callgrind.
        Callgrind(Callgrind),
        /// Settings of Cachegrind.
        Cachegrind(ToolSettings),
        /// Settings of DHAT.
        Dhat(Dhat),
        /// Settings of Massif.
        Massif(ToolSettings),
        /// Settings of exp-bbv.
        Bbv(ToolSettings),
        /// Settings of Memcheck.
        Memcheck(ToolSettings),
        /// Settings of Helgrind.
        Helgrind(ToolSettings),
        /// Settings of DRD.
        Drd(ToolSettings),
        /// Settings of perf.
        Perf(Perf),
        /// Settings of wall time, which is no tool: it is measured beside the counts.
        Time(Time),
    }
}

impl ToolConfig {
    /// The settings of one tool whose metrics do not matter.
    #[must_use]
    #[inline]
    pub fn new(tool: Tool, enable: Option<bool>, args: Vec<String>) -> Self {
        let settings = ToolSettings {
            enable,
            args,
            ..ToolSettings::default()
        };
        match tool {
            Tool::Callgrind => Self::Callgrind(Callgrind {
                settings,
                ..Callgrind::default()
            }),
            Tool::Dhat => Self::Dhat(Dhat {
                settings,
                ..Dhat::default()
            }),
            Tool::Cachegrind => Self::Cachegrind(settings),
            Tool::Massif => Self::Massif(settings),
            Tool::Bbv => Self::Bbv(settings),
            Tool::Memcheck => Self::Memcheck(settings),
            Tool::Helgrind => Self::Helgrind(settings),
            Tool::Drd => Self::Drd(settings),
            Tool::Perf => Self::Perf(Perf {
                enable: settings.enable,
                args: settings.args,
                ..Perf::default()
            }),
        }
    }
}

/// Settings of the tools, each laid over what was said of the same tool before; `None` for a tool
/// without any. The runner's: benchmark files only say them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tools {
    /// Settings of Callgrind.
    pub callgrind: Option<Callgrind>,
    /// Settings of Cachegrind.
    pub cachegrind: Option<ToolSettings>,
    /// Settings of DHAT.
    pub dhat: Option<Dhat>,
    /// Settings of Massif.
    pub massif: Option<ToolSettings>,
    /// Settings of exp-bbv.
    pub bbv: Option<ToolSettings>,
    /// Settings of Memcheck.
    pub memcheck: Option<ToolSettings>,
    /// Settings of Helgrind.
    pub helgrind: Option<ToolSettings>,
    /// Settings of DRD.
    pub drd: Option<ToolSettings>,
    /// Settings of perf.
    pub perf: Option<Perf>,
    /// Settings of wall time.
    pub time: Option<Time>,
}

impl FromIterator<ToolConfig> for Tools {
    #[inline]
    fn from_iter<I: IntoIterator<Item = ToolConfig>>(said: I) -> Self {
        let mut tools = Self::default();
        for tool in said {
            tools.lay(tool);
        }
        tools
    }
}

impl From<Tools> for Vec<ToolConfig> {
    #[inline]
    fn from(tools: Tools) -> Self {
        let said = [
            tools.callgrind.map(ToolConfig::Callgrind),
            tools.cachegrind.map(ToolConfig::Cachegrind),
            tools.dhat.map(ToolConfig::Dhat),
            tools.massif.map(ToolConfig::Massif),
            tools.bbv.map(ToolConfig::Bbv),
            tools.memcheck.map(ToolConfig::Memcheck),
            tools.helgrind.map(ToolConfig::Helgrind),
            tools.drd.map(ToolConfig::Drd),
            tools.perf.map(ToolConfig::Perf),
            tools.time.map(ToolConfig::Time),
        ];
        said.into_iter().flatten().collect()
    }
}

impl Tools {
    /// Lays the settings of one tool over those that it has.
    #[inline]
    fn lay(&mut self, tool: ToolConfig) {
        fn lay<T: Over>(said: T, tool: &mut Option<T>) {
            *tool = Some(said).over(tool.take());
        }
        match tool {
            ToolConfig::Callgrind(said) => lay(said, &mut self.callgrind),
            ToolConfig::Cachegrind(said) => lay(said, &mut self.cachegrind),
            ToolConfig::Dhat(said) => lay(said, &mut self.dhat),
            ToolConfig::Massif(said) => lay(said, &mut self.massif),
            ToolConfig::Bbv(said) => lay(said, &mut self.bbv),
            ToolConfig::Memcheck(said) => lay(said, &mut self.memcheck),
            ToolConfig::Helgrind(said) => lay(said, &mut self.helgrind),
            ToolConfig::Drd(said) => lay(said, &mut self.drd),
            ToolConfig::Perf(said) => lay(said, &mut self.perf),
            ToolConfig::Time(said) => lay(said, &mut self.time),
        }
    }

    /// Settings of a tool of Valgrind; `None` if nothing is set for it, and for perf.
    #[must_use]
    #[inline]
    pub fn of_valgrind(&self, tool: Tool) -> Option<&ToolSettings> {
        match tool {
            Tool::Callgrind => self.callgrind.as_ref().map(|tool| &tool.settings),
            Tool::Cachegrind => self.cachegrind.as_ref(),
            Tool::Dhat => self.dhat.as_ref().map(|tool| &tool.settings),
            Tool::Massif => self.massif.as_ref(),
            Tool::Bbv => self.bbv.as_ref(),
            Tool::Memcheck => self.memcheck.as_ref(),
            Tool::Helgrind => self.helgrind.as_ref(),
            Tool::Drd => self.drd.as_ref(),
            Tool::Perf => None,
        }
    }

    /// Settings of this tool that every tool has; `None` if nothing is set for it.
    #[must_use]
    #[inline]
    pub fn general(&self, tool: Tool) -> Option<General<'_>> {
        match &self.perf {
            Some(perf) if tool == Tool::Perf => Some(perf.general()),
            _ => self.of_valgrind(tool).map(ToolSettings::general),
        }
    }
}

/// Settings that perf has as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct General<'a> {
    /// Run the tool.
    pub enable: Option<bool>,
    /// Arguments for the tool.
    pub args: &'a [String],
    /// Stop at the first exceeded limit.
    pub fail_fast: Option<bool>,
}

described! {
    /// Settings that every tool of Valgrind has.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct ToolSettings {
        /// Run the tool; `true` if nothing is said.
        pub enable: Option<bool>,
        /// Arguments for the tool, in the order in which they were given.
        pub args: Vec<String>,
        /// The metrics to show, in this order.
        pub format: Option<Vec<ToolMetric>>,
        /// Limits of metrics.
        pub limits: Limits<ToolMetric>,
        /// Stop the run at the first exceeded limit.
        pub fail_fast: Option<bool>,
    }
}

impl ToolSettings {
    fn general(&self) -> General<'_> {
        General {
            enable: self.enable,
            args: &self.args,
            fail_fast: self.fail_fast,
        }
    }
}

impl Over for ToolSettings {
    #[inline]
    fn over(self, below: Self) -> Self {
        Self {
            enable: self.enable.or(below.enable),
            args: [below.args, self.args].concat(),
            format: self.format.or(below.format),
            limits: self.limits.over(below.limits),
            fail_fast: self.fail_fast.or(below.fail_fast),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_parse_back_from_their_names() {
        for tool in Tool::ALL {
            assert_eq!(tool.id().parse(), Ok(tool));
            assert_eq!(tool.to_string().to_uppercase().parse(), Ok(tool));
        }
        assert_eq!("bbv".parse(), Ok(Tool::BBV));
        assert_eq!(
            "foo".parse::<Tool>().unwrap_err().to_string(),
            "unknown tool `foo`, it is none of `callgrind`, `cachegrind`, `dhat`, `massif`, \
             `exp-bbv`, `memcheck`, `helgrind`, `drd`, `perf`"
        );
    }

    #[test]
    fn every_tool_has_its_own_field() {
        let args = vec!["--x".to_owned()];
        for tool in Tool::ALL {
            let said = ToolConfig::new(tool, Some(false), args.clone());
            let tools = Tools::from_iter([said.clone()]);
            assert_eq!(Vec::from(tools.clone()), [said]);
            for other in Tool::ALL {
                let expected = (tool == other).then_some(General {
                    enable: Some(false),
                    args: &args,
                    fail_fast: None,
                });
                assert_eq!(tools.general(other), expected, "{tool} {other}");
            }
        }
    }
}
