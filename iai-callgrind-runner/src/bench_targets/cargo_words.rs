//! Words for `cargo bench`, without those that select targets and packages.

use std::ffi::{OsStr, OsString};

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

/// Options that only [`build`](super::build()) and [`run`](super::run()) set.
const OWN: [&str; 2] = ["--no-fail-fast", "--no-run"];

/// Does a word select targets?
pub(super) fn selects_targets(words: &[OsString]) -> bool {
    words.iter().any(|word| {
        let word = word.to_string_lossy();
        TARGETS.contains(&&*word)
            || NAMED_TARGETS.contains(&&*word)
            || has_value(&word, &NAMED_TARGETS)
    })
}

/// The words without those that select targets.
pub(super) fn without_targets(words: &[OsString]) -> Vec<OsString> {
    let mut alone = TARGETS.to_vec();
    alone.extend(OWN);
    without(words, &alone, &NAMED_TARGETS)
}

/// The words without those that select packages.
pub(super) fn without_packages(words: &[OsString]) -> Vec<OsString> {
    without(words, &PACKAGES, &NAMED_PACKAGES)
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
    options.iter().any(|option| {
        let rest = word.strip_prefix(option);
        rest.is_some_and(|rest| rest.starts_with('=') || !option.starts_with("--"))
    })
}

fn starts_with_dash(word: &OsStr) -> bool {
    word.as_encoded_bytes().starts_with(b"-")
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
}
