//! The few options that the front understands itself; all others are the runner's.
//!
//! Everything else on the command line is passed on unread. Only the words that are values of an
//! option must be told from filters, hence the table of those options.

use std::env;
use std::ffi::OsString;

use crate::protocol::options::is_value;
use crate::protocol::{Filter, Partition};

/// What the front has to know of a command line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Arguments {
    /// `--bench`: cargo wants figures.
    pub(super) bench: bool,
    /// `--test`: run everything once, even with `--bench`.
    pub(super) test: bool,
    /// `--list`.
    pub(super) list: bool,
    /// `--format terse`: no count after the list.
    pub(super) terse: bool,
    /// `--ignored`: only ignored benchmarks, of which there are none.
    pub(super) ignored: bool,
    /// `--nocapture`: output of the benchmarks goes where it goes.
    pub(super) nocapture: bool,
    /// `--help` or `--version`: answered by the runner.
    pub(super) help: bool,
    pub(super) filter: Filter,
    /// The value of `--partition`.
    partition: Option<String>,
}

impl Arguments {
    /// Reads a command line. Words that are not UTF-8 can select nothing and are passed over.
    pub(super) fn parse(words: &[OsString]) -> Self {
        let mut arguments = Self::default();
        let mut words = words.iter().filter_map(|word| word.to_str()).peekable();
        let mut only_filters = false;
        while let Some(word) = words.next() {
            if only_filters || !word.starts_with('-') {
                arguments.filter.select.push(word.to_owned());
                continue;
            }
            if word == "--" {
                only_filters = true;
                continue;
            }
            let (name, glued) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (word, None),
            };
            let value = match glued {
                Some(value) => Some(value),
                None => words.next_if(|word| is_value(name, word)),
            };
            arguments.option(name, value);
        }
        arguments
    }

    /// The part of the benchmarks that the command line or the environment wants.
    pub(super) fn partition(&self) -> Result<Option<Partition>, String> {
        let variable = || env::var("IAI_CALLGRIND_PARTITION").ok();
        let text = self.partition.clone().or_else(variable);
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            return Ok(None);
        };
        let partition = text
            .parse()
            .map_err(|error| format!("invalid value '{text}' for '--partition <PART>': {error}"));
        partition.map(Some)
    }

    fn option(&mut self, name: &str, value: Option<&str>) {
        match name {
            "--bench" => self.bench = true,
            "--test" => self.test = true,
            "--list" => self.list = true,
            "--format" => self.terse = value == Some("terse"),
            "--ignored" => self.ignored = true,
            "--nocapture" | "--no-capture" => self.nocapture = !value.is_some_and(is_no),
            "--exact" => self.filter.exact = true,
            "--partition" => self.partition = value.map(str::to_owned),
            "--skip" => self.filter.skip.extend(value.map(str::to_owned)),
            "--help" | "-h" | "--version" | "-V" => self.help = true,
            _ => {}
        }
    }
}

/// As the runner reads yes/no options.
fn is_no(value: &str) -> bool {
    let no = ["no", "n", "false", "f", "off", "0"];
    no.iter().any(|no| value.eq_ignore_ascii_case(no))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Arguments {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        Arguments::parse(&words)
    }

    #[test]
    fn words_are_filters_and_values_are_not() {
        let arguments = parse("--home somewhere sort --skip slow --callgrind-args=--a=b --bench");
        assert_eq!(arguments.filter.select, ["sort"]);
        assert_eq!(arguments.filter.skip, ["slow"]);
        assert!(arguments.bench && !arguments.test);
    }

    #[test]
    fn listing_as_nextest_asks_for_it() {
        let arguments = parse("--list --format terse --ignored");
        assert!(arguments.list && arguments.terse && arguments.ignored);
    }

    #[test]
    fn a_part_is_named_on_the_command_line() {
        let partition = |line| parse(line).partition();
        assert_eq!(
            partition("--partition count:2/3"),
            Ok("count:2/3".parse().ok())
        );
        let error = partition("--partition=count:4/3").unwrap_err();
        assert!(
            error.starts_with("invalid value 'count:4/3' for"),
            "{error}"
        );
    }

    #[test]
    fn output_is_shown_unless_the_value_says_no() {
        assert!(parse("--nocapture").nocapture);
        assert!(parse("--no-capture=stdout").nocapture);
        assert!(!parse("--nocapture --nocapture=NO").nocapture);
        assert!(!parse("").nocapture);
    }

    #[test]
    fn after_two_dashes_everything_is_a_filter() {
        assert_eq!(parse("-- --list").filter.select, ["--list"]);
    }
}
