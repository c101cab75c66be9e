//! The baselines that results were kept under, by the names of files.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use super::Store;
use ::records::layout::{FileName, Slot, RECORDS};
use base::file_operation::{FileContext, FileResult};
use base::listed_directory::{list, Listed, ListedKind};

impl Store {
    /// The bench file of the results: `package file`.
    #[must_use]
    pub fn bench_file(&self) -> String {
        let below = self.directory.strip_prefix(&self.home);
        let names = below.unwrap_or(&self.directory).components();
        let names = names.map(|name| name.as_os_str().to_string_lossy());
        names.collect::<Vec<_>>().join(" ")
    }

    /// Does the bench file have any result in this baseline?
    ///
    /// # Errors
    ///
    /// A directory of results cannot be listed.
    pub fn has_baseline(&self, name: &str) -> FileResult<bool> {
        let records = self.records_of(&Slot::Named(name.to_owned()));
        // Homes of earlier versions have no records.
        Ok(records.is_file() || self.baselines()?.contains(name))
    }

    /// The names of all baselines with a result of the bench file.
    ///
    /// # Errors
    ///
    /// A directory of results cannot be listed.
    pub fn baselines(&self) -> FileResult<BTreeSet<String>> {
        let mut names = BTreeSet::new();
        for group in directories(&self.directory)? {
            let group = self.directory.join(group);
            for benchmark in directories(&group)? {
                let files = listed(&group.join(benchmark))?;
                let found = files
                    .iter()
                    .filter_map(|file| FileName::baseline(&file.name));
                names.extend(found.map(str::to_owned));
            }
        }
        Ok(names)
    }

    /// The bench files of this home that keep records in a baseline: `package file`.
    ///
    /// # Errors
    ///
    /// A directory of results cannot be listed.
    pub fn bench_files_with(&self, baseline: &str) -> FileResult<Vec<String>> {
        let records = Slot::Named(baseline.to_owned()).file(RECORDS);
        let mut found = Vec::new();
        for package in directories(&self.home)? {
            let directory = self.home.join(&package);
            for file in directories(&directory)? {
                if directory.join(&file).join(&records).is_file() {
                    found.push(format!("{package} {file}"));
                }
            }
        }
        Ok(found)
    }
}

/// The directories below a directory. Private ones begin with a dot.
fn directories(directory: &Path) -> FileResult<Vec<String>> {
    let mut listed = listed(directory)?;
    listed.retain(|it| it.kind == ListedKind::Directory && !it.name.starts_with('.'));
    Ok(listed.into_iter().map(|it| it.name).collect())
}

/// The content of a directory; empty if another run has just removed it.
fn listed(directory: &Path) -> FileResult<Vec<Listed>> {
    let listed = list(directory).or_else(|error| match error.kind() {
        io::ErrorKind::NotFound => Ok(Vec::new()),
        _ => Err(error),
    });
    listed.context("list", directory)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn baselines_are_those_of_files_that_we_keep() {
        let home = tempfile::tempdir().unwrap();
        let open = |file| Store::open(home.path(), "package", file, |_| ()).unwrap();
        let store = open("bench");
        let benchmark = home.path().join("package/bench/a/b/f.id");
        let benchmark = benchmark.parent().unwrap();
        fs::create_dir_all(benchmark).unwrap();
        for name in [
            "callgrind.f.out.base@main",
            "summary.json.base@v1",
            // Not ours, and of no baseline.
            "notes.base@other",
            "callgrind.f.out",
            "callgrind.f.out.old",
            "callgrind.f.total.Ir.flamegraph.diff.base@drawn.svg",
        ] {
            fs::write(benchmark.join(name), "").unwrap();
        }
        let names: Vec<String> = store.baselines().unwrap().into_iter().collect();
        assert_eq!(names, ["main", "v1"]);
        for (name, is_there) in [("main", true), ("mian", false), ("other", false)] {
            assert_eq!(store.has_baseline(name).unwrap(), is_there, "{name}");
        }
        assert!(store.bench_files_with("main").unwrap().is_empty());
        let other = open("other");
        fs::write(home.path().join("package/bench/results.jsonl.base@new"), "").unwrap();
        assert!(store.has_baseline("new").unwrap());
        assert!(!other.has_baseline("new").unwrap());
        assert_eq!(other.bench_files_with("new").unwrap(), ["package bench"]);
    }
}
