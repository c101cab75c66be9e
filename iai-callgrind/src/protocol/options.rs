//! The options of a benchmark executable, and how a command line falls into options, values and
//! filters.
//!
//! The benchmark executable answers `--list` and the test mode itself, the runner parses all
//! options. One table for both; a test in the runner compares it with what its parser takes.

use std::ffi::OsString;
use std::str::FromStr;

use crate::shared::yes_no::yes_or_no;

/// All options without a value, or with one behind `=` only.
pub const WITHOUT_VALUE: &[&str] = &[
    "--allow-aslr",
    "--bench",
    "--check-determinism",
    "--ensure-time",
    "--env-clear",
    "--exact",
    "--exclude-should-panic",
    "--fail-fast",
    "--force-run-in-process",
    "--fork",
    "--help",
    "--ignored",
    "--include-ignored",
    "--list",
    "--no-capture",
    "--no-summary",
    "--nocapture",
    "--nosummary",
    "--perf-record",
    "--perf-sampling",
    "--quiet",
    "--regression-fail-fast",
    "--report-time",
    "--separate-targets",
    "--show-grid",
    "--show-intermediate",
    "--show-only-comparison",
    "--show-output",
    "--shuffle",
    "--strict",
    "--test",
    "--verify",
    "--version",
    "-V",
    "-h",
    "-q",
];

/// All options that take a value.
pub const WITH_VALUE: &[&str] = &[
    "--bbv-args",
    "--bbv-limits",
    "--bbv-metrics",
    "--cachegrind-args",
    "--cachegrind-limits",
    "--cachegrind-metrics",
    "--callgrind-args",
    "--callgrind-limits",
    "--callgrind-metrics",
    "--color",
    "--default-tool",
    "--dhat-args",
    "--dhat-limits",
    "--dhat-metrics",
    "--drd-args",
    "--drd-limits",
    "--drd-metrics",
    "--envs",
    "--format",
    "--helgrind-args",
    "--helgrind-limits",
    "--helgrind-metrics",
    "--home",
    "--logfile",
    "--massif-args",
    "--massif-limits",
    "--massif-metrics",
    "--memcheck-args",
    "--memcheck-limits",
    "--memcheck-metrics",
    "--output-format",
    "--partition",
    "--perf-args",
    "--perf-bin",
    "--perf-events",
    "--perf-limits",
    "--perf-record-args",
    "--perf-run-mode",
    "--regression",
    "--shuffle-seed",
    "--skip",
    "--test-threads",
    "--timeout",
    "--tool-runner",
    "--tool-runner-args",
    "--tool-runner-dest",
    "--tool-runner-root",
    "--tools",
    "--valgrind-args",
    "--valgrind-bin",
    "--workspace-root",
    "-Z",
];

/// All options whose value may be left out.
pub const WITH_OPTIONAL_VALUE: &[&str] = &[
    "--baseline",
    "--load-baseline",
    "--parallel",
    "--save-baseline",
    "--save-summary",
    "--tolerance",
    "--truncate-description",
];

/// Variables of options that the benchmark executable reads as well.
pub mod variables {
    /// One filter, if the command line has none.
    pub const FILTER: &str = "IAI_CALLGRIND_FILTER";
    /// `--list`.
    pub const LIST: &str = "IAI_CALLGRIND_LIST";
    /// `--nocapture`.
    pub const NOCAPTURE: &str = "IAI_CALLGRIND_NOCAPTURE";
    /// `--partition`.
    pub const PARTITION: &str = "IAI_CALLGRIND_PARTITION";
    /// `--test`.
    pub const TEST: &str = "IAI_CALLGRIND_TEST";
}

/// A part of a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// What stands for itself.
    Filter(String),
    /// An option with its dashes.
    Option {
        /// `--home`, `-q`.
        name: String,
        /// Behind `=`, or the next word.
        value: Option<String>,
    },
}

/// Cuts a command line into its parts. Whatever is no UTF-8 is replaced; it can be the value of an
/// option that is only passed on.
#[must_use]
pub fn words(line: &[OsString]) -> Vec<Word> {
    let mut parts = Vec::new();
    let mut words = line.iter().map(|word| word.to_string_lossy()).peekable();
    let mut only_filters = false;
    while let Some(word) = words.next() {
        let option = |name: &str, value: Option<&str>| Word::Option {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        };
        if only_filters || !word.starts_with('-') || word == "-" {
            parts.push(Word::Filter(word.into_owned()));
        } else if word == "--" {
            only_filters = true;
        } else if word.starts_with("--") {
            let (name, glued) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value.into())),
                None => (&*word, None),
            };
            let value = glued.or_else(|| words.next_if(|next| is_value(name, next)));
            parts.push(option(name, value.as_deref()));
        } else {
            // Short options may stand in one word, the value of the last as well.
            let mut rest = &word[1..];
            while let Some(letter) = rest.chars().next() {
                let name = format!("-{letter}");
                rest = &rest[letter.len_utf8()..];
                if !WITH_VALUE.contains(&name.as_str()) {
                    parts.push(option(&name, None));
                    continue;
                }
                let glued = Some(rest.strip_prefix('=').unwrap_or(rest).into());
                let glued = glued.filter(|_| !rest.is_empty());
                let value = glued.or_else(|| words.next_if(|next| is_value(&name, next)));
                parts.push(option(&name, value.as_deref()));
                rest = "";
            }
        }
    }
    parts
}

/// Is there such an option?
#[must_use]
pub fn is_known(name: &str) -> bool {
    [WITHOUT_VALUE, WITH_VALUE, WITH_OPTIONAL_VALUE]
        .iter()
        .any(|names| names.contains(&name))
}

/// One of the two streams that a program writes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Which streams of benchmarks are shown, by `--nocapture`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ShownStreams {
    /// None.
    #[default]
    None,
    /// Both.
    Both,
    /// Stdout, but not stderr.
    Stdout,
    /// Stderr, but not stdout.
    Stderr,
}

impl ShownStreams {
    /// Is this one of them?
    #[must_use]
    pub fn shows(self, stream: Stream) -> bool {
        match stream {
            Stream::Stdout => matches!(self, Self::Both | Self::Stdout),
            Stream::Stderr => matches!(self, Self::Both | Self::Stderr),
        }
    }
}

impl FromStr for ShownStreams {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match (text.to_ascii_lowercase().as_str(), yes_or_no(text)) {
            ("stdout", _) => Ok(Self::Stdout),
            ("stderr", _) => Ok(Self::Stderr),
            (_, Ok(true)) => Ok(Self::Both),
            (_, Ok(false)) => Ok(Self::None),
            _ => Err("expected `yes`, `no`, `stdout` or `stderr`"),
        }
    }
}

/// Is this word the value of the option before it?
fn is_value(option: &str, word: &str) -> bool {
    let is_option = word.starts_with('-') && word != "-";
    match WITH_VALUE.contains(&option) {
        // Arguments of other programs begin with a dash.
        true => !is_option || option.ends_with("-args"),
        false => WITH_OPTIONAL_VALUE.contains(&option) && !is_option,
    }
}

/// Cargo puts `--bench` behind everything that its user wrote. There it is never the value of an
/// option, nor a filter, whatever stands before it. Returns the words before it, and whether it was
/// there.
#[must_use]
pub fn before_bench(words: &[OsString]) -> (&[OsString], bool) {
    match words.split_last() {
        Some((last, before)) if last == "--bench" => (before, true),
        _ => (words, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &[(&str, Option<&str>)]) {
        let line: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let words = words(&line);
        let seen: Vec<(&str, Option<&str>)> = words
            .iter()
            .map(|word| match word {
                Word::Filter(filter) => ("", Some(filter.as_str())),
                Word::Option { name, value } => (name.as_str(), value.as_deref()),
            })
            .collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn values_are_told_from_filters() {
        check("--home a b", &[("--home", Some("a")), ("", Some("b"))]);
        check("--home=a=b", &[("--home", Some("a=b"))]);
        check("--list a", &[("--list", None), ("", Some("a"))]);
        check(
            "--parallel --exact",
            &[("--parallel", None), ("--exact", None)],
        );
        check("--home --list", &[("--home", None), ("--list", None)]);
        check("--parallel 2", &[("--parallel", Some("2"))]);
        check("--dhat-args --a", &[("--dhat-args", Some("--a"))]);
        check("a -- --list", &[("", Some("a")), ("", Some("--list"))]);
        check("- --skip", &[("", Some("-")), ("--skip", None)]);
    }

    #[test]
    fn short_options_may_stand_together() {
        check("-qV", &[("-q", None), ("-V", None)]);
        check("-Z a b", &[("-Z", Some("a")), ("", Some("b"))]);
        check(
            "-qZa -Z=b",
            &[("-q", None), ("-Z", Some("a")), ("-Z", Some("b"))],
        );
    }

    #[test]
    fn no_option_stands_in_two_tables() {
        let mut all = [WITHOUT_VALUE, WITH_VALUE, WITH_OPTIONAL_VALUE].concat();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
