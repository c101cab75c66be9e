//! Replacements that are stopped in every state, and the files that are left afterwards.

#![expect(clippy::disallowed_methods, reason = "files of the tests")]

mod names;
mod refused;
mod stopped;

use std::fs;
use std::path::{Path, PathBuf};

use super::super::rotation::Rotation;
use super::super::WorkDirectory;
use super::{collect, finish, note, replace, NewFile, NewResult, Replacement, Unfinished, PENDING};
use ::records::layout::{FileName, Slot};
use base::file_operation::FileResult;
use base::listed_directory::{list, Listed};
use base::tool::Tool;

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

    /// The directory of the bench file.
    fn base(&self) -> &Path {
        self.0.path()
    }

    fn entry(&self) -> PathBuf {
        self.base().join("g/f")
    }

    /// Prepares what `collect` is given.
    fn new_files(&self, names: &[&str], text: &str) -> (Vec<WorkDirectory>, Vec<NewFile>) {
        let work = tempfile::Builder::new()
            .prefix(".work-")
            .tempdir_in(self.base());
        let work = WorkDirectory::from(work.unwrap());
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
        self.carry_out(self.collect(slot, work, &files).unwrap());
    }

    #[track_caller]
    fn carry_out(&self, replacement: Replacement) {
        replace(replacement, &mut Unfinished::default()).unwrap();
    }

    fn collect(
        &self,
        slot: &Slot,
        work: Vec<WorkDirectory>,
        files: &[NewFile],
    ) -> FileResult<Replacement> {
        let result = NewResult {
            slot,
            tools: &[Tool::Callgrind],
            work,
            files,
        };
        collect(self.base(), &self.entry(), &present(&self.entry()), result)
    }

    /// Finishes what was begun; nothing is damaged.
    #[track_caller]
    fn finish(&self) {
        let (unfinished, warning) = finish(self.base()).unwrap();
        assert_eq!(warning, None);
        assert!(unfinished.is_empty(), "{unfinished:?}");
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
