//! The options: the one place where their names are written.
//!
//! A name comes with whether it takes the next word, which is all that the benchmark executable has to
//! know of most options, and with whether it has a variable, whose name follows from its own. The options
//! of single tools follow from the tools ([`ToolOption`]). The runner, which knows what options mean,
//! compares its parser with this table in a test.

use std::borrow::Cow;

use super::super::Tool;

/// The beginning of the variables that are ours.
pub const PREFIX: &str = "IAI_CALLGRIND_";

/// One filter, if the command line has none: the variable of no option.
pub const FILTER_VARIABLE: &str = "IAI_CALLGRIND_FILTER";

/// Place of an option's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// No value, or one behind `=` only.
    Nothing,
    /// Value in the next word.
    Word,
    /// Value in the next word, unless that is an option.
    MaybeWord,
}

/// An option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Name with its dashes.
    pub name: Cow<'static, str>,
    /// Place of the option's value.
    pub takes: Takes,
    /// Can the option be given as [`variable`] as well?
    pub has_variable: bool,
}

const fn row(name: &'static str, takes: Takes) -> Row {
    Row {
        name: Cow::Borrowed(name),
        takes,
        has_variable: true,
    }
}

/// An option without a variable: about a single run, another name, or from libtest.
const fn only_typed(name: &'static str, takes: Takes) -> Row {
    Row {
        name: Cow::Borrowed(name),
        takes,
        has_variable: false,
    }
}

use Takes::{MaybeWord, Nothing, Word};

/// All options but those of single tools.
const TABLE: &[Row] = &[
    row("--allow-aslr", Nothing),
    row("--baseline", MaybeWord),
    row("--check-determinism", Nothing),
    row("--color", Word),
    row("--default-tool", Word),
    row("--env-clear", Nothing),
    row("--envs", Word),
    row("--exit-handlers", Nothing),
    row("--exit-zero", Nothing),
    row("--explain", Nothing),
    row("--fast-setup", Nothing),
    row("--flamegraph", Nothing),
    row("--fork", Nothing),
    row("--home", Word),
    row("--instructions-only", Nothing),
    row("--label", Word),
    row("--list", Nothing),
    row("--load-baseline", MaybeWord),
    row("--nocapture", Nothing),
    row("--nosummary", Nothing),
    row("--output-format", Word),
    row("--parallel", MaybeWord),
    row("--partition", Word),
    row("--perf-bin", Word),
    row("--perf-events", Word),
    row("--perf-record", Nothing),
    row("--perf-record-args", Word),
    row("--perf-run-mode", Word),
    row("--perf-sampling", Nothing),
    row("--regression-fail-fast", Nothing),
    row("--save-baseline", MaybeWord),
    row("--save-summary", MaybeWord),
    row("--separate-targets", Nothing),
    row("--show-comparison", Word),
    row("--show-grid", Nothing),
    row("--show-intermediate", Nothing),
    row("--show-only-comparison", Nothing),
    row("--strict", Nothing),
    row("--test", Nothing),
    row("--timeout", Word),
    row("--timings", Word),
    row("--tolerance", MaybeWord),
    row("--tool-runner", Word),
    row("--tool-runner-args", Word),
    row("--tool-runner-dest", Word),
    row("--tool-runner-root", Word),
    row("--tools", Word),
    row("--truncate-description", MaybeWord),
    row("--valgrind-args", Word),
    row("--valgrind-bin", Word),
    row("--workspace-root", Word),
    // About a single run.
    only_typed("--exact", Nothing),
    only_typed("--help", Nothing),
    only_typed("-h", Nothing),
    only_typed("--quiet", Nothing),
    only_typed("-q", Nothing),
    only_typed("--skip", Word),
    only_typed("--verify", Nothing),
    only_typed("--version", Nothing),
    only_typed("-V", Nothing),
    // Other names, and what had another one before.
    only_typed("--no-capture", Nothing),
    only_typed("--no-summary", Nothing),
    only_typed("--regression", Word),
    // What cargo and test runners pass to any harness.
    only_typed("--bench", Nothing),
    only_typed("--ensure-time", Nothing),
    only_typed("--exclude-should-panic", Nothing),
    only_typed("--fail-fast", Nothing),
    only_typed("--force-run-in-process", Nothing),
    only_typed("--format", Word),
    only_typed("--ignored", Nothing),
    only_typed("--include-ignored", Nothing),
    only_typed("--logfile", Word),
    only_typed("--report-time", Nothing),
    only_typed("--show-output", Nothing),
    only_typed("--shuffle", Nothing),
    only_typed("--shuffle-seed", Word),
    only_typed("--test-threads", Word),
    only_typed("-Z", Word),
];

/// Option of a single tool. Every such option takes a value and has a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolOption {
    /// Arguments for the tool: `--dhat-args`.
    Args,
    /// Limits of the tool's metrics: `--dhat-limits`.
    Limits,
    /// The metrics that are shown: `--dhat-metrics`.
    Metrics,
}

impl ToolOption {
    /// All options of tools.
    pub const ALL: [Self; 3] = [Self::Args, Self::Limits, Self::Metrics];

    /// The option of this tool, with its dashes.
    #[must_use]
    pub fn of(self, tool: Tool) -> String {
        // exp-bbv's options have no `exp`.
        let tool = match tool {
            Tool::Bbv => "bbv",
            tool => tool.id(),
        };
        let option = match self {
            Self::Args => "args",
            Self::Limits => "limits",
            Self::Metrics => "metrics",
        };
        format!("--{tool}-{option}")
    }

    /// Has the tool this option?
    fn is_of(self, tool: Tool) -> bool {
        // perf has no list of metrics: what is counted is shown.
        self != Self::Metrics || tool != Tool::Perf
    }

    /// The tools that have the option, in the order of [`Tool::ALL`].
    #[inline]
    pub fn tools(self) -> impl Iterator<Item = Tool> {
        Tool::ALL.into_iter().filter(move |tool| self.is_of(*tool))
    }
}

/// Every option, also those of single tools.
#[inline]
pub fn all() -> impl Iterator<Item = Row> {
    let of_tools = ToolOption::ALL.into_iter().flat_map(|option| {
        option.tools().map(move |tool| Row {
            name: Cow::Owned(option.of(tool)),
            takes: Word,
            has_variable: true,
        })
    });
    TABLE.iter().cloned().chain(of_tools)
}

/// Place of the value of the option with this name; `None`: there is no such option.
#[must_use]
pub fn takes(name: &str) -> Option<Takes> {
    for row in TABLE {
        if row.name == name {
            return Some(row.takes);
        }
    }
    for option in &ToolOption::ALL {
        for tool in &Tool::ALL {
            if option.is_of(*tool) && option.of(*tool) == name {
                return Some(Word);
            }
        }
    }
    None
}

/// The variable of an option, whose name may have its dashes: `IAI_CALLGRIND_HOME`.
#[must_use]
pub fn variable(option: &str) -> String {
    let mut variable = PREFIX.to_owned();
    let mut name = option;
    while let Some(rest) = name.strip_prefix('-') {
        name = rest;
    }
    for letter in name.chars() {
        variable.push(match letter {
            '-' => '_',
            letter => letter.to_ascii_uppercase(),
        });
    }
    variable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_option_has_two_rows() {
        let mut names: Vec<_> = all().map(|row| row.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn every_option_is_known_by_its_name() {
        for row in all() {
            assert_eq!(takes(&row.name), Some(row.takes), "{}", row.name);
        }
        assert_eq!(takes("--no-such-option"), None);
    }

    #[test]
    fn names_follow_from_tools_and_options() {
        assert_eq!(takes("--bbv-args"), Some(Word));
        assert_eq!(takes("--exp-bbv-args"), None);
        assert_eq!(takes("--perf-limits"), Some(Word));
        assert_eq!(takes("--perf-metrics"), None);
        assert_eq!(variable("--bbv-args"), "IAI_CALLGRIND_BBV_ARGS");
        assert_eq!(variable("--tool-runner"), "IAI_CALLGRIND_TOOL_RUNNER");
    }
}
