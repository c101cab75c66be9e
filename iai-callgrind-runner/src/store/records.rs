//! The records of a run: written one after the other beside the results, and put in the place of those of the run
//! before in one step.

#![expect(
    clippy::disallowed_methods,
    reason = "this stage renames; nobody else does it to results"
)]

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{history, HistoryAddition, Slot, Store, WorkDirectory};
use crate::error::{FileContext, Result};

/// Name of the records of the last run of a bench file.
pub const RECORDS: &str = "results.jsonl";

/// Records of a run that is under way. The ones of the run before stay until these are kept.
#[derive(Debug)]
pub struct NewRecords {
    file: BufWriter<File>,
    /// The private directory of the file.
    work: WorkDirectory,
    /// The directory of the bench file.
    directory: PathBuf,
    /// The baseline that the run saves.
    baseline: Slot,
    /// The first failure to write; nothing is written after it.
    failed: Option<io::Error>,
}

/// The records of a run in their place.
#[derive(Debug)]
pub struct RecordsInPlace {
    work: WorkDirectory,
    directory: PathBuf,
}

impl RecordsInPlace {
    /// Adds the run to the history of the bench file. `decide` says how, from the lines that are there.
    ///
    /// # Errors
    ///
    /// The history cannot be read or written. The run is missing there, and nothing else.
    pub fn add_to_history(&self, decide: impl FnOnce(&[u8]) -> HistoryAddition) -> Result<()> {
        history::add(&self.directory, self.work.path(), decide)
    }
}

impl Store {
    /// The path of the records of the last run.
    pub fn records(&self) -> PathBuf {
        self.records_of(&Slot::Last)
    }

    /// The path of the records of the last run, or of the one that saved a baseline.
    pub fn records_of(&self, slot: &Slot) -> PathBuf {
        self.directory.join(slot.file(RECORDS))
    }

    /// Records of a run that writes its results into a slot.
    ///
    /// # Errors
    ///
    /// No file can be made.
    pub fn new_records(&self, slot: &Slot) -> Result<NewRecords> {
        let work = self.work_directory()?;
        let path = work.path().join(RECORDS);
        let file = File::create(&path).context("create", &path)?;
        Ok(NewRecords {
            file: BufWriter::with_capacity(64 << 10, file),
            work,
            directory: self.directory.clone(),
            baseline: slot.clone(),
            failed: None,
        })
    }
}

impl NewRecords {
    /// Adds a record, which is a line. What goes wrong is told at the end: the run goes on.
    pub fn add(&mut self, line: io::Result<Vec<u8>>) {
        if self.failed.is_none() {
            let written = line.and_then(|line| self.file.write_all(&line));
            self.failed = written.err();
        }
    }

    /// Puts the records in the place of those of the last run, and beside them for the baseline, if the run saved one.
    ///
    /// # Errors
    ///
    /// They cannot be written. Those of the run before stay.
    pub fn keep(mut self) -> Result<RecordsInPlace> {
        let path = self.work.path().join(RECORDS);
        let failed = self.failed.take().map_or(Ok(()), Err);
        let written = failed.and_then(|()| self.file.flush());
        written.context("write", &path)?;
        let mut moves = vec![(path.clone(), Slot::Last)];
        if self.baseline != Slot::Last {
            let copy = self.work.path().join("baseline");
            fs::copy(&path, &copy).context("write", &copy)?;
            moves.insert(0, (copy, self.baseline.clone()));
        }
        for (new, slot) in &moves {
            let place = self.directory.join(slot.file(RECORDS));
            replace(new, &place)?;
        }
        Ok(RecordsInPlace {
            work: self.work,
            directory: self.directory,
        })
    }
}

fn replace(new: &Path, place: &Path) -> Result<()> {
    fs::rename(new, place).context("replace", place)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn store(home: &Path) -> Store {
        Store::open(home, "package", "bench", |owner| {
            panic!("{owner} has the lock")
        })
        .unwrap()
    }

    fn names(directory: &Path) -> Vec<String> {
        let names = fs::read_dir(directory).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| name != ".lock").collect();
        names.sort();
        names
    }

    fn line(text: &str) -> io::Result<Vec<u8>> {
        Ok(format!("{text}\n").into_bytes())
    }

    #[test]
    fn records_replace_those_of_the_run_before_at_the_end() {
        let home = tempfile::tempdir().unwrap();
        let store = store(home.path());
        for run in ["1", "2"] {
            let mut records = store.new_records(&Slot::Last).unwrap();
            let before = fs::read_to_string(store.records()).unwrap_or_default();
            records.add(line(run));
            records.add(line("run"));
            assert_eq!(
                fs::read_to_string(store.records()).unwrap_or_default(),
                before
            );
            records.keep().unwrap();
            let now = fs::read_to_string(store.records()).unwrap();
            assert_eq!(now, format!("{run}\nrun\n"));
        }
        assert_eq!(names(&home.path().join("package/bench")), [RECORDS]);
    }

    #[test]
    fn a_baseline_has_records_that_later_runs_leave_alone() {
        let home = tempfile::tempdir().unwrap();
        let store = store(home.path());
        for (slot, text) in [
            (Slot::Named("main".to_owned()), "saved"),
            (Slot::Last, "later"),
        ] {
            let mut records = store.new_records(&slot).unwrap();
            records.add(line(text));
            records.keep().unwrap();
            assert_eq!(
                fs::read_to_string(store.records()).unwrap(),
                format!("{text}\n")
            );
        }
        let directory = home.path().join("package/bench");
        assert_eq!(names(&directory), [RECORDS, "results.jsonl.base@main"]);
        let saved = fs::read_to_string(directory.join("results.jsonl.base@main")).unwrap();
        assert_eq!(saved, "saved\n");
    }

    #[test]
    fn records_that_cannot_be_written_leave_the_old_ones() {
        let home = tempfile::tempdir().unwrap();
        let store = store(home.path());
        fs::write(store.records(), "old").unwrap();
        let mut records = store.new_records(&Slot::Last).unwrap();
        records.add(Err(io::Error::other("no space")));
        records.add(line("after it"));
        let error = records.keep().unwrap_err();
        assert!(error.to_string().starts_with("cannot write `"), "{error}");
        assert_eq!(fs::read_to_string(store.records()).unwrap(), "old");
        // Nobody ended this one.
        drop(store.new_records(&Slot::Last).unwrap());
        assert_eq!(names(&home.path().join("package/bench")), [RECORDS]);
    }

    #[test]
    fn a_link_is_replaced_and_not_followed() {
        let (home, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let store = store(home.path());
        let victim = elsewhere.path().join("victim");
        fs::write(&victim, "theirs").unwrap();
        symlink(&victim, store.records()).unwrap();
        let mut records = store.new_records(&Slot::Last).unwrap();
        records.add(line("ours"));
        records.keep().unwrap();
        assert_eq!(fs::read_to_string(&victim).unwrap(), "theirs");
        assert_eq!(fs::read_to_string(store.records()).unwrap(), "ours\n");
    }
}
