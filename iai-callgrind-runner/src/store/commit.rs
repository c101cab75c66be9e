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
//!
//! Before the rename that decides, everything in the directory is on the disk, and before anything is
//! deleted, so is this rename: after the machine has stopped, the old result is whole, or the new one. What is
//! found in [`PENDING`] is finished only if a run can have written it (`pending.rs`).

#![expect(
    clippy::disallowed_methods,
    reason = "this stage renames and deletes; nobody else does it to results"
)]

use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use nix::unistd::{access, AccessFlags};
use tempfile::TempDir;

use super::name::Slot;
use super::rotation::Rotation;
use super::{pending, picture, sync, FileName, SUMMARY, SUMMARY_OF_LAST};
use crate::error::{FileContext, Result};
use crate::private_directory;
use crate::tool::Tool;

/// The directory of a replacement that is decided and not finished.
pub(super) const PENDING: &str = ".pending";

/// The note in [`PENDING`].
pub(super) const NOTE: &str = ".rotation";

/// A file of a new result.
#[derive(Debug)]
pub struct NewFile {
    /// Path of the file before it is moved.
    pub path: PathBuf,
    /// Name of the file in the last result.
    pub name: String,
}

/// A replacement that is not decided yet: the new files are collected, and nothing else has changed.
#[derive(Debug)]
pub(super) struct Replacement {
    /// The directory of the benchmark.
    directory: PathBuf,
    /// The directory of the new files.
    new: PathBuf,
    names: Vec<String>,
    rotation: Rotation,
    /// The private directories that the files come from, removed when this is dropped.
    _work: Vec<TempDir>,
}

/// A name in a directory.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) name: String,
    pub(super) kind: fs::FileType,
}

/// The content of a directory in the order of the names; empty if there is no such directory.
pub(super) fn list(directory: &Path) -> Result<Vec<Listed>> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.context("list", directory)?,
    };
    let mut listed = Vec::new();
    for entry in entries {
        let entry = entry.context("list", directory)?;
        // All names of ours are UTF-8; others are not touched.
        if let Ok(name) = entry.file_name().into_string() {
            let kind = entry.file_type().context("look at", &entry.path())?;
            listed.push(Listed { name, kind });
        }
    }
    listed.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    Ok(listed)
}

/// Collects the files that replace the results of these tools in `directory`. `work` are the directories
/// that they lie in.
pub(super) fn collect(
    directory: &Path,
    slot: &Slot,
    tools: &[Tool],
    work: Vec<TempDir>,
    files: &[NewFile],
) -> Result<Replacement> {
    let present = list(directory)?;
    if present.is_empty() {
        fs::create_dir_all(directory).context("create", directory)?;
    }
    // What can be known is said before anything changes.
    let writable = access(directory, AccessFlags::W_OK | AccessFlags::X_OK);
    writable
        .map_err(io::Error::from)
        .context("write in", directory)?;
    refuse_directories(directory, &present)?;
    let first = work.first().map_or(directory, TempDir::path);
    let new = first.join("new");
    let private = fs::DirBuilder::new()
        .mode(private_directory::MODE)
        .create(&new);
    private.context("create", &new)?;
    let names = move_together(slot, files, &new)?;
    let present: Vec<String> = present.into_iter().map(|listed| listed.name).collect();
    let rotation = Rotation::of(slot, &present, tools);
    let note = new.join(NOTE);
    fs::write(&note, rotation.to_bytes()).context("write", &note)?;
    Ok(Replacement {
        directory: directory.to_owned(),
        new,
        names,
        rotation,
        _work: work,
    })
}

/// A directory with the name of a result can neither be replaced by a file nor deleted like one.
fn refuse_directories(directory: &Path, present: &[Listed]) -> Result<()> {
    let mut named = present.iter().filter(|it| FileName::is_ours(&it.name));
    match named.find(|listed| listed.kind.is_dir()) {
        None => Ok(()),
        Some(found) => {
            let text = "it is a directory where the file of a result belongs; move or remove it";
            Err(io::Error::other(text)).context("replace", &directory.join(&found.name))
        }
    }
}

/// Moves the new files into one directory, under their final names.
fn move_together(slot: &Slot, files: &[NewFile], new: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for file in files {
        if file.name == SUMMARY && *slot != Slot::Last {
            // Other programs read `summary.json` as the last result; the copy keeps the circumstances of
            // the baseline.
            let copy = slot.file(SUMMARY);
            fs::copy(&file.path, new.join(&copy)).context("copy", &file.path)?;
            names.push(copy);
        }
        let name = match file.name.as_str() {
            SUMMARY | SUMMARY_OF_LAST => file.name.clone(),
            // The name of a flamegraph has the slots that it shows.
            name if picture::is_one(name) => name.to_owned(),
            name => slot.file(name),
        };
        fs::rename(&file.path, new.join(&name)).context("move", &file.path)?;
        names.push(name);
    }
    // Of two files with one name the last one was kept.
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

impl Replacement {
    /// The directory of the benchmark.
    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Replaces the record among the new files by a more complete one. `Ok(false)`: there is none.
    pub(super) fn complete_summary(&self, json: &[u8]) -> Result<bool> {
        if !self.names.iter().any(|name| name == SUMMARY) {
            return Ok(false);
        }
        // The one that is there stays if the disk is full.
        let whole = self.new.join("whole");
        fs::write(&whole, json).context("write", &whole)?;
        fs::rename(&whole, self.new.join(SUMMARY)).context("move", &whole)?;
        Ok(true)
    }

    /// Begins to write the new files to the disk, which `sync` waits for.
    pub(super) fn begin_sync(&self) {
        for name in &self.names {
            sync::begin(&self.new.join(name));
        }
    }

    /// Writes the new files to the disk.
    pub(super) fn sync(&self) -> Result<()> {
        for name in self.names.iter().map(String::as_str).chain([NOTE]) {
            sync::file(&self.new.join(name))?;
        }
        sync::directory(&self.new)
    }

    /// Decides for the new files, which the disk has.
    pub(super) fn decide(&self) -> Result<()> {
        fs::rename(&self.new, self.directory.join(PENDING)).context("move", &self.new)
    }

    /// Writes the decision to the disk.
    pub(super) fn sync_decision(&self) -> Result<()> {
        sync::directory(&self.directory)
    }

    /// Carries out the decision, which the disk has.
    pub(super) fn carry_out(self) -> Result<()> {
        let pending = self.directory.join(PENDING);
        // The steps of `finish`, without reading the note and the directory again.
        rotate(&self.directory, &pending, &self.rotation)?;
        move_in(&self.directory, &pending, &self.names)
    }
}

/// Finishes the replacement that is pending in a directory, if there is one. One that no run can have
/// written, or not as a whole, is set aside; then the warning about it is returned.
pub(super) fn finish(directory: &Path) -> Result<Option<String>> {
    let path = directory.join(PENDING);
    match pending::read(&path) {
        Ok(None) => Ok(None),
        Ok(Some(found)) => {
            if let Some(rotation) = &found.rotation {
                rotate(directory, &path, rotation)?;
            }
            move_in(directory, &path, &found.names)?;
            Ok(None)
        }
        Err(pending::PendingError::Io(error)) => Err(error),
        Err(pending::PendingError::Damaged(reason)) => {
            pending::set_aside(directory, &path, &reason).map(Some)
        }
    }
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
fn rotate(directory: &Path, pending: &Path, rotation: &Rotation) -> Result<()> {
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

    fn names(directory: &Path) -> Vec<String> {
        let listed = list(directory).unwrap().into_iter();
        listed.map(|listed| listed.name).collect()
    }

    /// A directory whose files hold their generation.
    struct Results(tempfile::TempDir);

    impl Results {
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
            let tools = &[Tool::Callgrind];
            let replacement = collect(&self.entry(), slot, tools, work, &files).unwrap();
            replacement.decide().unwrap();
            replacement.carry_out().unwrap();
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
            let rotation = Rotation::of(&slot, &names(&entry), &[Tool::Callgrind]);
            assert_eq!(rotation.delete, [obsolete.clone(), new[1].clone()]);
            fs::write(pending.join(NOTE), rotation.to_bytes()).unwrap();
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
            fs::write(pending.join(NOTE), rotation.to_bytes()).unwrap();
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
            path: work[0].path().join("missing"),
            name: "callgrind.f.log".into(),
        });
        let (entry, tools) = (results.entry(), [Tool::Callgrind]);
        collect(&entry, &Slot::Last, &tools, work, &files).unwrap_err();
        check(&results, &[("callgrind.f.out", "1")]);
    }

    #[test]
    fn what_cannot_be_written_to_the_disk_replaces_nothing() {
        let results = Results::new();
        results.replace(&["callgrind.f.out"], "1");
        let (work, files) = results.new_files(&["callgrind.f.out"], "2");
        let tools = &[Tool::Callgrind];
        let entry = results.entry();
        let replacement = collect(&entry, &Slot::Last, tools, work, &files).unwrap();
        fs::remove_file(replacement.new.join("callgrind.f.out")).unwrap();
        let error = replacement.sync().unwrap_err().to_string();
        assert!(error.starts_with("cannot write to the disk `"), "{error}");
        drop(replacement);
        check(&results, &[("callgrind.f.out", "1")]);
    }

    #[test]
    fn a_directory_in_the_place_of_a_file_is_said_before_anything_changes() {
        for name in ["callgrind.f.out", "callgrind.f.log.old", "summary.json"] {
            let results = Results::new();
            results.replace(&["callgrind.f.x.out"], "1");
            let place = results.entry().join(name);
            fs::create_dir(&place).unwrap();
            let (work, files) = results.new_files(&["callgrind.f.out"], "2");
            let (entry, tools) = (results.entry(), &[Tool::Callgrind]);
            let error = collect(&entry, &Slot::Last, tools, work, &files).unwrap_err();
            let expected = format!("cannot replace `{}`", place.display());
            assert_eq!(error.to_string(), expected);
            fs::remove_dir(&place).unwrap();
            check(&results, &[("callgrind.f.x.out", "1")]);
        }
    }

    /// Puts something at the path of a pending replacement.
    type Plant<'a> = &'a dyn Fn(&Path);

    /// Everything in `.pending` that no run can have written as a whole.
    #[test]
    fn a_damaged_replacement_is_set_aside_and_the_result_stays() {
        let outside = tempfile::tempdir().unwrap();
        let victim = outside.path().join("victim");
        let victim = victim.to_str().unwrap();
        let delete = format!(r#"{{"delete":["{victim}"],"retire":[]}}"#);
        let retire = format!(r#"{{"delete":[],"retire":["callgrind.f.out","{victim}"]}}"#);
        let up = r#"{"delete":["callgrind.x/../../victim.out"],"retire":[]}"#;
        let empty = r#"{"delete":[],"retire":[]}"#;
        let notes = [
            ("", "its note cannot be read: EOF"),
            ("{", "its note cannot be read: EOF"),
            ("[]", "its note cannot be read: "),
            (
                r#"{"delete":[]}"#,
                "its note cannot be read: missing field `retire`",
            ),
            (&delete, "/victim\", which is no file of a result"),
            (&retire, "/victim\", which is no file of a result"),
            (
                up,
                "its note names \"callgrind.x/../../victim.out\", which is no",
            ),
        ];
        for (note, expected) in notes {
            check_set_aside(expected, |pending| {
                fs::write(victim, "theirs").unwrap();
                fs::create_dir(pending).unwrap();
                fs::write(pending.join("callgrind.f.out"), "new").unwrap();
                fs::write(pending.join(NOTE), note).unwrap();
            });
            assert_eq!(fs::read_to_string(victim).unwrap(), "theirs");
        }
        let others: [(&str, Plant<'_>); 5] = [
            ("it is no directory", &|pending| {
                std::os::unix::fs::symlink(outside.path(), pending).unwrap();
            }),
            ("it is no directory", &|pending| {
                fs::write(pending, "").unwrap()
            }),
            (r#""evil.txt" in it is no file of a result"#, &|pending| {
                fs::create_dir(pending).unwrap();
                fs::write(pending.join("evil.txt"), "").unwrap();
            }),
            (
                r#""callgrind.f.out" in it is no file of a result"#,
                &|pending| {
                    fs::create_dir(pending).unwrap();
                    fs::write(pending.join(NOTE), empty).unwrap();
                    std::os::unix::fs::symlink(victim, pending.join("callgrind.f.out")).unwrap();
                },
            ),
            (r#"".rotation" in it is no file of a result"#, &|pending| {
                fs::create_dir(pending).unwrap();
                nix::unistd::mkfifo(&pending.join(NOTE), nix::sys::stat::Mode::S_IRWXU).unwrap();
            }),
        ];
        for (expected, plant) in others {
            check_set_aside(expected, plant);
            assert_eq!(fs::read_to_string(victim).unwrap(), "theirs");
        }
    }

    #[track_caller]
    fn check_set_aside(expected: &str, plant: impl Fn(&Path)) {
        let results = Results::new();
        results.replace(&["callgrind.f.out"], "1");
        let pending = results.entry().join(PENDING);
        for number in 1..=2 {
            plant(&pending);
            let warning = finish(&results.entry()).unwrap().unwrap();
            assert!(warning.contains(expected), "{warning}");
            let aside = results.entry().join(format!(".damaged-{number}"));
            let hint = format!("hint: nothing reads `{}` any more", aside.display());
            assert!(warning.contains(&hint), "{warning}");
            assert!(fs::symlink_metadata(&pending).is_err());
            assert!(fs::symlink_metadata(&aside).is_ok());
        }
        assert_eq!(finish(&results.entry()).unwrap(), None);
        let kept = fs::read_to_string(results.entry().join("callgrind.f.out"));
        assert_eq!(kept.unwrap(), "1");
        // The next result is kept as always.
        results.replace(&["callgrind.f.out"], "2");
        let old = fs::read_to_string(results.entry().join("callgrind.f.out.old"));
        assert_eq!(old.unwrap(), "1");
    }
}
