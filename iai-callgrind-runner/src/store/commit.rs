//! New results take the place of old ones, all files or none, whatever kills the runner.
//!
//! A result is several files (out, log, `summary.json`, more with threads and processes), and the
//! last run's files are renamed to `.old` at the same time. No file system does that at once. So
//! the private directory in which the tool wrote them gets a note of what is to be renamed, and
//! one rename of this directory to [`PENDING`] decides. What follows can be repeated any number of
//! times, until it is done:
//!
//! 1. delete what the note names, and rename old files, except for those whose new file has its name already;
//! 2. move the new files to their names;
//! 3. delete the note and the directory.
//!
//! No new file is moved before all old ones are renamed, and a new file has its name if it is not beside the note any
//! more, so a repetition can never take a new file for an old one.
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
use std::path::{Path, PathBuf};

use nix::unistd::{access, AccessFlags};
use tempfile::TempDir;

use super::name::Slot;
use super::rotation::Rotation;
use super::{pending, picture, remove_directory, sync, FileName, SUMMARY, SUMMARY_OF_LAST};
use crate::error::{FileContext, Result};
use crate::listed_directory::{Listed, ListedKind};
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
    /// The directory of the new files, the first of `work`.
    new: PathBuf,
    rotation: Rotation,
    /// Files of this directory that are not kept.
    left: Vec<PathBuf>,
    /// The private directories that the files come from, removed when this is dropped.
    work: Vec<TempDir>,
}

/// Files that replace the results of tools, and where they are.
#[derive(Debug)]
pub struct NewResult<'a> {
    /// The slot that they go to.
    pub slot: &'a Slot,
    /// The tools whose results they are.
    pub tools: &'a [Tool],
    /// The private directories that they lie in; there is at least one.
    pub work: Vec<TempDir>,
    /// The files that are kept.
    pub files: &'a [NewFile],
    /// All others in the first directory.
    pub left: Vec<PathBuf>,
}

/// Collects the files of a new result, which replace those of a directory in which `present` was found.
pub(super) fn collect(
    directory: &Path,
    present: &[Listed],
    result: NewResult<'_>,
) -> Result<Replacement> {
    let NewResult {
        slot,
        tools,
        work,
        files,
        mut left,
    } = result;
    if present.is_empty() {
        fs::create_dir_all(directory).context("create", directory)?;
    }
    // What can be known is said before anything changes.
    let writable = access(directory, AccessFlags::W_OK | AccessFlags::X_OK);
    writable
        .map_err(io::Error::from)
        .context("write in", directory)?;
    refuse_directories(directory, present)?;
    let new = work[0].path().to_owned();
    let take = together(slot, files, &new, &mut left)?;
    let rotation = Rotation::of(slot, present, tools, take);
    let note = new.join(NOTE);
    fs::write(&note, rotation.to_bytes()).context("write", &note)?;
    Ok(Replacement {
        directory: directory.to_owned(),
        new,
        rotation,
        left,
        work,
    })
}

/// Removes what nobody keeps: most often a file, and at times a directory.
fn remove(path: &Path) -> io::Result<()> {
    unless_missing(fs::remove_file(path)).or_else(|_| remove_directory(path))
}

/// A directory with the name of a result can neither be replaced by a file nor deleted like one.
fn refuse_directories(directory: &Path, present: &[Listed]) -> Result<()> {
    let mut named = present.iter().filter(|it| FileName::is_ours(&it.name));
    match named.find(|listed| listed.kind == ListedKind::Directory) {
        None => Ok(()),
        Some(found) => {
            let text = "it is a directory where the file of a result belongs; move or remove it";
            Err(io::Error::other(text)).context("replace", &directory.join(&found.name))
        }
    }
}

/// The names of the new files in one directory, and their final names. Files of this directory keep the names that they
/// have; those of others are moved. Of two files with one name the last one is kept.
fn together(
    slot: &Slot,
    files: &[NewFile],
    new: &Path,
    left: &mut Vec<PathBuf>,
) -> Result<Vec<(String, String)>> {
    let mut take: Vec<(String, String)> = Vec::new();
    for file in files {
        if file.name == SUMMARY && *slot != Slot::Last {
            // Other programs read `summary.json` as the last result; the copy keeps the circumstances of
            // the baseline.
            let copy = slot.file(SUMMARY);
            fs::copy(&file.path, new.join(&copy)).context("copy", &file.path)?;
            take.push((copy.clone(), copy));
        }
        let name = match file.name.as_str() {
            SUMMARY | SUMMARY_OF_LAST => file.name.clone(),
            // The name of a flamegraph has the slots that it shows.
            name if picture::is_one(name) => name.to_owned(),
            name => slot.file(name),
        };
        let own = file.path.file_name().and_then(|own| own.to_str());
        let source = match own.filter(|_| file.path.parent() == Some(new)) {
            Some(own) => own.to_owned(),
            None => {
                fs::rename(&file.path, new.join(&name)).context("move", &file.path)?;
                name.clone()
            }
        };
        let earlier = take.iter().position(|(_, other)| *other == name);
        if let Some((earlier, _)) = earlier.map(|index| take.remove(index)) {
            left.extend((earlier != source).then(|| new.join(earlier)));
        }
        take.push((source, name));
    }
    Ok(take)
}

impl Replacement {
    /// The directory of the benchmark.
    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// The names of the new files before they get their final ones, with these.
    fn files(&self) -> &[(String, String)] {
        self.rotation.take.as_deref().unwrap_or_default()
    }

    /// Replaces the record among the new files by a more complete one. `Ok(false)`: there is none.
    pub(super) fn complete_summary(&self, json: &[u8]) -> Result<bool> {
        let mut files = self.files().iter();
        let Some((source, _)) = files.find(|(_, name)| name == SUMMARY) else {
            return Ok(false);
        };
        // The one that is there stays if the disk is full.
        let whole = self.new.join("whole");
        fs::write(&whole, json).context("write", &whole)?;
        fs::rename(&whole, self.new.join(source)).context("move", &whole)?;
        Ok(true)
    }

    /// Removes what is not kept.
    pub(super) fn tidy(&mut self) -> Result<()> {
        let mut left = self.left.iter();
        left.try_for_each(|path| remove(path).context("remove", path))
    }

    /// Begins to write the new files to the disk, which `sync` waits for.
    pub(super) fn begin_sync(&self) {
        for (source, _) in self.files() {
            sync::begin(&self.new.join(source));
        }
    }

    /// Writes the new files to the disk.
    pub(super) fn sync(&mut self) -> Result<()> {
        let sources = self.files().iter().map(|(source, _)| source.as_str());
        for name in sources.chain([NOTE]) {
            sync::file(&self.new.join(name))?;
        }
        sync::directory(&self.new)
    }

    /// Decides for the new files, which the disk has.
    pub(super) fn decide(&mut self) -> Result<()> {
        fs::rename(&self.new, self.directory.join(PENDING)).context("move", &self.new)?;
        // It is another one from now on.
        self.work[0].disable_cleanup(true);
        Ok(())
    }

    /// Writes the decision to the disk.
    pub(super) fn sync_decision(&mut self) -> Result<()> {
        sync::directory(&self.directory)
    }

    /// Carries out the decision, which the disk has.
    pub(super) fn carry_out(self) -> Result<()> {
        let pending = self.directory.join(PENDING);
        carry_out(
            &self.directory,
            &pending,
            &self.rotation,
            self.files(),
            |_| true,
        )
    }
}

/// Finishes the replacement that is pending in a directory, if there is one. One that no run can have
/// written, or not as a whole, is set aside; then the warning about it is returned.
pub(super) fn finish(directory: &Path) -> Result<Option<String>> {
    let path = directory.join(PENDING);
    match pending::read(&path) {
        Ok(None) => Ok(None),
        Ok(Some(found)) => {
            let is_there = |source: &str| found.names.iter().any(|name| name == source);
            match &found.rotation {
                Some(rotation) => match &rotation.take {
                    Some(take) => carry_out(directory, &path, rotation, take, is_there)?,
                    None => {
                        // Nothing was moved while there is such a note, and everything after it.
                        rotate(directory, rotation, |_| true)?;
                        remove_note(&path)?;
                        move_in(directory, &path, &found.names)?;
                    }
                },
                None => move_in(directory, &path, &found.names)?,
            }
            Ok(None)
        }
        Err(pending::PendingError::Io(error)) => Err(error),
        Err(pending::PendingError::Damaged(reason)) => {
            pending::set_aside(directory, &path, &reason).map(Some)
        }
    }
}

/// Carries out a replacement from wherever it was stopped. `is_there`: has this new file not got its name yet?
fn carry_out(
    directory: &Path,
    pending: &Path,
    rotation: &Rotation,
    take: &[(String, String)],
    is_there: impl Fn(&str) -> bool,
) -> Result<()> {
    let has_moved = |name: &str| {
        let mut new = take.iter();
        new.any(|(source, new)| new == name && !is_there(source))
    };
    rotate(directory, rotation, |name| !has_moved(name))?;
    let mut there = take.iter().filter(|(source, _)| is_there(source));
    there.try_for_each(|(source, name)| move_one(directory, pending, source, name))?;
    remove_note(pending)?;
    // What else is there belongs to nobody.
    let removed = fs::remove_dir(pending).or_else(|_| remove_directory(pending));
    removed.context("remove", pending)
}

/// New files of an earlier version, which have their names already, get their places.
fn move_in(directory: &Path, pending: &Path, names: &[String]) -> Result<()> {
    let mut names = names.iter();
    names.try_for_each(|name| move_one(directory, pending, name, name))?;
    fs::remove_dir(pending).context("remove", pending)
}

fn move_one(directory: &Path, pending: &Path, source: &str, name: &str) -> Result<()> {
    let from = pending.join(source);
    fs::rename(&from, directory.join(name)).context("move", &from)
}

/// Deletes and retires the files before the new ones. What is done already is passed over.
fn rotate(directory: &Path, rotation: &Rotation, is_old: impl Fn(&str) -> bool) -> Result<()> {
    for name in &rotation.delete {
        let path = directory.join(name);
        unless_missing(fs::remove_file(&path)).context("remove", &path)?;
    }
    for name in rotation.retire.iter().filter(|name| is_old(name)) {
        let path = directory.join(name);
        let old = directory.join(FileName::old(name));
        unless_missing(fs::rename(&path, old)).context("rename", &path)?;
    }
    Ok(())
}

fn remove_note(pending: &Path) -> Result<()> {
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
    use crate::listed_directory::list;

    /// The content of a directory, empty if there is none.
    fn present(directory: &Path) -> Vec<Listed> {
        list(directory).unwrap_or_default()
    }

    fn names(directory: &Path) -> Vec<String> {
        let listed = present(directory).into_iter();
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
            let mut replacement = self.collect(slot, work, &files).unwrap();
            replacement.tidy().unwrap();
            replacement.decide().unwrap();
            replacement.carry_out().unwrap();
        }

        fn collect(
            &self,
            slot: &Slot,
            work: Vec<TempDir>,
            files: &[NewFile],
        ) -> Result<Replacement> {
            let result = NewResult {
                slot,
                tools: &[Tool::Callgrind],
                work,
                files,
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
    fn a_baseline_whose_replacement_an_earlier_version_was_stopped_at_is_finished() {
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
            let rotation = Rotation {
                delete: vec![obsolete.clone(), new[1].clone()],
                retire: Vec::new(),
                take: None,
            };
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

    /// A step of a replacement; `false`: there are no more.
    fn stop_before(pending: &Path, step: usize) -> bool {
        let Ok(Some(found)) = pending::read(pending) else {
            return false;
        };
        let directory = pending.parent().unwrap();
        let rotation = found.rotation.unwrap();
        let take = rotation.take.as_ref().unwrap();
        let mut steps: Vec<Box<dyn Fn()>> = Vec::new();
        for name in rotation.delete.clone() {
            let path = directory.join(name);
            steps.push(Box::new(move || fs::remove_file(&path).unwrap()));
        }
        for name in rotation.retire.clone() {
            let (path, old) = (directory.join(&name), directory.join(FileName::old(&name)));
            steps.push(Box::new(move || fs::rename(&path, &old).unwrap()));
        }
        for (source, name) in take.clone() {
            let (path, new) = (pending.join(source), directory.join(name));
            steps.push(Box::new(move || fs::rename(&path, &new).unwrap()));
        }
        let note = pending.join(NOTE);
        steps.push(Box::new(move || fs::remove_file(&note).unwrap()));
        steps.iter().take(step).for_each(|step| step());
        step <= steps.len()
    }

    /// Checks that a replacement of `old` by `new` comes to the same end wherever it is stopped, once or twice.
    #[track_caller]
    fn check_stopped_anywhere(slot: &Slot, before: &[&[&str]], new: &[&str], most: usize) {
        let prepare = || {
            let results = Results::new();
            for (number, names) in before.iter().enumerate() {
                results.replace_in(slot, names, &number.to_string());
            }
            let (work, files) = results.new_files(new, "new");
            let mut replacement = results.collect(slot, work, &files).unwrap();
            replacement.decide().unwrap();
            (results, replacement)
        };
        let (results, replacement) = prepare();
        replacement.carry_out().unwrap();
        let expected = results.state();
        let mut stops = 0;
        for step in 0.. {
            let (results, _) = prepare();
            let pending = results.entry().join(PENDING);
            if !stop_before(&pending, step) {
                break;
            }
            stops += 1;
            assert_eq!(finish(&results.entry()).unwrap(), None, "{step}");
            assert_eq!(results.state(), expected, "{step}");
            assert_eq!(finish(&results.entry()).unwrap(), None, "{step}");
            assert_eq!(results.state(), expected, "{step}");
        }
        assert_eq!(stops, most);
    }

    /// All states in which a replacement can be stopped after it was decided lead to the same end.
    #[test]
    fn a_replacement_that_was_stopped_anywhere_is_finished() {
        let both = ["callgrind.f.log", "callgrind.f.out", "summary.json"];
        // Two retired, three moved, the note, and none.
        check_stopped_anywhere(&Slot::Last, &[&both, &both], &both, 7);
        let two = ["callgrind.f.1.out", "callgrind.f.2.out"];
        // Two deleted, one retired.
        check_stopped_anywhere(&Slot::Last, &[&two, &both[1..2]], &both[..2], 7);
        check_stopped_anywhere(&Slot::Last, &[&both], &two, 6);
        check_stopped_anywhere(&Slot::Last, &[], &both, 5);
        // One of the new files has the name of an old one.
        let drawn = ["", ".old"].map(|end| format!("callgrind.f.total.Ir.flamegraph{end}.svg"));
        let drawn = [drawn[1].as_str(), drawn[0].as_str(), "callgrind.f.out"];
        check_stopped_anywhere(&Slot::Last, &[&drawn, &drawn], &drawn, 7);
        let main = Slot::Named("main".to_owned());
        check_stopped_anywhere(
            &main,
            &[&["callgrind.f.1.out", "callgrind.f.out"]],
            &both[..2],
            5,
        );
    }

    /// A benchmark file that is in the way of the end of a replacement is not taken for a new one.
    #[test]
    fn what_is_beside_the_new_files_goes() {
        let results = Results::new();
        let (work, files) = results.new_files(&["callgrind.f.out"], "1");
        let place = |name: &str| work[0].path().join(name);
        let left = [place("output"), place("sandbox"), place("missing")];
        fs::write(&left[0], "").unwrap();
        fs::create_dir_all(left[1].join("more")).unwrap();
        let result = NewResult {
            slot: &Slot::Last,
            tools: &[Tool::Callgrind],
            left: left.to_vec(),
            files: &files,
            work,
        };
        let mut replacement = collect(&results.entry(), &[], result).unwrap();
        replacement.tidy().unwrap();
        assert_eq!(names(&replacement.new), [NOTE, "raw-callgrind.f.out"]);
        // One that nobody knew.
        fs::write(replacement.new.join("unknown"), "").unwrap();
        replacement.decide().unwrap();
        replacement.carry_out().unwrap();
        check(&results, &[("callgrind.f.out", "1")]);
    }

    #[test]
    fn files_of_several_directories_get_together_and_the_last_of_a_name_is_kept() {
        let results = Results::new();
        let (mut work, mut files) = results.new_files(&["callgrind.f.out", "callgrind.f.log"], "1");
        let (others, theirs) = results.new_files(&["callgrind.f.out"], "2");
        work.extend(others);
        files.extend(theirs);
        let mut replacement = results.collect(&Slot::Last, work, &files).unwrap();
        replacement.tidy().unwrap();
        let left = names(&replacement.new);
        assert_eq!(left, [NOTE, "callgrind.f.out", "raw-callgrind.f.log"]);
        replacement.decide().unwrap();
        replacement.carry_out().unwrap();
        check(
            &results,
            &[("callgrind.f.log", "1"), ("callgrind.f.out", "2")],
        );
        assert_eq!(names(results.0.path()), ["entry"]);
    }

    /// The same for a note of an earlier version.
    #[test]
    fn a_replacement_that_an_earlier_version_was_stopped_at_is_finished() {
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
                take: None,
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
        // In another directory, from which it would be moved.
        let elsewhere = tempfile::tempdir().unwrap();
        files[1].path = elsewhere.path().join("missing");
        results.collect(&Slot::Last, work, &files).unwrap_err();
        check(&results, &[("callgrind.f.out", "1")]);
    }

    #[test]
    fn what_cannot_be_written_to_the_disk_replaces_nothing() {
        let results = Results::new();
        results.replace(&["callgrind.f.out"], "1");
        let (work, files) = results.new_files(&["callgrind.f.out"], "2");
        let mut replacement = results.collect(&Slot::Last, work, &files).unwrap();
        fs::remove_file(replacement.new.join("raw-callgrind.f.out")).unwrap();
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
            let error = results.collect(&Slot::Last, work, &files).unwrap_err();
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
