//! The command line as Divan spells it, in the words of `iai-callgrind`.
//!
//! Options of both are passed on unchanged. Options that only Divan has mean nothing, or are passed
//! in a variable to the processes that list benchmarks, since these have another command line.
//! Filters that are regular expressions become the names that they match.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::process::exit;

use iai_callgrind::protocol::options::{self, Word};
use regex_lite::Regex;

use crate::counter::{BytesCount, CharsCount, Counters, CyclesCount, ItemsCount};
use crate::listing;
use crate::runner::{settings, Action, Ignored};

/// Options about time, samples and what is printed of them. All of them have a value.
const WITHOUT_EFFECT: [&str; 9] = [
    "--bytes-format",
    "--max-time",
    "--min-time",
    "--sample-count",
    "--sample-size",
    "--sort",
    "--sortr",
    "--threads",
    "--timer",
];

/// This one has a value if it is `true` or `false`.
const SKIP_EXT_TIME: &str = "--skip-ext-time";

/// Options for counters, with the variables that Divan has for them.
const COUNTERS: [(&str, &str); 4] = [
    ("--bytes-count", "DIVAN_BYTES_COUNT"),
    ("--chars-count", "DIVAN_CHARS_COUNT"),
    ("--cycles-count", "DIVAN_CYCLES_COUNT"),
    ("--items-count", "DIVAN_ITEMS_COUNT"),
];

/// Variable for `--ignored` and `--include-ignored`, with the value `only` or `include`.
const IGNORED: &str = "DIVAN_IGNORED";

/// Exit code for a command line that is wrong, as `iai-callgrind` has it.
const USAGE: i32 = 2;

/// A command line without the options that only Divan has.
#[derive(Debug, Default, PartialEq, Eq)]
struct Line {
    rest: Vec<OsString>,
    /// Variables for other processes, with their values.
    variables: Vec<(&'static str, String)>,
    without_effect: BTreeSet<String>,
}

/// The words of a command line as `iai-callgrind` has them. Says what means nothing.
pub(crate) fn words(words: Vec<OsString>) -> Vec<OsString> {
    let line = match Line::read(&words) {
        Ok(line) => line,
        Err(error) => {
            eprintln!("error: {error}");
            exit(USAGE);
        }
    };
    for (name, value) in &line.variables {
        // SAFETY: `main` has just begun, and no other thread runs that could read variables.
        unsafe { env::set_var(name, value) };
    }
    let divan = settings().divan;
    let mut rest = line.rest;
    let says = |names: &[&str]| {
        rest.iter()
            .any(|word| names.iter().any(|name| word == name))
    };
    let is_told = says(&["--list", "--test", "--help", "-h", "--version", "-V"]);
    let counts = match divan.action() {
        Some(action) => action == Action::Count && !is_told,
        None => says(&["--bench"]) && !is_told,
    };
    if counts {
        let mut names = line.without_effect;
        names.extend(listing::without_effect().into_iter().map(str::to_owned));
        names.extend(divan.without_effect().iter().map(|name| (*name).to_owned()));
        say(&names);
    }
    let action = match divan.action() {
        _ if is_told => None,
        Some(Action::Count) => Some("--test=no"),
        Some(Action::Test) => Some("--test"),
        Some(Action::List) => Some("--list"),
        None => None,
    };
    // In front: the words may end with `--` and filters.
    if let Some(action) = action {
        rest.insert(0, action.into());
    }
    with_names(rest, listing::names)
}

fn say(without_effect: &BTreeSet<String>) {
    if without_effect.is_empty() {
        return;
    }
    let names: Vec<String> = without_effect
        .iter()
        .map(|name| format!("`{name}`"))
        .collect();
    eprintln!(
        "note: one call of each benchmark is counted, in one thread, so these options mean nothing: {}",
        names.join(", ")
    );
}

impl Line {
    fn read(words: &[OsString]) -> Result<Self, String> {
        let mut line = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let text = word.to_string_lossy();
            let (name, value) = match text.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (&*text, None),
            };
            let counter = COUNTERS.iter().find(|(option, _)| *option == name);
            if let Some((_, variable)) = counter {
                let value =
                    value.or_else(|| words.next().map(|next| next.to_string_lossy().into()));
                line.variables.push((variable, number(name, value)?));
            } else if WITHOUT_EFFECT.contains(&name) {
                // Cargo ends the line with `--bench`, which is no value.
                if value.is_none() && words.next().is_none_or(|next| next == "--bench") {
                    return Err(format!("a value is required for '{name}'"));
                }
                line.without_effect.insert(name.to_owned());
            } else if name == SKIP_EXT_TIME {
                let next = words.as_slice().first();
                if value.is_none() && next.is_some_and(|next| next == "true" || next == "false") {
                    words.next();
                }
                line.without_effect.insert(name.to_owned());
            } else if text == "--ignored" {
                line.variables.push((IGNORED, "only".to_owned()));
            } else if text == "--include-ignored" {
                line.variables.push((IGNORED, "include".to_owned()));
            } else if text == "--" {
                line.rest.push(word.clone());
                line.rest.extend(words.by_ref().cloned());
            } else {
                line.rest.push(word.clone());
            }
        }
        Ok(line)
    }
}

fn number(option: &str, value: Option<String>) -> Result<String, String> {
    match value {
        Some(value) if value.parse::<u64>().is_ok() => Ok(value),
        Some(value) => Err(format!(
            "invalid value '{value}' for '{option}': expected a number"
        )),
        None => Err(format!("a value is required for '{option}'")),
    }
}

/// Replaces filters that are regular expressions by the names that they match. Where they match
/// none, they stay: they may be patterns of `iai-callgrind`, which otherwise says that there is no
/// such benchmark.
fn with_names(line: Vec<OsString>, names: impl FnOnce() -> Vec<(String, String)>) -> Vec<OsString> {
    let (before, bench) = options::before_bench(&line);
    let words = options::words(before);
    let (mut select, mut skip) = (Vec::new(), Vec::new());
    let mut others: Vec<OsString> = Vec::new();
    for word in &words {
        match word {
            Word::Filter(filter) => select.push(filter.as_str()),
            Word::Option { name, value } => match (name.as_str(), value) {
                ("--exact", _) => return line,
                ("--skip", Some(filter)) => skip.push(filter.as_str()),
                (name, Some(value)) => others.push(format!("{name}={value}").into()),
                (name, None) => others.push(name.into()),
            },
        }
    }
    // Plain texts mean the same in Divan and here.
    if !select
        .iter()
        .chain(&skip)
        .any(|filter| is_expression(filter))
    {
        return line;
    }
    let compile = |filters: &[&str]| {
        let filters = filters.iter().map(|filter| Regex::new(filter));
        filters.collect::<Result<Vec<_>, _>>().ok()
    };
    let (Some(select), Some(skip)) = (compile(&select), compile(&skip)) else {
        return line;
    };
    let matches = |filters: &[Regex], (title, path): &(String, String)| {
        let mut filters = filters.iter();
        filters.any(|filter| filter.is_match(title) || filter.is_match(path))
    };
    let mut names = names();
    names.retain(|name| (select.is_empty() || matches(&select, name)) && !matches(&skip, name));
    if names.is_empty() {
        return line;
    }
    // The names are whole, and one may be a part of another.
    others.push("--exact".into());
    others.extend(names.into_iter().map(|(title, _)| OsString::from(title)));
    if bench {
        others.push("--bench".into());
    }
    others
}

/// Is the text more than itself? A dot is none that anyone would mean so.
fn is_expression(filter: &str) -> bool {
    filter.contains([
        '\\', '^', '$', '|', '(', ')', '[', ']', '{', '}', '*', '+', '?',
    ])
}

/// The value of `--ignored` or `--include-ignored` on the command line of the first process.
pub(crate) fn ignored() -> Option<Ignored> {
    match env::var(IGNORED).ok()?.as_str() {
        "only" => Some(Ignored::Only),
        "include" => Some(Ignored::Included),
        _ => None,
    }
}

/// Counters of the command line, or of variables.
pub(crate) fn counters() -> Counters {
    let mut counters = Counters::default();
    for (_, variable) in COUNTERS {
        let value = env::var(variable).ok();
        let Some(number) = value.and_then(|value| value.parse::<u64>().ok()) else {
            continue;
        };
        match variable {
            "DIVAN_BYTES_COUNT" => counters.set(BytesCount::new(number)),
            "DIVAN_CHARS_COUNT" => counters.set(CharsCount::new(number)),
            "DIVAN_CYCLES_COUNT" => counters.set(CyclesCount::new(number)),
            _ => counters.set(ItemsCount::new(number)),
        }
    }
    counters
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    fn read(line: &str) -> Result<Line, String> {
        Line::read(&split(line))
    }

    #[test]
    fn options_of_divan_are_taken_out() {
        let line = read(
            "sort --sample-count 5 --max-time=1.5 --skip slow --skip-ext-time true --skip-ext-time x --items-count 7 \
             --include-ignored --home h -- --timer --bench",
        )
        .unwrap();
        assert_eq!(
            line.rest,
            split("sort --skip slow x --home h -- --timer --bench")
        );
        let names = ["--max-time", "--sample-count", "--skip-ext-time"];
        assert_eq!(line.without_effect, names.map(str::to_owned).into());
        let variables = [("DIVAN_ITEMS_COUNT", "7"), ("DIVAN_IGNORED", "include")];
        assert_eq!(
            line.variables,
            variables.map(|(name, value)| (name, value.to_owned()))
        );
    }

    #[test]
    fn mistakes_are_refused() {
        let error = |line| read(line).unwrap_err();
        assert_eq!(
            error("--sample-size --bench"),
            "a value is required for '--sample-size'"
        );
        assert_eq!(
            error("--bytes-count"),
            "a value is required for '--bytes-count'"
        );
        assert_eq!(
            error("--bytes-count=x"),
            "invalid value 'x' for '--bytes-count': expected a number"
        );
    }

    #[test]
    fn expressions_become_names() {
        fn names() -> Vec<(String, String)> {
            let names = ["sort::1", "sort::10", "map::1"];
            let both = |name| (format!("b::{name}"), format!("b::main::{name}"));
            names.map(both).to_vec()
        }
        #[track_caller]
        fn check(line: &str, expected: &str) {
            assert_eq!(with_names(split(line), names), split(expected));
        }
        check("sort --bench", "sort --bench");
        check("sort 1.0", "sort 1.0");
        check(
            "sort.*1$ map --home h -q --bench",
            "--home=h -q --exact b::sort::1 b::map::1 --bench",
        );
        check("--skip sort|nothing", "--exact b::map::1");
        check("main::.*p::", "--exact b::map::1");
        // An exact name, a pattern that is no expression, and one that matches nothing.
        check("--exact sort|map", "--exact sort|map");
        check("*::1", "*::1");
        check("none.*", "none.*");
    }
}
