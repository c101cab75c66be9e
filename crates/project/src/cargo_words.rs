//! Words for `cargo bench`, without those that select targets and packages.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Options that select targets.
const TARGETS: [&str; 6] = [
    "--all-targets",
    "--benches",
    "--bins",
    "--examples",
    "--lib",
    "--tests",
];

/// Options that select targets by the name behind them.
const NAMED_TARGETS: [&str; 4] = ["--bench", "--bin", "--example", "--test"];

/// Options that select packages.
const PACKAGES: [&str; 2] = ["--all", "--workspace"];

/// Options that select packages by the name behind them.
const NAMED_PACKAGES: [&str; 3] = ["--exclude", "--package", "-p"];

/// The options of `NAMED_PACKAGES` that cargo refuses if there is no such package.
const SELECTED_PACKAGES: [&str; 2] = ["--package", "-p"];

/// The option that selects bench targets by name.
const SELECTED_BENCHES: [&str; 1] = ["--bench"];

/// Options that the runner sets itself, to build and to run.
const OWN: [&str; 2] = ["--no-fail-fast", "--no-run"];

/// Does a word select targets?
#[must_use]
pub fn selects_targets(words: &[OsString]) -> bool {
    words.iter().any(|word| {
        let word = word.to_string_lossy();
        TARGETS.contains(&&*word)
            || NAMED_TARGETS.contains(&&*word)
            || has_value(&word, &NAMED_TARGETS)
    })
}

/// The words without those that select targets.
#[must_use]
pub fn without_targets(words: &[OsString]) -> Vec<OsString> {
    let mut alone = TARGETS.to_vec();
    alone.extend(OWN);
    without(words, &alone, &NAMED_TARGETS)
}

/// The words without those that select packages.
#[must_use]
pub fn without_packages(words: &[OsString]) -> Vec<OsString> {
    without(words, &PACKAGES, &NAMED_PACKAGES)
}

/// The words without the directory of builds.
#[must_use]
pub fn without_target_directory(words: &[OsString]) -> Vec<OsString> {
    without(words, &[], &["--target-dir"])
}

/// The words with another manifest where they name one: `other` has the path of it, if it is to be
/// replaced.
#[must_use]
pub fn with_manifest(
    words: &[OsString],
    other: impl Fn(&Path) -> Option<PathBuf>,
) -> Vec<OsString> {
    let mut is_value = false;
    let replaced = words.iter().map(|word| {
        let text = word.to_string_lossy();
        let attached = attached(&text, &["--manifest-path"]);
        let manifest = match (is_value, attached) {
            (true, _) => other(Path::new(word)).map(PathBuf::into_os_string),
            (false, Some(path)) => other(Path::new(path)).map(|path| {
                let mut word = OsString::from("--manifest-path=");
                word.push(path);
                word
            }),
            (false, None) => None,
        };
        is_value = text == "--manifest-path";
        manifest.unwrap_or_else(|| word.clone())
    });
    replaced.collect()
}

/// Names that one of these options selects, such as `a` and `b` in `-p a --package=b`.
fn names(words: &[OsString], options: &[&str]) -> Vec<String> {
    let mut names = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        if options.contains(&&*text) {
            let value = words.next_if(|next| !starts_with_dash(next));
            names.extend(value.map(|value| value.to_string_lossy().into_owned()));
        } else {
            names.extend(attached(&text, options).map(str::to_owned));
        }
    }
    names
}

/// Leaves out options, and those with a value: `--bench name`, `--bench=name` and, of short ones,
/// `-pname`.
fn without(words: &[OsString], alone: &[&str], with_value: &[&str]) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        if with_value.contains(&&*text) {
            // Cargo takes `--bench` without a name for a question; the next option is none.
            let is_value = |next: &&OsString| !starts_with_dash(next);
            words.next_if(is_value);
        } else if !alone.contains(&&*text) && !has_value(&text, with_value) {
            kept.push(word.clone());
        }
    }
    kept
}

fn has_value(word: &str, options: &[&str]) -> bool {
    attached(word, options).is_some()
}

/// The value in the word of one of these options: `b` in `--bench=b` and, of short ones, in `-pb`.
fn attached<'a>(word: &'a str, options: &[&str]) -> Option<&'a str> {
    options.iter().find_map(|option| {
        let rest = word.strip_prefix(option).filter(|rest| !rest.is_empty())?;
        match rest.strip_prefix('=') {
            None if option.starts_with("--") => None,
            value => Some(value.unwrap_or(rest)),
        }
    })
}

fn starts_with_dash(word: &OsStr) -> bool {
    word.as_encoded_bytes().starts_with(b"-")
}

/// Packages and bench targets that words select by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SelectedNames {
    /// Names behind `-p` and `--package`.
    pub packages: Vec<String>,
    /// Names behind `--bench`.
    pub benches: Vec<String>,
}

impl SelectedNames {
    /// Returns the names in words for `cargo bench`. Patterns, versions and addresses are no names:
    /// cargo resolves them.
    #[must_use]
    pub fn of(words: &[OsString]) -> Self {
        let plain = |mut names: Vec<String>| {
            let is_part = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
            names.retain(|name| !name.is_empty() && name.chars().all(is_part));
            names
        };
        Self {
            packages: plain(names(words, &SELECTED_PACKAGES)),
            benches: plain(names(words, &SELECTED_BENCHES)),
        }
    }

    /// The words without options that select one of these names.
    #[must_use]
    pub fn removed_from(&self, words: &[OsString]) -> Vec<OsString> {
        let mut kept = Vec::new();
        let mut words = words.iter().peekable();
        while let Some(word) = words.next() {
            let text = word.to_string_lossy();
            let next = words.peek().map(|next| next.to_string_lossy());
            let selects = |options: &[&str], names: &[String]| {
                let is_named = |value: &str| names.iter().any(|name| name == value);
                match options.contains(&&*text) {
                    true => next.as_deref().is_some_and(is_named).then_some(true),
                    false => attached(&text, options)
                        .filter(|it| is_named(it))
                        .map(|_| false),
                }
            };
            let found = selects(&SELECTED_PACKAGES, &self.packages)
                .or_else(|| selects(&SELECTED_BENCHES, &self.benches));
            match found {
                Some(true) => drop(words.next()),
                Some(false) => {}
                None => kept.push(word.clone()),
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn targets_are_left_out_in_all_their_forms() {
        let check = |line, rest| assert_eq!(without_targets(&words(line)), words(rest));
        check("", "");
        check("--benches --features a", "--features a");
        check("--bench one -p two --bench=three", "-p two");
        check("--bench --locked", "--locked");
        check("--no-fail-fast --no-run --lib -j 2", "-j 2");
        check("--benchmark", "--benchmark");
    }

    #[test]
    fn a_selection_of_targets_is_seen() {
        for line in ["--benches", "--bench a", "-p a --bench=b", "--test x"] {
            assert!(selects_targets(&words(line)), "{line}");
        }
        for line in ["", "-p bench", "--benchmark --workspace"] {
            assert!(!selects_targets(&words(line)), "{line}");
        }
    }

    #[test]
    fn packages_are_left_out_in_all_their_forms() {
        let check = |line, rest| assert_eq!(without_packages(&words(line)), words(rest));
        check("--workspace --exclude a --profile p", "--profile p");
        check("-p a -pb --package=c --package d --all", "");
        check("--profile p --all-features", "--profile p --all-features");
    }

    #[test]
    fn names_are_found_and_left_out_in_all_their_forms() {
        let line =
            "-p a -pb --package=c --package d --exclude e --bench x --bench=y -p f* -p g@1.0 -F z";
        let names = SelectedNames::of(&words(line));
        assert_eq!(names.packages, ["a", "b", "c", "d"]);
        assert_eq!(names.benches, ["x", "y"]);
        let some = SelectedNames {
            packages: vec!["b".to_owned(), "d".to_owned(), "e".to_owned()],
            benches: vec!["x".to_owned(), "a".to_owned()],
        };
        let rest = "-p a --package=c --exclude e --bench=y -p f* -p g@1.0 -F z";
        assert_eq!(some.removed_from(&words(line)), words(rest));
        assert_eq!(names.removed_from(&words("--bench")), words("--bench"));
    }

    #[test]
    fn a_manifest_is_replaced_in_both_forms() {
        let moved = |path: &Path| Some(Path::new("/b").join(path.strip_prefix("/a").ok()?));
        let check =
            |line, expected| assert_eq!(with_manifest(&words(line), moved), words(expected));
        check(
            "--manifest-path /a/c -p /a/c",
            "--manifest-path /b/c -p /a/c",
        );
        check("--manifest-path=/a/c", "--manifest-path=/b/c");
        check("--manifest-path d/c -p a", "--manifest-path d/c -p a");
        let rest = without_target_directory(&words("--target-dir x -p a --target-dir=y"));
        assert_eq!(rest, words("-p a"));
    }
}
