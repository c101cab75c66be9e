//! New results take the place of old ones, all files or none, whatever kills the runner.
//!
//! A result is several files (out, log, `summary.json`, more with threads and processes), and the
//! last run's files are renamed to `.old` at the same time. No file system does that at once. So
//! the new files are collected in a directory together with a note of what is to be renamed, and
//! one rename of this directory to [`PENDING`] decides. What follows can be repeated any number of
//! times, until it is done:
//!
//! 1. while the note is there: delete and rename what it names; then delete the note;
//! 2. move the new files to their names; delete the directory.
//!
//! Files are renamed to `.old` only while the note exists, that is before any new file has taken
//! such a name, so a repetition can never take a new file for an old one.

#![expect(
    clippy::disallowed_methods,
    reason = "this stage renames and deletes; nobody else does it to results"
)]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::name::{FileName, Slot};
use super::{picture, SUMMARY, SUMMARY_OF_LAST};
use crate::error::{Error, FileContext, Result};
use crate::tool::Tool;

/// The directory of a replacement that is decided and not finished.
const PENDING: &str = ".pending";

/// The note in [`PENDING`].
const NOTE: &str = ".rotation";

/// A file of a new result.
#[derive(Debug)]
pub struct NewFile {
    /// Path of the file before it is moved.
    pub path: PathBuf,
    /// Name of the file in the last result.
    pub name: String,
}

/// The note: files that are deleted or renamed before new files take their names.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Rotation {
    /// Old files whose place no current file takes.
    delete: Vec<String>,
    /// Current files, which become old ones.
    retire: Vec<String>,
}

impl Rotation {
    fn of(slot: &Slot, names: &[String], tools: &[Tool]) -> Self {
        if *slot != Slot::Last {
            let is_ours =
                |name: &&String| tools.iter().any(|tool| FileName::is_in(name, slot, *tool));
            return Self {
                delete: names.iter().filter(is_ours).cloned().collect(),
                retire: Vec::new(),
            };
        }
        let (old, retire): (Vec<String>, Vec<String>) = names
            .iter()
            .filter(|name| tools.iter().any(|tool| FileName::belongs(name, *tool)))
            .cloned()
            .partition(|name| tools.iter().any(|tool| FileName::is_old(name, *tool)));
        let replaced = |name: &String| retire.iter().any(|current| FileName::old(current) == *name);
        let mut delete: Vec<String> = old.into_iter().filter(|name| !replaced(name)).collect();
        // The last run is in `summary.json` again. A loaded baseline replaces no tool's result.
        let obsolete = names.iter().filter(|name| *name == SUMMARY_OF_LAST);
        delete.extend(obsolete.filter(|_| !tools.is_empty()).cloned());
        Self { delete, retire }
    }
}

/// The names of the files in a directory, sorted; none if there is no such directory.
pub(super) fn list(directory: &Path) -> Result<Vec<String>> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.context("list", directory)?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.context("list", directory)?.file_name();
        // All names of ours are UTF-8; others are not touched.
        names.extend(name.into_string().ok());
    }
    names.sort_unstable();
    Ok(names)
}

/// Replaces the results of these tools in `directory` by `files`.
pub(super) fn replace(
    directory: &Path,
    slot: &Slot,
    tools: &[Tool],
    work: &Path,
    files: &[NewFile],
) -> Result<()> {
    let present = list(directory)?;
    if present.is_empty() {
        fs::create_dir_all(directory).context("create", directory)?;
    }
    let pending = work.join("new");
    fs::create_dir(&pending).context("create", &pending)?;
    let mut new = Vec::new();
    for file in files {
        if file.name == SUMMARY && *slot != Slot::Last {
            // Other programs read `summary.json` as the last result; the copy keeps the circumstances of
            // the baseline.
            let copy = slot.file(SUMMARY);
            fs::copy(&file.path, pending.join(&copy)).context("copy", &file.path)?;
            new.push(copy);
        }
        let name = match file.name.as_str() {
            SUMMARY | SUMMARY_OF_LAST => file.name.clone(),
            // The name of a flamegraph has the slots that it shows.
            name if picture::is_one(name) => name.to_owned(),
            name => slot.file(name),
        };
        fs::rename(&file.path, pending.join(&name)).context("move", &file.path)?;
        new.push(name);
    }
    // Of two files with one name the last one was kept.
    new.sort_unstable();
    new.dedup();
    let rotation = Rotation::of(slot, &present, tools);
    let note = pending.join(NOTE);
    let json = serde_json::to_vec(&rotation).expect("two lists of strings are JSON");
    fs::write(&note, json).context("write", &note)?;
    let decided = directory.join(PENDING);
    fs::rename(&pending, &decided).context("move", &pending)?;
    // The steps of `finish`, without reading the note and the directory again.
    carry_out(directory, &decided, &rotation)?;
    move_in(directory, &decided, &new)
}

/// Finishes the replacement that is pending in a directory, if there is one.
pub(super) fn finish(directory: &Path) -> Result<()> {
    let pending = directory.join(PENDING);
    if !pending.is_dir() {
        return Ok(());
    }
    let note = pending.join(NOTE);
    match fs::read(&note) {
        Ok(json) => {
            let rotation = serde_json::from_slice(&json).map_err(|error| Error::File {
                action: "understand",
                path: note.clone(),
                source: error.into(),
            })?;
            carry_out(directory, &pending, &rotation)?;
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error).context("read", &note),
    }
    move_in(directory, &pending, &list(&pending)?)
}

/// The second step: the new files get their names.
fn move_in(directory: &Path, pending: &Path, names: &[String]) -> Result<()> {
    for name in names {
        let from = pending.join(name);
        fs::rename(&from, directory.join(name)).context("move", &from)?;
    }
    fs::remove_dir(pending).context("remove", pending)
}

/// The first step: carries out a rotation and deletes its note. What is done already is passed over.
fn carry_out(directory: &Path, pending: &Path, rotation: &Rotation) -> Result<()> {
    for name in &rotation.delete {
        let path = directory.join(name);
        unless_missing(fs::remove_file(&path)).context("remove", &path)?;
    }
    for name in &rotation.retire {
        let path = directory.join(name);
        let old = directory.join(FileName::old(name));
        unless_missing(fs::rename(&path, old)).context("rename", &path)?;
    }
    let note = pending.join(NOTE);
    fs::remove_file(&note).context("remove", &note)
}

fn unless_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory whose files hold their generation.
    struct Results(tempfile::TempDir);

    impl Results {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn entry(&self) -> PathBuf {
            self.0.path().join("entry")
        }

        /// Prepares what `replace` is given.
        fn new_files(&self, names: &[&str], text: &str) -> (PathBuf, Vec<NewFile>) {
            let work = self.0.path().join(format!("work-{text}"));
            fs::create_dir(&work).unwrap();
            let files = names.iter().map(|name| {
                let path = work.join(format!("raw-{name}"));
                fs::write(&path, text).unwrap();
                NewFile {
                    path,
                    name: (*name).to_owned(),
                }
            });
            (work.clone(), files.collect())
        }

        fn replace(&self, names: &[&str], text: &str) {
            self.replace_in(&Slot::Last, names, text);
        }

        fn replace_in(&self, slot: &Slot, names: &[&str], text: &str) {
            let (work, files) = self.new_files(names, text);
            let tools = &[Tool::Callgrind];
            replace(&self.entry(), slot, tools, &work, &files).unwrap();
        }

        /// Every file and its text.
        fn state(&self) -> Vec<(String, String)> {
            let names = list(&self.entry()).unwrap();
            let read = |name: &String| fs::read_to_string(self.entry().join(name)).unwrap();
            names
                .iter()
                .map(|name| (name.clone(), read(name)))
                .collect()
        }
    }

    #[track_caller]
    fn check(results: &Results, expected: &[(&str, &str)]) {
        let expected: Vec<(String, String)> = expected
            .iter()
            .map(|(n, t)| ((*n).to_owned(), (*t).to_owned()))
            .collect();
        assert_eq!(results.state(), expected);
    }

    #[test]
    fn current_becomes_old_and_new_becomes_current() {
        let results = Results::new();
        results.replace(&["callgrind.f.out", "summary.json"], "1");
        check(&results, &[("callgrind.f.out", "1"), ("summary.json", "1")]);
        results.replace(&["callgrind.f.out", "summary.json"], "2");
        results.replace(&["callgrind.f.out", "summary.json"], "3");
        check(
            &results,
            &[
                ("callgrind.f.out", "3"),
                ("callgrind.f.out.old", "2"),
                ("summary.json", "3"),
            ],
        );
    }

    #[test]
    fn files_of_a_run_with_more_threads_do_not_stay() {
        let results = Results::new();
        results.replace(&["callgrind.f.t1.p1.out", "callgrind.f.t2.p1.out"], "1");
        results.replace(&["callgrind.f.out"], "2");
        results.replace(&["callgrind.f.out"], "3");
        check(
            &results,
            &[("callgrind.f.out", "3"), ("callgrind.f.out.old", "2")],
        );
    }

    #[test]
    fn a_baseline_replaces_itself_only() {
        let results = Results::new();
        let named = |name: &str| Slot::Named(name.to_owned());
        let two = ["callgrind.f.t1.p1.out", "callgrind.f.t2.p1.out"];
        results.replace(&["callgrind.f.out", "summary.json"], "1");
        results.replace_in(&named("main"), &two, "2");
        results.replace_in(&named("other"), &["callgrind.f.out"], "3");
        results.replace_in(&named("main"), &["callgrind.f.out", "summary.json"], "4");
        results.replace(&["callgrind.f.out"], "5");
        check(
            &results,
            &[
                ("callgrind.f.out", "5"),
                ("callgrind.f.out.base@main", "4"),
                ("callgrind.f.out.base@other", "3"),
                ("callgrind.f.out.old", "1"),
                ("summary.json", "4"),
                ("summary.json.base@main", "4"),
            ],
        );
    }

    /// A baseline loses files only for those that take their place.
    #[test]
    fn a_baseline_whose_replacement_was_stopped_anywhere_is_finished() {
        let slot = Slot::Named("main".to_owned());
        let new = ["callgrind.f.log", "callgrind.f.out"].map(|name| slot.file(name));
        let obsolete = slot.file("callgrind.f.1.out");
        for stopped_after in 0..=4 {
            let results = Results::new();
            results.replace(&["callgrind.f.out"], "0");
            results.replace_in(&slot, &["callgrind.f.1.out", "callgrind.f.out"], "1");
            let entry = results.entry();
            let pending = entry.join(PENDING);
            fs::create_dir(&pending).unwrap();
            for name in &new {
                fs::write(pending.join(name), "2").unwrap();
            }
            let rotation = Rotation::of(&slot, &list(&entry).unwrap(), &[Tool::Callgrind]);
            assert_eq!(rotation.delete, [obsolete.clone(), new[1].clone()]);
            fs::write(pending.join(NOTE), serde_json::to_vec(&rotation).unwrap()).unwrap();
            let steps: [&dyn Fn(); 4] = [
                &|| fs::remove_file(entry.join(&obsolete)).unwrap(),
                &|| fs::remove_file(entry.join(&new[1])).unwrap(),
                &|| fs::remove_file(pending.join(NOTE)).unwrap(),
                &|| fs::rename(pending.join(&new[0]), entry.join(&new[0])).unwrap(),
            ];
            steps[..stopped_after].iter().for_each(|step| step());
            finish(&entry).unwrap();
            let expected = [
                ("callgrind.f.log.base@main", "2"),
                ("callgrind.f.out", "0"),
                ("callgrind.f.out.base@main", "2"),
            ];
            check(&results, &expected);
        }
    }

    #[test]
    fn flamegraphs_go_with_their_results() {
        let results = Results::new();
        let name = |end: &str| format!("callgrind.f.total.Ir.flamegraph{end}.svg");
        let replace = |slot: &Slot, ends: &[&str], text: &str| {
            let names: Vec<String> = ends.iter().map(|end| name(end)).collect();
            let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
            names.push("callgrind.f.out");
            results.replace_in(slot, &names, text);
        };
        let kept = |text: &str| {
            let kept = results.state().into_iter().filter(|(_, kept)| kept == text);
            let names: Vec<String> = kept.map(|(name, _)| name).collect();
            names
                .join(" ")
                .replace("callgrind.f.total.Ir.flamegraph", "*")
        };
        let main = &Slot::Named("main".to_owned());
        replace(&Slot::Last, &[""], "1");
        replace(main, &[".base@main"], "2");
        // Nothing was drawn: the picture of the run before stays with it.
        replace(&Slot::Last, &[], "3");
        assert_eq!(kept("1"), "callgrind.f.out.old *.old.svg");
        replace(&Slot::Last, &["", ".diff.base@main"], "4");
        assert_eq!(kept("1"), "");
        replace(&Slot::Last, &["", ".old", ".diff.old"], "5");
        assert_eq!(kept("5"), "callgrind.f.out *.diff.old.svg *.old.svg *.svg");
        assert_eq!(kept("4"), "callgrind.f.out.old");
        assert_eq!(kept("2"), "callgrind.f.out.base@main *.base@main.svg");
        // What was compared with the baseline is compared with nothing any more.
        replace(&Slot::Last, &["", ".diff.base@main"], "6");
        replace(main, &[".base@main", ".base@main.diff.base@main"], "7");
        assert_eq!(kept("6"), "callgrind.f.out *.svg");
        assert_eq!(
            kept("7"),
            "callgrind.f.out.base@main *.base@main.diff.base@main.svg *.base@main.svg"
        );
    }

    #[test]
    fn files_of_others_are_not_touched() {
        let results = Results::new();
        fs::create_dir(results.entry()).unwrap();
        for name in ["dhat.f.out", "notes.txt"] {
            fs::write(results.entry().join(name), "theirs").unwrap();
        }
        results.replace(&["callgrind.f.out"], "1");
        results.replace(&["callgrind.f.out"], "2");
        check(
            &results,
            &[
                ("callgrind.f.out", "2"),
                ("callgrind.f.out.old", "1"),
                ("dhat.f.out", "theirs"),
                ("notes.txt", "theirs"),
            ],
        );
    }

    /// All states in which a replacement can be stopped after it was decided lead to the same end.
    #[test]
    fn a_replacement_that_was_stopped_anywhere_is_finished() {
        let names = ["callgrind.f.log", "callgrind.f.out"];
        let expected = [
            ("callgrind.f.log", "3"),
            ("callgrind.f.log.old", "2"),
            ("callgrind.f.out", "3"),
            ("callgrind.f.out.old", "2"),
        ];
        for stopped_after in 0..=5 {
            let results = Results::new();
            results.replace(&["callgrind.f.1.out", "callgrind.f.2.out"], "1");
            results.replace(&names, "2");
            let entry = results.entry();
            let pending = entry.join(PENDING);
            fs::create_dir(&pending).unwrap();
            for name in names {
                fs::write(pending.join(name), "3").unwrap();
            }
            let rotation = Rotation {
                delete: vec![
                    "callgrind.f.1.out.old".into(),
                    "callgrind.f.2.out.old".into(),
                ],
                retire: names.map(str::to_owned).to_vec(),
            };
            fs::write(pending.join(NOTE), serde_json::to_vec(&rotation).unwrap()).unwrap();
            let steps: [&dyn Fn(); 5] = [
                &|| fs::remove_file(entry.join("callgrind.f.1.out.old")).unwrap(),
                &|| fs::rename(entry.join(names[0]), entry.join("callgrind.f.log.old")).unwrap(),
                &|| {
                    let _ = fs::remove_file(entry.join("callgrind.f.2.out.old"));
                    fs::rename(entry.join(names[1]), entry.join("callgrind.f.out.old")).unwrap();
                },
                &|| fs::remove_file(pending.join(NOTE)).unwrap(),
                &|| fs::rename(pending.join(names[0]), entry.join(names[0])).unwrap(),
            ];
            steps[..stopped_after].iter().for_each(|step| step());
            finish(&entry).unwrap();
            check(&results, &expected);
            finish(&entry).unwrap();
            check(&results, &expected);
        }
    }

    #[test]
    fn before_the_decision_nothing_changes() {
        let results = Results::new();
        results.replace(&["callgrind.f.out"], "1");
        let (work, mut files) = results.new_files(&["callgrind.f.out"], "2");
        files.push(NewFile {
            path: work.join("missing"),
            name: "callgrind.f.log".into(),
        });
        let (entry, tools) = (results.entry(), [Tool::Callgrind]);
        replace(&entry, &Slot::Last, &tools, &work, &files).unwrap_err();
        check(&results, &[("callgrind.f.out", "1")]);
    }
}
