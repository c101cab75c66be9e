//! Packages and bench targets that the user selects, and another revision lacks.
//!
//! Cargo refuses to build anything if one of several selected names does not exist, which is the
//! rule and not the exception between a branch with a new package and the commit before it.

use std::ffi::OsString;
use std::path::Path;

use base::variables::EnvironmentVariables;
use project::cargo_words::{with_manifest, without_target_directory, SelectedNames};
use project::MetadataQuestion;

use crate::bench_files::{BenchMetadata, BENCH};

/// The words for cargo that a checkout has packages and targets for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseSelection {
    /// The words without names that are not there.
    pub words: Vec<OsString>,
    /// The names that are not there: "no package `a`, no bench target `b`". `None`: all are.
    pub lacks: Option<String>,
    /// Is something left to measure? Without a name cargo would select what nobody asked for.
    pub is_any: bool,
}

impl BaseSelection {
    /// Asks cargo, if words have names, what a checkout has of them. Where cargo cannot read the
    /// project, all words stay: the build says what is wrong.
    #[must_use]
    pub fn of(words: &[OsString], checkout: &Path, environment: &EnvironmentVariables) -> Self {
        let selected = SelectedNames::of(words);
        let is_named = selected != SelectedNames::default();
        let question = MetadataQuestion {
            directory: Some(checkout),
            ..MetadataQuestion::default()
        };
        let metadata = is_named.then(|| question.ask::<BenchMetadata>(environment));
        let Some(Ok(metadata)) = metadata else {
            return Self::in_project(words, &selected, &selected);
        };
        let packages = metadata.packages.iter();
        let targets = packages.clone().flat_map(|package| &package.targets);
        let benches = targets.filter(|target| target.kind == [BENCH]);
        let there = SelectedNames {
            packages: packages.map(|package| package.name.clone()).collect(),
            benches: benches.map(|target| target.name.clone()).collect(),
        };
        Self::in_project(words, &selected, &there)
    }

    /// The words of the user as they hold in a worktree: a manifest in the user's checkout is the
    /// one of the worktree, since the base would be the branch otherwise, and builds are in a
    /// directory of their own.
    #[must_use]
    pub fn moved(words: &[OsString], root: &Path, worktree: &Path) -> Vec<OsString> {
        let moved = |manifest: &Path| {
            let manifest = manifest.is_absolute().then_some(manifest)?;
            let directory = manifest.parent()?.canonicalize().ok()?;
            let below = directory.strip_prefix(root).ok()?;
            Some(worktree.join(below).join(manifest.file_name()?))
        };
        with_manifest(&without_target_directory(words), moved)
    }

    fn in_project(words: &[OsString], selected: &SelectedNames, there: &SelectedNames) -> Self {
        let absent = |selected: &[String], there: &[String]| {
            let names = selected.iter().filter(|name| !there.contains(name));
            names.cloned().collect::<Vec<String>>()
        };
        let lacks = SelectedNames {
            packages: absent(&selected.packages, &there.packages),
            benches: absent(&selected.benches, &there.benches),
        };
        let packages = lacks.packages.iter().map(|it| format!("no package `{it}`"));
        let benches = lacks.benches.iter();
        let benches = benches.map(|it| format!("no bench target `{it}`"));
        let texts: Vec<String> = packages.chain(benches).collect();
        let words = lacks.removed_from(words);
        let left = SelectedNames::of(&words);
        let is_left =
            |selected: &[String], left: &[String]| selected.is_empty() || !left.is_empty();
        Self {
            is_any: is_left(&selected.packages, &left.packages)
                && is_left(&selected.benches, &left.benches),
            words,
            lacks: (!texts.is_empty()).then(|| texts.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn names_that_a_checkout_lacks_are_left_out_and_told() {
        let there = SelectedNames {
            packages: vec!["a".to_owned(), "b".to_owned()],
            benches: vec!["x".to_owned()],
        };
        let check = |line: &str, rest: &str, lacks: Option<&str>, is_any: bool| {
            let words_of_user = words(line);
            let names = SelectedNames::of(&words_of_user);
            let selection = BaseSelection::in_project(&words_of_user, &names, &there);
            assert_eq!(selection.words, words(rest), "{line}");
            assert_eq!(selection.lacks.as_deref(), lacks, "{line}");
            assert_eq!(selection.is_any, is_any, "{line}");
        };
        check("--workspace -F y", "--workspace -F y", None, true);
        check("-p a --bench x", "-p a --bench x", None, true);
        check("-p a -p new", "-p a", Some("no package `new`"), true);
        check("-p new -F y", "-F y", Some("no package `new`"), false);
        let both = Some("no package `new`, no bench target `y`");
        check("-p new -p b --bench y", "-p b", both, false);
    }
}
