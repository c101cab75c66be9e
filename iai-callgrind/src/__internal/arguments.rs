//! The few options that the front understands itself; all others are the runner's.
//!
//! To measure, the whole command line is passed on unread. For `--list` and the test mode it is
//! read here, together with the variables of these options. An option that the runner does not know
//! either is refused, so that a slip is not taken for "everything".

use std::env;
use std::ffi::OsString;
use std::fmt::Display;

use crate::protocol::options::{self, ShownStreams, Takes};
use crate::protocol::{Filter, Partition};
use crate::shared::yes_no::yes_or_no;

/// Options of a command line that the front has to know.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Arguments {
    /// `--bench`: cargo wants figures.
    bench: bool,
    /// `--test`: run everything once, even with `--bench`; `--test=no`: measure even without.
    test: Option<bool>,
    list: Option<bool>,
    /// `--format terse` or `--quiet`: no count after the list, and no names in the test mode.
    pub(super) terse: bool,
    /// `--ignored`: only ignored benchmarks, of which there are none.
    pub(super) ignored: bool,
    /// `--nocapture`: streams of the benchmarks that are shown.
    nocapture: Option<ShownStreams>,
    /// `--help` or `--version`: answered by the runner.
    help: bool,
    pub(super) filter: Filter,
    pub(super) partition: Option<Partition>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Print the names.
    List,
    /// Run everything once.
    Test,
    /// Become the runner.
    Measure,
}

impl Arguments {
    /// Reads a command line and the environment of this process. To measure, mistakes are left to
    /// the runner.
    pub(super) fn of_this_process(line: &[OsString]) -> (Mode, Result<Self, String>) {
        Self::read(line, &|name| env::var(name).ok())
    }

    fn read(
        line: &[OsString],
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> (Mode, Result<Self, String>) {
        let (line, bench) = options::before_bench(line);
        let mut arguments = Self {
            bench,
            ..Self::default()
        };
        let mut outcome = Ok(());
        options::each_word(line, &mut |name, value| match name {
            Some(name) => first(&mut outcome, arguments.option(name, value, name)),
            None => {
                let filter = value.unwrap_or_default();
                arguments.filter.select.push(filter.to_owned());
            }
        });
        for word in line {
            if word.to_str().is_none() {
                first(&mut outcome, Err("invalid UTF-8 in an argument".to_owned()));
            }
        }
        first(&mut outcome, arguments.variables(variable));
        if let Some(mistake) = arguments.filter.mistake() {
            first(&mut outcome, Err(mistake));
        }
        let mode = arguments.mode();
        match outcome {
            Ok(()) => (mode, Ok(arguments)),
            Err(mistake) => (mode, Err(mistake)),
        }
    }

    fn mode(&self) -> Mode {
        // Only `cargo bench` passes `--bench`; `cargo test` starts the same executable without it.
        let test = self.test.unwrap_or(!self.bench);
        match (self.help, self.list, test) {
            // The help is the runner's.
            (true, ..) => Mode::Measure,
            (_, Some(true), _) => Mode::List,
            (.., true) => Mode::Test,
            (.., false) => Mode::Measure,
        }
    }

    /// Streams of benchmarks that are shown.
    pub(super) fn nocapture(&self) -> ShownStreams {
        self.nocapture.unwrap_or_default()
    }

    /// Takes an option, whose value stands at this place: the option itself or its variable.
    fn option(&mut self, name: &str, value: Option<&str>, place: &str) -> Result<(), String> {
        let yes = value.unwrap_or("yes");
        match (Known::of(name), value) {
            (Some(Known::Bench), _) => alone(&mut self.bench, name, value),
            (Some(Known::Ignored), _) => alone(&mut self.ignored, name, value),
            (Some(Known::Exact), _) => alone(&mut self.filter.exact, name, value),
            (Some(Known::Quiet), _) => alone(&mut self.terse, name, value),
            (Some(Known::List), _) => taken(&mut self.list, truth(yes, place)),
            (Some(Known::Test), _) => taken(&mut self.test, truth(yes, place)),
            (Some(Known::Nocapture), _) => taken(&mut self.nocapture, nocapture(yes, place)),
            (Some(Known::Help), _) => {
                self.help = true;
                Ok(())
            }
            (Some(Known::Format), Some(text)) => {
                self.terse = text == "terse";
                Ok(())
            }
            (Some(Known::Skip), Some(text)) => {
                self.filter.skip.push(text.to_owned());
                Ok(())
            }
            (Some(Known::Partition), Some(text)) => {
                // The words of clap, so that the front and the runner report the same mistake
                // alike.
                let place = match place == name {
                    true => "--partition <PART>",
                    false => place,
                };
                taken(&mut self.partition, partition(text, place))
            }
            (Some(Known::Format | Known::Skip | Known::Partition), None) => required(name, value),
            (None, _) => match options::takes(name) {
                Some(Takes::Word) => required(name, value),
                Some(Takes::MaybeWord | Takes::Nothing) => Ok(()),
                None => Err(format!(
                    "unexpected argument '{name}' found\n  hint: `cargo bench -- --help` lists all"
                )),
            },
        }
    }

    /// Fills in what the command line leaves open, from environment variables.
    fn variables(&mut self, variable: &dyn Fn(&str) -> Option<String>) -> Result<(), String> {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let is_typed = [
            self.list.is_some(),
            self.test.is_some(),
            self.nocapture.is_some(),
            self.partition.is_some(),
        ];
        for (index, (option, variable)) in VARIABLES.iter().enumerate() {
            if is_typed[index] {
                continue;
            }
            if let Some(text) = set(variable) {
                self.option(option, Some(&text), variable)?;
            }
        }
        if self.filter.select.is_empty() {
            if let Some(filter) = set(options::FILTER_VARIABLE) {
                self.filter.select.push(filter);
            }
        }
        Ok(())
    }
}

/// Options that the front understands, with their variables as [`options::variable`] names them.
const VARIABLES: [(&str, &str); 4] = [
    ("--list", "IAI_CALLGRIND_LIST"),
    ("--test", "IAI_CALLGRIND_TEST"),
    ("--nocapture", "IAI_CALLGRIND_NOCAPTURE"),
    ("--partition", "IAI_CALLGRIND_PARTITION"),
];

/// An option that the front understands.
#[derive(Clone, Copy)]
enum Known {
    Bench,
    Exact,
    Format,
    Help,
    Ignored,
    List,
    Nocapture,
    Partition,
    Quiet,
    Skip,
    Test,
}

impl Known {
    const NAMES: &[(&str, Self)] = &[
        ("--bench", Self::Bench),
        ("--exact", Self::Exact),
        ("--format", Self::Format),
        ("--help", Self::Help),
        ("-h", Self::Help),
        ("--ignored", Self::Ignored),
        ("--list", Self::List),
        ("--nocapture", Self::Nocapture),
        ("--no-capture", Self::Nocapture),
        ("--partition", Self::Partition),
        ("--quiet", Self::Quiet),
        ("-q", Self::Quiet),
        ("--skip", Self::Skip),
        ("--test", Self::Test),
        ("--version", Self::Help),
        ("-V", Self::Help),
    ];

    fn of(name: &str) -> Option<Self> {
        for (known, option) in Self::NAMES {
            if *known == name {
                return Some(*option);
            }
        }
        None
    }
}

/// Keeps the first mistake.
fn first(outcome: &mut Result<(), String>, next: Result<(), String>) {
    if outcome.is_ok() {
        *outcome = next;
    }
}

/// Sets an option without value.
fn alone(flag: &mut bool, name: &str, value: Option<&str>) -> Result<(), String> {
    match value {
        None => {
            *flag = true;
            Ok(())
        }
        Some(value) => Err(format!(
            "unexpected value '{value}' for '{name}' found; no more were expected"
        )),
    }
}

/// Sets an option with a value.
fn taken<T>(option: &mut Option<T>, value: Result<T, String>) -> Result<(), String> {
    *option = Some(value?);
    Ok(())
}

/// An option that needs a value.
fn required(name: &str, value: Option<&str>) -> Result<(), String> {
    match value {
        Some(_) => Ok(()),
        None => Err(format!("a value is required for '{name}'")),
    }
}

pub(super) fn truth(text: &str, place: &str) -> Result<bool, String> {
    match yes_or_no(text) {
        Ok(truth) => Ok(truth),
        Err(error) => Err(invalid(text, place, &error)),
    }
}

fn nocapture(text: &str, place: &str) -> Result<ShownStreams, String> {
    match text.parse() {
        Ok(shown) => Ok(shown),
        Err(error) => Err(invalid(text, place, &error)),
    }
}

fn partition(text: &str, place: &str) -> Result<Partition, String> {
    let parsed = text.parse::<Partition>();
    let error: &dyn Display = match &parsed {
        Ok(partition) if !partition.needs_times() => return Ok(*partition),
        Ok(_) => &"the list and the test mode know `hash` and `count` only",
        Err(error) => error,
    };
    Err(invalid(text, place, error))
}

fn invalid(text: &str, place: &str, error: &dyn Display) -> String {
    format!("invalid value '{text}' for '{place}': {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str, variables: &[(&str, &str)]) -> (Mode, Result<Arguments, String>) {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        Arguments::read(&words, &|name| {
            let mut found = variables.iter().filter(|(other, _)| *other == name);
            found.next().map(|(_, value)| (*value).to_owned())
        })
    }

    fn parse(line: &str) -> Arguments {
        read(line, &[]).1.unwrap()
    }

    #[test]
    fn words_are_filters_and_values_are_not() {
        let arguments = parse("--home somewhere sort --skip slow --callgrind-args=--a=b --bench");
        assert_eq!(arguments.filter.select, ["sort"]);
        assert_eq!(arguments.filter.skip, ["slow"]);
        assert_eq!(parse("-- --list").filter.select, ["--list"]);
    }

    /// Cargo adds it, whatever its user forgot or wrote before.
    #[test]
    fn the_last_word_is_cargos() {
        for line in [
            "--home --bench",
            "--callgrind-args --bench",
            "--skip --bench",
            "--bench",
        ] {
            assert_eq!(read(line, &[]).0, Mode::Measure, "{line}");
        }
        assert_eq!(read("-- sort --bench", &[]).0, Mode::Measure);
        assert_eq!(parse("-- sort --bench").filter.select, ["sort"]);
    }

    #[test]
    fn listing_as_nextest_asks_for_it() {
        let (mode, arguments) = read("--list --format terse --ignored", &[]);
        let arguments = arguments.unwrap();
        assert!(mode == Mode::List && arguments.terse && arguments.ignored);
    }

    #[test]
    fn what_is_to_be_done() {
        #[track_caller]
        fn check(line: &str, variables: &[(&str, &str)], expected: Mode) {
            assert_eq!(read(line, variables).0, expected, "{line} {variables:?}");
        }
        check("", &[], Mode::Test);
        check("--bench", &[], Mode::Measure);
        check("--bench --test", &[], Mode::Test);
        check("--test=no", &[], Mode::Measure);
        check("--bench --list", &[], Mode::List);
        check("--list --test", &[], Mode::List);
        check("--bench --list=no", &[], Mode::Measure);
        check("--list --help", &[], Mode::Measure);
        let (list, test) = ("IAI_CALLGRIND_LIST", "IAI_CALLGRIND_TEST");
        check("--bench", &[(list, "yes")], Mode::List);
        check("--bench", &[(list, "")], Mode::Measure);
        check("--bench --list=no", &[(list, "yes")], Mode::Measure);
        check("--bench", &[(test, "1")], Mode::Test);
        check("", &[(test, "no")], Mode::Measure);
        check("--test", &[(test, "no")], Mode::Test);
    }

    #[test]
    fn variables_have_the_names_of_their_options() {
        for (option, variable) in VARIABLES {
            assert_eq!(options::variable(option), variable);
        }
    }

    #[test]
    fn variables_stand_in_for_options() {
        let filter = |line| {
            let (_, arguments) = read(line, &[("IAI_CALLGRIND_FILTER", "a b")]);
            arguments.unwrap().filter.select
        };
        assert_eq!(filter("--list"), ["a b"]);
        assert_eq!(filter("--list c"), ["c"]);
        let (_, arguments) = read("--list", &[("IAI_CALLGRIND_PARTITION", "count:1/2")]);
        assert_eq!(arguments.unwrap().partition, "count:1/2".parse().ok());
        let (_, arguments) = read("--list --partition=time:1/2", &[]);
        let error = arguments.unwrap_err();
        assert!(error.ends_with("know `hash` and `count` only"), "{error}");
    }

    #[test]
    fn mistakes_are_refused() {
        #[track_caller]
        fn check(line: &str, variables: &[(&str, &str)], expected: &str) {
            let (_, arguments) = read(line, variables);
            let error = arguments.unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
        check("--lisst", &[], "unexpected argument '--lisst' found");
        check("-x", &[], "unexpected argument '-x' found");
        check("--list --skip", &[], "a value is required for '--skip'");
        check("--home --list", &[], "a value is required for '--home'");
        check("--exact=a", &[], "unexpected value 'a' for '--exact' found");
        check(
            "--list=maybe",
            &[],
            "invalid value 'maybe' for '--list': expected `yes`",
        );
        let error = "invalid value 'count:4/3' for '--partition <PART>': ";
        check("--partition=count:4/3", &[], error);
        check("--list a[", &[], "the filter `a[` is a pattern with a `[`");
        let error = "invalid value 'x' for 'IAI_CALLGRIND_LIST': expected `yes`";
        check("", &[("IAI_CALLGRIND_LIST", "x")], error);
    }
}
