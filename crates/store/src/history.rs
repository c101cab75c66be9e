//! The history of a bench file: a line for each run that changed something, which stays when
//! results are replaced.
//!
//! The content of the lines is decided by `verdict::history`; here they are written to the file,
//! under the lock, after the records of the run.

#![expect(
    clippy::disallowed_methods,
    reason = "this stage renames; nobody else does it to results"
)]

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use ::records::layout::{HistoryAddition, HISTORY};
use base::file_operation::{FileContext, FileResult};
use base::regular_file;

/// The most bytes of a history that is read, far above what any of ours has.
const LONGEST: u64 = 64 << 20;

/// Adds to the history in a directory what `decide` makes of its whole lines. `work` is a private
/// directory on the same file system. A last line without its end, which a killed run or a full
/// disk left, is cut off.
pub(super) fn add(
    directory: &Path,
    work: &Path,
    decide: impl FnOnce(&[u8]) -> HistoryAddition,
) -> FileResult<()> {
    let path = directory.join(HISTORY);
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    let mut file = regular_file::checked(&mut options, &path).context("open", &path)?;
    let (bytes, names) = content(&mut file).context("read", &path)?;
    let whole = memchr::memrchr(b'\n', &bytes).map_or(0, |end| end + 1);
    let (lines, torn) = bytes.split_at(whole);
    match decide(lines) {
        HistoryAddition::Nothing => Ok(()),
        // A file with another hard link, such as that of a backup, is not written to.
        HistoryAddition::Line(line) if names > 1 => replace(&path, work, &[lines, &line].concat()),
        HistoryAddition::Line(line) => {
            let appended = append(&mut file, whole as u64, !torn.is_empty(), &line);
            appended.context("write", &path)
        }
        HistoryAddition::Whole(text) => replace(&path, work, &text),
    }
}

/// The content of a file, and the number of its names.
fn content(file: &mut File) -> io::Result<(Vec<u8>, u64)> {
    let data = file.metadata()?;
    if data.len() > LONGEST {
        let hint = "\n  hint: a new one begins when it is elsewhere";
        let reason = format!("it has more than {LONGEST} bytes{hint}");
        return Err(io::Error::other(reason));
    }
    let mut bytes = Vec::with_capacity(data.len() as usize + 1);
    file.take(LONGEST + 1).read_to_end(&mut bytes)?;
    Ok((bytes, data.nlink()))
}

fn append(file: &mut File, whole: u64, is_torn: bool, line: &[u8]) -> io::Result<()> {
    if is_torn {
        file.set_len(whole)?;
    }
    let written = file.write_all(line);
    if written.is_err() {
        // Removes the partial line, which a full disk leaves. If this fails as well, the next run
        // does it.
        let _ = file.set_len(whole);
    }
    written
}

fn replace(path: &Path, work: &Path, text: &[u8]) -> FileResult<()> {
    let new = work.join(HISTORY);
    fs::write(&new, text).context("write", &new)?;
    fs::rename(&new, path).context("replace", path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use ::records::layout::{LineUse, LinesOfRun, Slot};

    use crate::{NewRecords, Store};

    /// Keeps none of the old lines.
    struct AllGo;

    impl LinesOfRun for AllGo {
        fn of_records(&self, _: &[u8]) -> LineUse {
            LineUse::Goes
        }
    }

    fn records(home: &Path) -> (Store, NewRecords) {
        let store =
            Store::open(home, "package", "bench", |owner| panic!("{owner} has it")).unwrap();
        let records = store.new_records(&Slot::Last).unwrap();
        (store, records)
    }

    /// Ends a run that adds this to the history, and returns the lines that it found there.
    fn run(home: &Path, addition: HistoryAddition) -> FileResult<String> {
        let (_store, records) = records(home);
        let kept = records.keep(&AllGo).unwrap();
        let mut found = String::new();
        kept.add_to_history(|lines| {
            found = String::from_utf8_lossy(lines).into_owned();
            addition
        })?;
        Ok(found)
    }

    fn line(text: &str) -> HistoryAddition {
        HistoryAddition::Line(format!("{text}\n").into_bytes())
    }

    fn history(home: &Path) -> std::path::PathBuf {
        home.join("package/bench").join(HISTORY)
    }

    #[test]
    fn lines_are_added_and_stay() {
        let home = tempfile::tempdir().unwrap();
        assert_eq!(run(home.path(), line("one")).unwrap(), "");
        assert_eq!(run(home.path(), HistoryAddition::Nothing).unwrap(), "one\n");
        assert_eq!(run(home.path(), line("two")).unwrap(), "one\n");
        let text = || fs::read_to_string(history(home.path())).unwrap();
        assert_eq!(text(), "one\ntwo\n");
        let whole = HistoryAddition::Whole(b"all\n".to_vec());
        assert_eq!(run(home.path(), whole).unwrap(), "one\ntwo\n");
        assert_eq!(text(), "all\n");
        let mut names: Vec<_> = fs::read_dir(home.path().join("package/bench"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        assert_eq!(names, [".lock", "history.jsonl", "results.jsonl"]);
    }

    #[test]
    fn a_line_without_its_end_is_cut_off() {
        let home = tempfile::tempdir().unwrap();
        for (before, expected) in [
            ("one\nto", "one\nnew\n"),
            ("torn", "new\n"),
            ("\0\0\0", "new\n"),
            ("not ours\n", "not ours\nnew\n"),
        ] {
            fs::create_dir_all(history(home.path()).parent().unwrap()).unwrap();
            fs::write(history(home.path()), before).unwrap();
            let found = run(home.path(), line("new")).unwrap();
            assert_eq!(found, before[..before.rfind('\n').map_or(0, |end| end + 1)]);
            assert_eq!(fs::read_to_string(history(home.path())).unwrap(), expected);
        }
    }

    /// Each adds the number of lines that it finds; without the lock two would find the same.
    #[test]
    fn two_writers_wait_for_each_other() {
        let home = tempfile::tempdir().unwrap();
        let writer = || {
            for _ in 0..20 {
                let store = Store::open(home.path(), "package", "bench", |_| {}).unwrap();
                let kept = store
                    .new_records(&Slot::Last)
                    .unwrap()
                    .keep(&AllGo)
                    .unwrap();
                kept.add_to_history(|lines| {
                    let number = lines.split(|byte| *byte == b'\n').count() - 1;
                    std::thread::yield_now();
                    line(&number.to_string())
                })
                .unwrap();
                drop(store);
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(writer);
            scope.spawn(writer);
        });
        let text = fs::read_to_string(history(home.path())).unwrap();
        let expected: String = (0..40).map(|number| format!("{number}\n")).collect();
        assert_eq!(text, expected);
    }

    #[test]
    fn what_is_in_the_place_of_the_history_is_not_written_to() {
        let (home, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let victim = elsewhere.path().join("victim");
        fs::write(&victim, "theirs\n").unwrap();
        let path = history(home.path());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(&victim, &path).unwrap();
        let error = run(home.path(), line("ours")).unwrap_err();
        assert!(error.to_string().contains("cannot open `"), "{error}");
        fs::remove_file(&path).unwrap();
        // A second name of a file, as copies by links have it.
        fs::hard_link(&victim, &path).unwrap();
        assert_eq!(run(home.path(), line("ours")).unwrap(), "theirs\n");
        assert_eq!(fs::read_to_string(&victim).unwrap(), "theirs\n");
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs\nours\n");
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        let error = run(home.path(), line("ours")).unwrap_err();
        let text = base::causes::with_causes(&error);
        assert!(text.contains("it has more than 67108864 bytes"), "{text}");
    }
}
