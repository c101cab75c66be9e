//! The options: the one place where their names are written.
//!
//! A name comes with whether it takes the next word, which is all that the benchmark executable has
//! to know of most options, and with whether it has a variable, whose name follows from its own.
//! The options of single tools follow from the tools ([`ToolOption`]). The runner, which knows what
//! options mean, compares its parser with this table in a test.

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

use Takes::{MaybeWord, Nothing, Word};

/// All options with a variable, but those of single tools.
const TABLE: &[(&str, Takes)] = &[
    ("--allow-aslr", Nothing),
    ("--baseline", MaybeWord),
    ("--baseline-lenient", MaybeWord),
    ("--check-determinism", Nothing),
    ("--color", Word),
    ("--default-tool", Word),
    ("--env-clear", Nothing),
    ("--envs", Word),
    ("--exit-handlers", Nothing),
    ("--exit-zero", Nothing),
    ("--explain", Nothing),
    ("--fast-setup", Nothing),
    ("--flamegraph", Nothing),
    ("--fork", Nothing),
    ("--home", Word),
    ("--instructions-only", Nothing),
    ("--label", Word),
    ("--list", Nothing),
    ("--load-baseline", MaybeWord),
    ("--nocapture", Nothing),
    ("--nosummary", Nothing),
    ("--output-format", Word),
    ("--parallel", MaybeWord),
    ("--partition", Word),
    ("--perf-bin", Word),
    ("--perf-events", Word),
    ("--perf-record", Nothing),
    ("--perf-record-args", Word),
    ("--perf-run-mode", Word),
    ("--perf-sampling", Nothing),
    ("--regression-fail-fast", Nothing),
    ("--save-baseline", MaybeWord),
    ("--save-summary", MaybeWord),
    ("--separate-targets", Nothing),
    ("--show-comparison", Word),
    ("--show-grid", Nothing),
    ("--show-intermediate", Nothing),
    ("--show-only-comparison", Nothing),
    ("--strict", Nothing),
    ("--test", Nothing),
    ("--time", Nothing),
    ("--time-base", Word),
    ("--time-limits", Word),
    ("--timeout", Word),
    ("--timings", Word),
    ("--tolerance", MaybeWord),
    ("--tool-runner", Word),
    ("--tool-runner-args", Word),
    ("--tool-runner-dest", Word),
    ("--tool-runner-root", Word),
    ("--tools", Word),
    ("--truncate-description", MaybeWord),
    ("--valgrind-args", Word),
    ("--valgrind-bin", Word),
    ("--workspace-root", Word),
];

/// Options without a variable: about a single run, another name, or from libtest.
const ONLY_TYPED: &[(&str, Takes)] = &[
    // About a single run.
    ("--exact", Nothing),
    ("--help", Nothing),
    ("-h", Nothing),
    ("--quiet", Nothing),
    ("-q", Nothing),
    ("--skip", Word),
    ("--verify", Nothing),
    ("--version", Nothing),
    ("-V", Nothing),
    // Other names, and what had another one before.
    ("--no-capture", Nothing),
    ("--no-summary", Nothing),
    ("--regression", Word),
    // Options that cargo and test runners pass to any harness.
    ("--bench", Nothing),
    ("--ensure-time", Nothing),
    ("--exclude-should-panic", Nothing),
    ("--fail-fast", Nothing),
    ("--force-run-in-process", Nothing),
    ("--format", Word),
    ("--ignored", Nothing),
    ("--include-ignored", Nothing),
    ("--logfile", Word),
    ("--report-time", Nothing),
    ("--show-output", Nothing),
    ("--shuffle", Nothing),
    ("--shuffle-seed", Word),
    ("--test-threads", Word),
    ("-Z", Word),
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
    let row = |has_variable| {
        move |(name, takes): &(&'static str, Takes)| Row {
            name: Cow::Borrowed(*name),
            takes: *takes,
            has_variable,
        }
    };
    let typed = ONLY_TYPED.iter().map(row(false));
    TABLE.iter().map(row(true)).chain(typed).chain(of_tools)
}

/// Place of the value of the option with this name; `None`: there is no such option.
#[must_use]
pub fn takes(name: &str) -> Option<Takes> {
    for table in [TABLE, ONLY_TYPED] {
        for (option, takes) in table {
            if *option == name {
                return Some(*takes);
            }
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
#[inline]
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
