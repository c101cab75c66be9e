//! The command line as Criterion spells it, in words of iai-callgrind.
//!
//! Options of both have the same meaning, or get it here; those of Criterion alone have no effect,
//! which is reported; those of iai-callgrind alone are passed on.

use std::ffi::OsString;

use iai_callgrind::protocol::options::{self, Takes};

use crate::{filter, ignored};

/// Exit code of a wrong command line.
const USAGE: i32 = 2;

/// Effect of an option of Criterion.
#[derive(Debug, Clone, Copy)]
enum Effect {
    /// The option of this name, with its value.
    Same(&'static str),
    /// None, and it has no value.
    None,
    /// None, and it has a value.
    NoneWithValue,
    /// A format of Criterion has none, others are ours.
    Format,
}

const OPTIONS: &[(&str, Effect)] = &[
    ("--baseline", Effect::Same("--baseline")),
    ("--baseline-lenient", Effect::Same("--baseline-lenient")),
    ("--color", Effect::Same("--color")),
    ("--confidence-level", Effect::NoneWithValue),
    ("--discard-baseline", Effect::None),
    ("--load-baseline", Effect::Same("--load-baseline")),
    ("--measurement-time", Effect::NoneWithValue),
    ("--noise-threshold", Effect::NoneWithValue),
    ("--noplot", Effect::None),
    ("--nresamples", Effect::NoneWithValue),
    ("--output-format", Effect::Format),
    ("--plotting-backend", Effect::NoneWithValue),
    ("--profile-time", Effect::NoneWithValue),
    ("--quick", Effect::None),
    ("--sample-size", Effect::NoneWithValue),
    ("--save-baseline", Effect::Same("--save-baseline")),
    ("--significance-level", Effect::NoneWithValue),
    ("--verbose", Effect::None),
    ("--warm-up-time", Effect::NoneWithValue),
    ("-b", Effect::Same("--baseline")),
    ("-c", Effect::Same("--color")),
    ("-n", Effect::None),
    ("-s", Effect::Same("--save-baseline")),
    ("-v", Effect::None),
];

/// The words of iai-callgrind for a command line; ends the process if a filter has no equivalent.
pub(crate) fn ours(words: Vec<OsString>) -> Vec<OsString> {
    let line = Line::of(words);
    for name in &line.ignored {
        ignored::setting(name);
    }
    let has = |name: &str| line.words.iter().any(|word| word == name);
    let measures = has("--bench")
        && !["--list", "--test", "--quiet", "-q", "--help", "-h"]
            .into_iter()
            .any(has);
    if measures {
        ignored::will_tell();
    }
    if let Some(mistake) = line.mistake {
        eprintln!("error: {mistake}");
        std::process::exit(USAGE);
    }
    line.words
}

#[derive(Debug, Default)]
struct Line {
    words: Vec<OsString>,
    ignored: Vec<String>,
    mistake: Option<String>,
}

impl Line {
    fn of(words: Vec<OsString>) -> Self {
        let mut line = Self::default();
        // Looked for first: it holds for filters before it as well.
        let is_exact = words.iter().any(|word| word == "--exact");
        let mut rest = words.into_iter().peekable();
        let mut only_filters = false;
        while let Some(word) = rest.next() {
            let Some(text) = word.to_str() else {
                line.words.push(word);
                continue;
            };
            if only_filters || !text.starts_with('-') || text == "-" {
                line.filter(text, is_exact);
                continue;
            }
            if text == "--" {
                // Kept on the line, since filters behind it may begin with a dash.
                only_filters = true;
                line.words.push(word);
                continue;
            }
            let (name, glued) = parts(text);
            let effect = OPTIONS.iter().find(|(known, _)| *known == name);
            let mut value = |takes: bool| match (&glued, takes) {
                (Some(value), _) => Some(OsString::from(value)),
                (None, true) => rest.next(),
                (None, false) => None,
            };
            match effect.map(|(_, effect)| *effect) {
                Some(Effect::None) => line.ignored.push(name.to_owned()),
                Some(Effect::NoneWithValue) => {
                    // Left on the line it would be a filter.
                    value(true);
                    line.ignored.push(name.to_owned());
                }
                Some(Effect::Same(ours)) => line.option(ours, value(true)),
                Some(Effect::Format) => match value(true) {
                    Some(format) if format == "criterion" => {}
                    Some(format) if format == "bencher" => {
                        line.ignored.push("--output-format=bencher".to_owned());
                    }
                    format => line.option(name, format),
                },
                None => {
                    let takes = match (glued, options::takes(name)) {
                        (None, Some(Takes::Word)) => true,
                        (None, Some(Takes::MaybeWord)) => {
                            let next = rest.peek().and_then(|next| next.to_str());
                            next.is_some_and(|next| !next.starts_with('-'))
                        }
                        _ => false,
                    };
                    line.words.push(word);
                    if takes {
                        line.words.extend(rest.next());
                    }
                }
            }
        }
        line
    }

    /// An option with its value. Without one the runner reports the mistake.
    fn option(&mut self, name: &str, value: Option<OsString>) {
        let mut word = OsString::from(name);
        if let Some(value) = value {
            word.push("=");
            word.push(value);
        }
        self.words.push(word);
    }

    fn filter(&mut self, text: &str, is_exact: bool) {
        if is_exact {
            self.words.push(text.into());
            return;
        }
        match filter::filters(text) {
            Ok(filters) => self.words.extend(filters.into_iter().map(OsString::from)),
            Err(mistake) => self.mistake = Some(mistake),
        }
    }
}

/// Name of an option, and the value in the same word: `--color=never`, `-cnever`.
fn parts(word: &str) -> (&str, Option<&str>) {
    if let Some((name, value)) = word.split_once('=') {
        return (name, Some(value));
    }
    match word.char_indices().nth(2) {
        Some((at, _)) if !word.starts_with("--") => {
            let (name, value) = word.split_at(at);
            // Letters of other options may follow those without a value.
            let is_ours = OPTIONS
                .iter()
                .any(|(known, effect)| *known == name && matches!(effect, Effect::Same(_)));
            match is_ours {
                true => (name, Some(value)),
                false => (word, None),
            }
        }
        _ => (word, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, words: &str, ignored: &[&str]) {
        let line = Line::of(line.split_whitespace().map(OsString::from).collect());
        assert_eq!(line.mistake, None);
        let found: Vec<&str> = line
            .words
            .iter()
            .map(|word| word.to_str().unwrap())
            .collect();
        assert_eq!(found.join(" "), words);
        assert_eq!(line.ignored, ignored);
    }

    #[test]
    fn options_of_both_stay() {
        check(
            "--bench --exact a+ --test --list",
            "--bench --exact a+ --test --list",
            &[],
        );
        check("--format terse --quiet", "--format terse --quiet", &[]);
        check("--save-baseline main x", "--save-baseline=main x", &[]);
        check("-s main -b=old", "--save-baseline=main --baseline=old", &[]);
        check("-bold --color never", "--baseline=old --color=never", &[]);
        check("--baseline-lenient a", "--baseline-lenient=a", &[]);
        check(
            "--load-baseline a --baseline b",
            "--load-baseline=a --baseline=b",
            &[],
        );
        check("--output-format criterion", "", &[]);
    }

    #[test]
    fn options_of_criterion_alone_have_no_effect() {
        check("--sample-size 10 name", "name", &["--sample-size"]);
        check("--quick -n -v", "", &["--quick", "-n", "-v"]);
        check(
            "--warm-up-time=1 --noplot",
            "",
            &["--warm-up-time", "--noplot"],
        );
        check("--output-format bencher", "", &["--output-format=bencher"]);
    }

    #[test]
    fn options_of_ours_pass() {
        check(
            "--callgrind-limits ir=5% sort",
            "--callgrind-limits ir=5% sort",
            &[],
        );
        check(
            "--parallel 2 --parallel --home=x",
            "--parallel 2 --parallel --home=x",
            &[],
        );
        check("--output-format json", "--output-format=json", &[]);
        check("--unknown word", "--unknown word", &[]);
    }

    #[test]
    fn filters_are_regular_expressions() {
        check("^sort a|b", "sort* a b", &[]);
        check("-- -x", "-- -x", &[]);
        let line = Line::of(vec!["a+".into()]);
        assert!(line.mistake.unwrap().contains("`a+`"));
    }
}
