//! The records of a bench file, the index of its results. A run collects its records in a private
//! file, and adds the lines of kept results at the end; then this file replaces the index in one
//! step.

#![expect(
    clippy::disallowed_methods,
    reason = "this stage renames; nobody else does it to results"
)]

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use super::{history, Store, WorkDirectory};
use ::records::layout::HistoryAddition;
use ::records::layout::{LineUse, LinesOfRun, Slot, LONGEST_RECORD, OLD_RECORDS, RECORDS};
use base::file_operation::{FileContext, FileResult};
use base::regular_file;

/// Records of a run that is under way. The kept ones stay as they are until these are kept.
#[derive(Debug)]
pub struct NewRecords {
    file: BufWriter<File>,
    /// The records of the results that those of the run were compared with.
    old: BufWriter<File>,
    /// The private directory of the files.
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
    /// Adds the run to the history of the bench file. `decide` says how, from the lines that are
    /// there.
    ///
    /// # Errors
    ///
    /// The history cannot be read or written. The run is missing there, and nothing else.
    pub fn add_to_history(&self, decide: impl FnOnce(&[u8]) -> HistoryAddition) -> FileResult<()> {
        history::add(&self.directory, self.work.path(), decide)
    }
}

impl Store {
    /// The path of the records of the bench file.
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
    pub fn new_records(&self, slot: &Slot) -> FileResult<NewRecords> {
        let work = self.work_directory()?;
        let create = |name| -> FileResult<_> {
            let path = work.path().join(name);
            let file = File::create(&path).context("create", &path)?;
            Ok(BufWriter::with_capacity(64 << 10, file))
        };
        Ok(NewRecords {
            file: create(RECORDS)?,
            old: create(OLD_RECORDS)?,
            work,
            directory: self.directory.clone(),
            baseline: slot.clone(),
            failed: None,
        })
    }
}

impl NewRecords {
    /// Adds a record, which is a line. An error is reported at the end: the run goes on.
    pub fn add(&mut self, line: io::Result<Vec<u8>>) {
        if self.failed.is_none() {
            let written = line.and_then(|line| self.file.write_all(&line));
            self.failed = written.err();
        }
    }

    /// Adds the record of a result that one of the run was compared with.
    pub fn add_old(&mut self, line: &[u8]) {
        if self.failed.is_none() {
            let written = self.old.write_all(line);
            self.failed = written.and_then(|()| self.old.write_all(b"\n")).err();
        }
    }

    /// Puts the records beside the kept lines that stay, and beside those of the baseline, if the
    /// run saved one.
    ///
    /// # Errors
    ///
    /// The records cannot be written. The kept ones stay as they are.
    pub fn keep(mut self, lines: &dyn LinesOfRun) -> FileResult<RecordsInPlace> {
        let new = self.work.path().join(RECORDS);
        let failed = self.failed.take().map_or(Ok(()), Err);
        let written = failed.and_then(|()| self.file.flush());
        written.context("write", &new)?;
        let mut moves = Vec::new();
        if self.baseline != Slot::Last {
            let name = self.baseline.file(RECORDS);
            let saved = self.work.path().join("saved");
            let kept = self.directory.join(&name);
            with_kept(&new, &kept, &saved, lines, &mut io::sink()).context("write", &saved)?;
            moves.push((saved, name));
        }
        let whole = self.work.path().join("whole");
        let kept = self.directory.join(RECORDS);
        with_kept(&new, &kept, &whole, lines, &mut self.old).context("write", &whole)?;
        let old = self.work.path().join(OLD_RECORDS);
        if self.with_kept_old(lines).context("write", &old)? {
            moves.push((old, OLD_RECORDS.to_owned()));
        }
        // The index comes last: if the runner is killed here, that of before is still complete.
        moves.push((whole, RECORDS.to_owned()));
        for (new, name) in &moves {
            replace(new, &self.directory.join(name))?;
        }
        Ok(RecordsInPlace {
            work: self.work,
            directory: self.directory,
        })
    }

    /// Adds the kept old records that stay. Is there any record, or a file to replace?
    fn with_kept_old(&mut self, lines: &dyn LinesOfRun) -> io::Result<bool> {
        let kept = self.directory.join(OLD_RECORDS);
        let mut gone = Vec::new();
        each_line(&kept, |line| match lines.of_records(line) {
            LineUse::Stays => self.old.write_all(line),
            LineUse::StaysAs(rest) => writeln!(self.old, "{rest}"),
            LineUse::IsOld => {
                gone.push(line.to_owned());
                Ok(())
            }
            LineUse::Goes | LineUse::EndsRun => Ok(()),
        })?;
        self.old.flush()?;
        if !gone.is_empty() {
            // A suite may be measured in parts, each compared with the same build: what is gone
            // stays until the last one was compared with a later build.
            let mut builds = Vec::new();
            each_line(&self.work.path().join(OLD_RECORDS), |line| {
                builds.extend(lines.build(line));
                Ok(())
            })?;
            let is_of_them = |line: &Vec<u8>| {
                let build = lines.build(line);
                build.is_some_and(|build| builds.contains(&build))
            };
            for line in gone.iter().filter(|line| is_of_them(line)) {
                self.old.write_all(line)?;
            }
            self.old.flush()?;
        }
        let is_empty = self.old.get_ref().metadata()?.len() == 0;
        Ok(!is_empty || kept.symlink_metadata().is_ok())
    }
}

/// Writes the kept lines that stay into a file, and the new ones behind them. Old results without a
/// new one go to `old`.
fn with_kept(
    new: &Path,
    kept: &Path,
    whole: &Path,
    lines: &dyn LinesOfRun,
    old: &mut dyn Write,
) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(64 << 10, File::create(whole)?);
    let mut has_line = false;
    each_line(kept, |line| match lines.of_records(line) {
        LineUse::Stays => {
            has_line = true;
            out.write_all(line)
        }
        LineUse::StaysAs(rest) => {
            has_line = true;
            writeln!(out, "{rest}")
        }
        LineUse::EndsRun if std::mem::take(&mut has_line) => out.write_all(line),
        LineUse::IsOld => old.write_all(line),
        LineUse::Goes | LineUse::EndsRun => Ok(()),
    })?;
    io::copy(&mut File::open(new)?, &mut out)?;
    out.flush()
}

/// Calls `each` with the lines of a file; a file that is not there has none, and what is no file is
/// replaced unread.
pub(super) fn each_line(
    path: &Path,
    mut each: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let file = match regular_file::open(path) {
        Ok(file) => file,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Other) => {
            return Ok(())
        }
        Err(error) => return Err(error),
    };
    let mut text = BufReader::with_capacity(64 << 10, file);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut text)
            .take(LONGEST_RECORD)
            .read_until(b'\n', &mut line)?;
        // A run that was killed may have left a partial line at the end.
        if read == 0 || !line.ends_with(b"\n") {
            return Ok(());
        }
        each(&line)?;
    }
}

fn replace(new: &Path, place: &Path) -> FileResult<()> {
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

    /// Keeps lines that begin with one of these letters. An upper-case letter is a result that has
    /// no new one.
    struct ByLetter(&'static str);

    impl LinesOfRun for ByLetter {
        fn of_records(&self, line: &[u8]) -> LineUse {
            match line[0] {
                b'r' => LineUse::EndsRun,
                letter if letter.is_ascii_uppercase() => LineUse::IsOld,
                letter if self.0.as_bytes().contains(&letter) => LineUse::Stays,
                _ => LineUse::Goes,
            }
        }

        fn build(&self, line: &[u8]) -> Option<String> {
            line.get(1).map(|build| char::from(*build).to_string())
        }
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
            records.keep(&ByLetter("")).unwrap();
            let now = fs::read_to_string(store.records()).unwrap();
            assert_eq!(now, format!("{run}\nrun\n"));
        }
        assert_eq!(names(&home.path().join("package/bench")), [RECORDS]);
    }

    fn keep(store: &Store, slot: &Slot, new: &[&str], old: &[&str], stay: &'static str) {
        let mut records = store.new_records(slot).unwrap();
        for text in new {
            records.add(line(text));
        }
        for text in old {
            records.add_old(text.as_bytes());
        }
        records.keep(&ByLetter(stay)).unwrap();
    }

    #[track_caller]
    fn check(home: &Path, name: &str, expected: &str) {
        let text = fs::read_to_string(home.join("package/bench").join(name)).unwrap();
        assert_eq!(text.replace('\n', " ").trim_end(), expected);
    }

    #[test]
    fn lines_stay_with_the_record_of_their_run() {
        let home = tempfile::tempdir().unwrap();
        let store = store(home.path());
        keep(&store, &Slot::Last, &["a1", "b1", "Gone", "run1"], &[], "");
        keep(&store, &Slot::Last, &["a2", "run2"], &["a1"], "b");
        check(home.path(), RECORDS, "b1 run1 a2 run2");
        check(home.path(), OLD_RECORDS, "a1 Gone");
        // No line of the first run is left, and a benchmark is gone only once.
        keep(&store, &Slot::Last, &["b2", "run3"], &["b1"], "a");
        check(home.path(), RECORDS, "a2 run2 b2 run3");
        check(home.path(), OLD_RECORDS, "b1 a1");
    }

    #[test]
    fn what_is_gone_stays_until_all_parts_were_compared_with_a_later_build() {
        let home = tempfile::tempdir().unwrap();
        let store = store(home.path());
        keep(&store, &Slot::Last, &["a1", "b1", "G1", "run1"], &[], "");
        keep(&store, &Slot::Last, &["a2", "run2"], &["a1"], "b");
        check(home.path(), OLD_RECORDS, "a1 G1");
        keep(&store, &Slot::Last, &["b2", "run2"], &["b1"], "a");
        check(home.path(), OLD_RECORDS, "b1 a1 G1");
        keep(&store, &Slot::Last, &["a3", "run3"], &["a2"], "b");
        keep(&store, &Slot::Last, &["b3", "run3"], &["b2"], "a");
        check(home.path(), OLD_RECORDS, "b2 a2");
    }

    #[test]
    fn a_baseline_keeps_what_was_not_measured() {
        let home = tempfile::tempdir().unwrap();
        let store = store(home.path());
        let main = Slot::Named("main".to_owned());
        keep(&store, &main, &["a1", "b1", "run1"], &[], "");
        keep(&store, &Slot::Last, &["a2", "b2", "run2"], &[], "");
        keep(&store, &main, &["a3", "run3"], &["a1"], "b");
        check(home.path(), "results.jsonl.base@main", "b1 run1 a3 run3");
        check(home.path(), RECORDS, "b2 run2 a3 run3");
    }

    #[test]
    fn lines_without_an_end_go() {
        let home = tempfile::tempdir().unwrap();
        let store = store(home.path());
        fs::write(store.records(), "b1\nb2").unwrap();
        keep(&store, &Slot::Last, &["run"], &[], "b");
        check(home.path(), RECORDS, "b1 run");
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
            records.keep(&ByLetter("")).unwrap();
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
        let error = records.keep(&ByLetter("")).unwrap_err();
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
        records.keep(&ByLetter("")).unwrap();
        assert_eq!(fs::read_to_string(&victim).unwrap(), "theirs");
        assert_eq!(fs::read_to_string(store.records()).unwrap(), "ours\n");
    }
}
