//! The options of `bench` about another revision.
//!
//! Words for cargo stand among them, and clap takes all words behind the first of those for
//! cargo's. So [`first`] puts ours to the front.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::results::{export, ComparisonExport};
use report::ComparisonFormat;

/// Our options with the most words behind them.
const OURS: [(&str, usize); 10] = [
    ("--base", 0),
    ("--benches", 0),
    ("--bisect", 2),
    ("--branch", 1),
    ("--export", 1),
    ("--format", 1),
    ("--prune", 0),
    ("--remeasure", 0),
    ("--require-comparable", 0),
    ("--with", 1),
];

/// The options that name another revision, of which the others tell more.
const ANOTHER: &str = "another_revision";

/// Another revision to compare with.
#[derive(Debug, Clone, Default, Args)]
pub struct BaseOptions {
    /// Measure this revision too, and compare with it [default: the commit where the branch left
    /// the default branch]
    #[arg(
        long,
        value_name = "REV",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        group = ANOTHER,
        conflicts_with = "exe"
    )]
    pub base: Option<String>,
    /// Measure the base with the bench files of the branch (`=mine`); without a value it is cargo's
    #[arg(
        long,
        value_name = "WHOSE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        value_parser = ["mine", ""],
        hide_possible_values = true,
        requires_if("mine", ANOTHER)
    )]
    pub benches: Option<String>,
    /// Measure both sides with this command of the shell, such as a script, in place of the bench
    /// files that cargo selects; `"$@"` are the words after `--`
    #[arg(long, value_name = "COMMAND", requires = ANOTHER, conflicts_with = "cargo")]
    pub with: Option<OsString>,
    /// Results of the branch, as `compare` takes them, in place of measuring it
    #[arg(long, value_name = "RESULTS", requires = "base")]
    pub branch: Option<PathBuf>,
    /// Measure the base again, even if its results are kept
    #[arg(long, requires = ANOTHER)]
    pub remeasure: bool,
    /// Find the first commit after GOOD, up to BAD, that exceeds a limit [default for BAD: HEAD]
    #[arg(
        long,
        value_names = ["GOOD", "BAD"],
        num_args = 1..=2,
        group = ANOTHER,
        conflicts_with_all = ["base", "exe"]
    )]
    pub bisect: Vec<String>,
    /// Remove the worktree, builds and results of all bases of this project
    #[arg(long, conflicts_with_all = ["base", "bisect", "exe"])]
    pub prune: bool,
    /// Write this format to stdout, as `compare` does; with `--base`
    #[arg(long, value_enum, default_value_t, hide_default_value = true, requires = ANOTHER)]
    pub format: ComparisonFormat,
    /// Write a file in this format as well, as `compare` does; with `--base`, can be repeated
    #[arg(long, value_name = "FORMAT=FILE", value_parser = export, requires = ANOTHER)]
    pub export: Vec<ComparisonExport>,
    /// Exit with 4 if the results are not comparable because conditions differ; with `--base`
    #[arg(long, requires = ANOTHER)]
    pub require_comparable: bool,
}

impl BaseOptions {
    /// Is another revision measured, or removed?
    pub fn is_asked(&self) -> bool {
        self.base.is_some() || !self.bisect.is_empty() || self.prune
    }

    /// The revision. `None`: it is found by the branch.
    pub fn revision(&self) -> Option<&str> {
        self.base.as_deref().filter(|revision| !revision.is_empty())
    }

    /// Do the bench files of the branch measure the base?
    pub fn lays_mine(&self) -> bool {
        self.benches.as_deref() == Some("mine")
    }

    /// Cargo's `--benches`.
    pub fn cargo_word(&self) -> Option<OsString> {
        let is_of_cargo = self.benches.as_deref() == Some("");
        is_of_cargo.then(|| "--benches".into())
    }
}

/// The words after `bench` with our options before those of cargo.
pub(super) fn first(words: Vec<OsString>) -> Vec<OsString> {
    let (mut ours, mut rest) = (Vec::new(), Vec::new());
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy().into_owned();
        let (name, has_value) = match text.split_once('=') {
            Some((name, _)) => (name, true),
            None => (text.as_str(), false),
        };
        let Some((_, most)) = OURS.into_iter().find(|(ours, _)| *ours == name) else {
            rest.push(word);
            continue;
        };
        ours.push(word);
        for _ in usize::from(has_value)..most {
            ours.extend(words.next_if(|next| !next.as_encoded_bytes().starts_with(b"-")));
        }
    }
    ours.extend(rest);
    ours
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_options_come_first_with_their_words() {
        fn words(line: &str) -> Vec<OsString> {
            line.split_whitespace().map(OsString::from).collect()
        }
        let check = |line: &str, expected: &str| assert_eq!(first(words(line)), words(expected));
        check("-p a --base", "--base -p a");
        check("-p a --base=v1 --features x", "--base=v1 -p a --features x");
        check(
            "--benches -p a --benches=mine",
            "--benches --benches=mine -p a",
        );
        check(
            "-p a --export markdown=a.md x",
            "--export markdown=a.md -p a x",
        );
        check(
            "-p a --export=markdown=a.md x",
            "--export=markdown=a.md -p a x",
        );
        check("-p a --bisect v1 HEAD -F x", "--bisect v1 HEAD -p a -F x");
        check("-p a --bisect v1 -F x", "--bisect v1 -p a -F x");
        check("--bisect=v1 v2 -p a", "--bisect=v1 v2 -p a");
        check("--baseline a", "--baseline a");
    }
}
