//! The options of a benchmark executable, and how a command line falls into options, values and
//! filters.
//!
//! The benchmark executable answers `--list` and the test mode itself, the runner parses all
//! options. One table ([`all`]) for both; a test in the runner compares it with what its parser
//! takes.

use std::ffi::OsString;
use std::str::FromStr;

use crate::shared::yes_no::yes_or_no;

mod table;

pub use table::{all, takes, variable, Row, Takes, ToolOption, FILTER_VARIABLE, PREFIX};

/// A part of a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// A filter: neither an option nor the value of one.
    Filter(String),
    /// An option with its dashes.
    Option {
        /// `--home`, `-q`.
        name: String,
        /// Text behind `=`, or the next word.
        value: Option<String>,
    },
}

/// Cuts a command line into its parts. Whatever is no UTF-8 is replaced; it can be the value of an
/// option that is only passed on.
#[must_use]
#[inline]
pub fn words(line: &[OsString]) -> Vec<Word> {
    let mut words = Vec::new();
    each_word(line, &mut |name, value| {
        words.push(match (name, value.map(str::to_owned)) {
            (Some(name), value) => Word::Option {
                name: name.to_owned(),
                value,
            },
            (None, filter) => Word::Filter(filter.unwrap_or_default()),
        });
    });
    words
}

/// Function that gets the parts of a command line: the name of an option and its value, or no name
/// and a filter.
pub type EachWord<'a> = dyn FnMut(Option<&str>, Option<&str>) + 'a;

/// Gives the parts of a command line to `each`, as [`words`] returns them.
pub fn each_word(line: &[OsString], each: &mut EachWord<'_>) {
    let mut texts = Vec::new();
    for word in line {
        texts.push(word.to_string_lossy().into_owned());
    }
    let mut only_filters = false;
    let mut rest = texts.as_slice();
    while let [word, behind @ ..] = rest {
        let word = word.as_str();
        rest = behind;
        if only_filters || !is_option(word) {
            each(None, Some(word));
        } else if word == "--" {
            only_filters = true;
        } else if !word.starts_with("--") {
            short(&word[1..], &mut rest, each);
        } else if let Some((name, value)) = word.split_once('=') {
            each(Some(name), Some(value));
        } else {
            each(Some(word), next_value(word, &mut rest));
        }
    }
}

/// Short options may stand in one word, the value of the last as well.
fn short(letters: &str, rest: &mut &[String], each: &mut EachWord<'_>) {
    let mut letters = letters.chars();
    while let Some(letter) = letters.next() {
        let name = format!("-{letter}");
        let glued = letters.as_str();
        let value = match takes(&name) {
            Some(Takes::Word) if glued.is_empty() => next_value(&name, rest),
            Some(Takes::Word) => {
                // All that is left of the word is the value.
                letters = "".chars();
                Some(glued.strip_prefix("=").unwrap_or(glued))
            }
            _ => None,
        };
        each(Some(&name), value);
    }
}

/// Takes the next word, if it is the value of this option.
fn next_value<'a>(option: &str, rest: &mut &'a [String]) -> Option<&'a str> {
    let [word, behind @ ..] = *rest else {
        return None;
    };
    let is_value = match takes(option) {
        // Arguments of other programs begin with a dash.
        Some(Takes::Word) => !is_option(word) || option.ends_with("-args"),
        Some(Takes::MaybeWord) => !is_option(word),
        Some(Takes::Nothing) | None => false,
    };
    if !is_value {
        return None;
    }
    *rest = behind;
    Some(word)
}

fn is_option(word: &str) -> bool {
    word.starts_with("-") && word != "-"
}

/// One of the two streams that a program writes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Streams of benchmarks that are shown, by `--nocapture`.
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
    /// Is this stream shown?
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
        match yes_or_no(text) {
            Ok(true) => Ok(Self::Both),
            Ok(false) => Ok(Self::None),
            Err(_) => match text.to_ascii_lowercase().as_str() {
                "stdout" => Ok(Self::Stdout),
                "stderr" => Ok(Self::Stderr),
                _ => Err("expected `yes`, `no`, `stdout` or `stderr`"),
            },
        }
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
}
