//! What becomes of the files of a directory, in whatever state a replacement was left.

#![expect(clippy::disallowed_methods, reason = "files of the tests")]

mod names;
mod refused;
mod stopped;

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::super::rotation::Rotation;
use super::super::{pending, FileName, Slot};
use super::{collect, finish, NewFile, NewResult, Replacement, NOTE, PENDING};
use crate::error::Result;
use crate::listed_directory::{list, Listed};
use crate::tool::Tool;

/// The content of a directory, empty if there is none.
fn present(directory: &Path) -> Vec<Listed> {
    list(directory).unwrap_or_default()
}

fn names(directory: &Path) -> Vec<String> {
    let listed = present(directory).into_iter();
    listed.map(|listed| listed.name).collect()
}

/// A directory whose files hold their generation.
struct Generations(tempfile::TempDir);

impl Generations {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn entry(&self) -> PathBuf {
        self.0.path().join("entry")
    }

    /// Prepares what `collect` is given.
    fn new_files(&self, names: &[&str], text: &str) -> (Vec<TempDir>, Vec<NewFile>) {
        let work = tempfile::tempdir_in(self.0.path()).unwrap();
        let files = names.iter().map(|name| {
            let path = work.path().join(format!("raw-{name}"));
            fs::write(&path, text).unwrap();
            NewFile {
                path,
                name: (*name).to_owned(),
            }
        });
        let files = files.collect();
        (vec![work], files)
    }

    fn replace(&self, names: &[&str], text: &str) {
        self.replace_in(&Slot::Last, names, text);
    }

    fn replace_in(&self, slot: &Slot, names: &[&str], text: &str) {
        let (work, files) = self.new_files(names, text);
        let mut replacement = self.collect(slot, work, &files).unwrap();
        replacement.tidy().unwrap();
        replacement.decide().unwrap();
        replacement.carry_out().unwrap();
    }

    fn collect(&self, slot: &Slot, work: Vec<TempDir>, files: &[NewFile]) -> Result<Replacement> {
        let result = NewResult {
            slot,
            tools: &[Tool::Callgrind],
            work,
            files,
            stays: &[],
            left: Vec::new(),
        };
        collect(&self.entry(), &present(&self.entry()), result)
    }

    /// Every file and its text.
    fn state(&self) -> Vec<(String, String)> {
        let names = names(&self.entry());
        let read = |name: &String| fs::read_to_string(self.entry().join(name)).unwrap();
        names
            .iter()
            .map(|name| (name.clone(), read(name)))
            .collect()
    }
}

#[track_caller]
fn check(results: &Generations, expected: &[(&str, &str)]) {
    let expected: Vec<(String, String)> = expected
        .iter()
        .map(|(n, t)| ((*n).to_owned(), (*t).to_owned()))
        .collect();
    assert_eq!(results.state(), expected);
}
