//! The tools, and their settings at one level.
//!
//! [`ToolSettings`] are the settings of every tool; their parameter is the tool's metrics. Callgrind
//! and DHAT have more and hold them as a field.

use std::fmt;
use std::str::FromStr;

use super::json::described;
use super::{
    BbvMetric, CachegrindMetric, Callgrind, Dhat, ErrorMetric, Limits, MassifMetric, Over, Perf,
};

described! {
    /// A tool of Valgrind, or Linux perf.
    ///
    /// Parses from its name for Valgrind in any case, `bbv` for `exp-bbv` included, and prints as
    /// it.
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
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl FromStr for Tool {
    type Err = UnknownTool;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let named = |tool: &Self| word.eq_ignore_ascii_case(tool.id());
        match Self::ALL.into_iter().find(named) {
            Some(tool) => Ok(tool),
            None if word.eq_ignore_ascii_case("bbv") => Ok(Self::Bbv),
            None => Err(UnknownTool(word.to_owned())),
        }
    }
}

/// A word that names no tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownTool(pub String);

impl fmt::Display for UnknownTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Tool::ALL.map(Tool::id).join("`, `");
        write!(f, "unknown tool `{}`, it is none of `{known}`", self.0)
    }
}

impl std::error::Error for UnknownTool {}

described! {
    /// Settings of the tools at one level; `None` for a tool without any.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Tools {
        /// Settings of Callgrind.
        pub callgrind: Option<Callgrind>,
        /// Settings of Cachegrind.
        pub cachegrind: Option<Cachegrind>,
        /// Settings of DHAT.
        pub dhat: Option<Dhat>,
        /// Settings of Massif.
        pub massif: Option<Massif>,
        /// Settings of exp-bbv.
        pub bbv: Option<Bbv>,
        /// Settings of Memcheck.
        pub memcheck: Option<Memcheck>,
        /// Settings of Helgrind.
        pub helgrind: Option<Helgrind>,
        /// Settings of DRD.
        pub drd: Option<Drd>,
        /// Settings of perf.
        pub perf: Option<Perf>,
    }
}

impl Tools {
    /// Settings of this tool that every tool has; `None` if nothing is set for it.
    #[must_use]
    pub fn general(&self, tool: Tool) -> Option<General<'_>> {
        match tool {
            Tool::Callgrind => self.callgrind.as_ref().map(|tool| tool.settings.general()),
            Tool::Cachegrind => self.cachegrind.as_ref().map(ToolSettings::general),
            Tool::Dhat => self.dhat.as_ref().map(|tool| tool.settings.general()),
            Tool::Massif => self.massif.as_ref().map(ToolSettings::general),
            Tool::Bbv => self.bbv.as_ref().map(ToolSettings::general),
            Tool::Memcheck => self.memcheck.as_ref().map(ToolSettings::general),
            Tool::Helgrind => self.helgrind.as_ref().map(ToolSettings::general),
            Tool::Drd => self.drd.as_ref().map(ToolSettings::general),
            Tool::Perf => self.perf.as_ref().map(Perf::general),
        }
    }

    /// The settings of one tool whose metrics do not matter.
    #[must_use]
    pub fn with(tool: Tool, enable: Option<bool>, args: Vec<String>) -> Self {
        let mut tools = Self::default();
        match tool {
            Tool::Callgrind => {
                tools.callgrind = Some(Callgrind {
                    settings: ToolSettings::with(enable, args),
                    ..Callgrind::default()
                });
            }
            Tool::Dhat => {
                tools.dhat = Some(Dhat {
                    settings: ToolSettings::with(enable, args),
                    ..Dhat::default()
                });
            }
            Tool::Cachegrind => tools.cachegrind = Some(ToolSettings::with(enable, args)),
            Tool::Massif => tools.massif = Some(ToolSettings::with(enable, args)),
            Tool::Bbv => tools.bbv = Some(ToolSettings::with(enable, args)),
            Tool::Memcheck => tools.memcheck = Some(ToolSettings::with(enable, args)),
            Tool::Helgrind => tools.helgrind = Some(ToolSettings::with(enable, args)),
            Tool::Drd => tools.drd = Some(ToolSettings::with(enable, args)),
            Tool::Perf => {
                tools.perf = Some(Perf {
                    enable,
                    args,
                    ..Perf::default()
                });
            }
        }
        tools
    }
}

/// The part of [`ToolSettings`] that does not depend on the metrics.
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
    /// Settings that every tool has. `M` are the tool's metrics.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ToolSettings<M> {
        /// Run the tool; `true` if nothing is said.
        pub enable: Option<bool>,
        /// Arguments for the tool, in the order in which they were given.
        pub args: Vec<String>,
        /// The metrics to show, in this order.
        pub format: Option<Vec<M>>,
        /// Limits of metrics.
        pub limits: Limits<M>,
        /// Stop the run at the first exceeded limit.
        pub fail_fast: Option<bool>,
    }
}

/// The settings of Cachegrind.
pub type Cachegrind = ToolSettings<CachegrindMetric>;
/// The settings of Massif.
pub type Massif = ToolSettings<MassifMetric>;
/// The settings of exp-bbv.
pub type Bbv = ToolSettings<BbvMetric>;
/// The settings of Memcheck.
pub type Memcheck = ToolSettings<ErrorMetric>;
/// The settings of Helgrind.
pub type Helgrind = ToolSettings<ErrorMetric>;
/// The settings of DRD.
pub type Drd = ToolSettings<ErrorMetric>;

impl<M> ToolSettings<M> {
    fn with(enable: Option<bool>, args: Vec<String>) -> Self {
        Self {
            enable,
            args,
            ..Self::default()
        }
    }

    fn general(&self) -> General<'_> {
        General {
            enable: self.enable,
            args: &self.args,
            fail_fast: self.fail_fast,
        }
    }
}

// Not derived: a metric has no default.
impl<M> Default for ToolSettings<M> {
    fn default() -> Self {
        Self {
            enable: None,
            args: Vec::new(),
            format: None,
            limits: Limits::default(),
            fail_fast: None,
        }
    }
}

impl Over for Tools {
    fn over(self, below: Self) -> Self {
        Self {
            callgrind: self.callgrind.over(below.callgrind),
            cachegrind: self.cachegrind.over(below.cachegrind),
            dhat: self.dhat.over(below.dhat),
            massif: self.massif.over(below.massif),
            bbv: self.bbv.over(below.bbv),
            memcheck: self.memcheck.over(below.memcheck),
            helgrind: self.helgrind.over(below.helgrind),
            drd: self.drd.over(below.drd),
            perf: self.perf.over(below.perf),
        }
    }
}

impl<M: PartialEq> Over for ToolSettings<M> {
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
            let tools = Tools::with(tool, Some(false), args.clone());
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
