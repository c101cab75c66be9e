//! Private directories in memory, for the files of small benchmarks that run one after the other.
//!
//! Most of what the tool writes for a benchmark is read once and removed. A file system on a disk makes and removes three files for it all the
//! same, and whatever writes to the disk meanwhile writes them as well: with files in memory a thousand small
//! benchmarks took 3 % less time, one as well as two at a time. What is kept is copied to the results.
//!
//! Nobody promises that there is room, so it is asked for before each run and after it.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::fcntl::{Flock, FlockArg};

use super::places::remove_directory;
use super::WorkDirectory;
use crate::error::Result;
use crate::os::memory as system;
use crate::private_directory;

/// Prefix of the names of the directories of runs, which no other directory of ours has: temporary files may be there as well.
const PREFIX: &str = "iai-callgrind-run-";

/// Bytes that have to be free before a run. Containers often have 64 MB in all.
const ENOUGH: u64 = 32 << 20;

/// Bytes that all runs together may have taken before another one begins. More than that is no small benchmark, and the memory is
/// that of the machine.
const MOST: u64 = 16 << 20;

/// Fewer free bytes after a run may mean that its files are not whole.
const LEAST: u64 = 8 << 20;

/// Fewer free files before or after a run are as good as none.
const FEWEST: u64 = 256;

/// A directory in memory, in which private directories lie. Removed when this is dropped.
#[derive(Debug)]
pub(super) struct Memory {
    directory: WorkDirectory,
    /// Bytes that were free at first.
    free: u64,
    /// There was too little room for a run.
    is_given_up: AtomicBool,
    /// Tells others that this run is there. Dropped after the directory.
    _lock: Flock<File>,
}

impl Memory {
    /// Makes a directory for a run whose results are there. `None`: the system has no such file system, it is full, or the results
    /// are in memory themselves.
    pub(super) fn open(results: &Path) -> Option<Self> {
        let place = system::place()?;
        if system::is_in_memory(results) || !system::is_in_memory(place) {
            return None;
        }
        Self::open_in(place).unwrap_or_else(|error| {
            log::debug!("nothing is kept in `{}`: {error}", place.display());
            None
        })
    }

    pub(super) fn open_in(place: &Path) -> io::Result<Option<Self>> {
        let directory = private_directory::in_place(PREFIX, place, private_directory::MODE)?;
        let directory = WorkDirectory::from(directory);
        let Some(lock) = lock(directory.path())? else {
            // Another run has just found it, and removes it.
            return Ok(None);
        };
        remove_left(place, directory.path().metadata()?.uid())?;
        let free = system::free(directory.path())?;
        let memory = Self {
            directory,
            free: free.bytes,
            is_given_up: AtomicBool::new(false),
            _lock: lock,
        };
        Ok(memory.has_room().then_some(memory))
    }

    /// Makes a private directory.
    pub(super) fn directory(&self) -> Result<WorkDirectory> {
        WorkDirectory::make(self.directory.path(), private_directory::MODE)
    }

    /// Is there room for the files of another run? No more when there was too little for one.
    pub(super) fn has_room(&self) -> bool {
        let is_enough = |now: u64| now >= ENOUGH && now.saturating_add(MOST) >= self.free;
        !self.is_given_up.load(Ordering::Relaxed) && self.bytes().is_some_and(is_enough)
    }

    /// Was there room for everything that has been written until now, and is it there?
    pub(super) fn had_room(&self) -> bool {
        let had_room = self.bytes().is_some_and(|now| now >= LEAST);
        if !had_room {
            self.give_up();
        }
        had_room
    }

    /// No further run has its files here.
    pub(super) fn give_up(&self) {
        self.is_given_up.store(true, Ordering::Relaxed);
    }

    /// The bytes that are free. `None`: there is no room for files, or the directory is gone.
    fn bytes(&self) -> Option<u64> {
        let free = system::free(self.directory.path()).ok()?;
        (free.files >= FEWEST).then_some(free.bytes)
    }
}

/// Removes the directories of runs that were killed, if they are those of this user.
fn remove_left(place: &Path, user: u32) -> io::Result<()> {
    for entry in fs::read_dir(place)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(PREFIX) {
            let path = entry.path();
            // What cannot be removed is in nobody's way.
            if let Err(error) = remove_if_left(&path, user) {
                log::debug!("`{}` is left: {error}", path.display());
            }
        }
    }
    Ok(())
}

fn remove_if_left(path: &Path, user: u32) -> io::Result<()> {
    let data = fs::symlink_metadata(path)?;
    if !data.is_dir() || data.uid() != user {
        return Ok(());
    }
    match lock(path)? {
        Some(_lock) => remove_directory(path),
        None => Ok(()),
    }
}

/// Locks the directory of a run. `None`: its run has done so, or it is gone.
fn lock(path: &Path) -> io::Result<Option<Flock<File>>> {
    let directory = File::open(path)?;
    let opened = directory.metadata()?;
    let Ok(lock) = Flock::lock(directory, FlockArg::LockExclusiveNonblock) else {
        return Ok(None);
    };
    let is_there = fs::symlink_metadata(path).is_ok_and(|now| now.ino() == opened.ino());
    Ok(is_there.then_some(lock))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn names(place: &Path) -> Vec<String> {
        let entries = fs::read_dir(place).unwrap();
        let mut names =
            Vec::from_iter(entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()));
        names.sort_unstable();
        names
    }

    #[test]
    fn nothing_is_left_of_a_run_and_nobody_else_enters() {
        let place = tempfile::tempdir().unwrap();
        let memory = Memory::open_in(place.path()).unwrap().unwrap();
        let mode = memory.directory.path().metadata().unwrap().mode();
        assert_eq!(mode & 0o777, 0o700);
        let directory = memory.directory().unwrap();
        fs::write(directory.path().join("out"), "").unwrap();
        drop(memory);
        drop(directory);
        assert!(names(place.path()).is_empty());
    }

    #[test]
    fn what_a_killed_run_left_is_removed_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let named = |end: &str| place.path().join(format!("{PREFIX}{end}"));
        fs::create_dir(named("left")).unwrap();
        fs::write(named("left").join("out"), "").unwrap();
        // What is made by others, or for other reasons.
        fs::create_dir(place.path().join("other")).unwrap();
        let temporary = private_directory::make("iai-callgrind-", place.path(), 0o700).unwrap();
        fs::write(named("file"), "").unwrap();
        symlink(place.path().join("other"), named("link")).unwrap();
        let first = Memory::open_in(place.path()).unwrap().unwrap();
        // Another run beside it.
        let second = Memory::open_in(place.path()).unwrap().unwrap();
        assert!(!named("left").exists());
        for memory in [&first, &second] {
            assert!(memory.directory.path().exists());
        }
        assert!(temporary.path().exists());
        drop((first, second, temporary));
        let kept = [
            format!("{PREFIX}file"),
            format!("{PREFIX}link"),
            "other".to_owned(),
        ];
        assert_eq!(names(place.path()), kept);
    }

    #[test]
    fn the_directory_of_another_user_stays() {
        let place = tempfile::tempdir().unwrap();
        let left = place.path().join(format!("{PREFIX}left"));
        fs::create_dir(&left).unwrap();
        let user = left.metadata().unwrap().uid();
        remove_left(place.path(), user + 1).unwrap();
        assert!(left.exists());
        remove_left(place.path(), user).unwrap();
        assert!(!left.exists());
    }

    #[test]
    fn room_is_asked_for() {
        let place = tempfile::tempdir().unwrap();
        let mut memory = Memory::open_in(place.path()).unwrap().unwrap();
        assert!(memory.has_room() && memory.had_room());
        // As if runs had taken so much.
        memory.free += MOST / 2;
        assert!(memory.has_room());
        memory.free += 2 * MOST;
        assert!(!memory.has_room() && memory.had_room());
        memory.free -= 2 * MOST;
        assert!(memory.has_room());
        // As a system does when its user has logged out.
        remove_directory(memory.directory.path()).unwrap();
        assert!(!memory.had_room() && !memory.has_room());
        fs::create_dir(memory.directory.path()).unwrap();
        assert!(memory.had_room() && !memory.has_room());
    }

    #[test]
    fn results_in_memory_need_no_other_place() {
        let memory = system::place().unwrap();
        assert!(Memory::open(memory).is_none());
    }
}
