//! Files of records that were replaced, which become those of later ones.
//!
//! A file that nobody needs any more gives its blocks back, and where the file system tells the disk at once of blocks that are free (the mount
//! option `discard`), the thread that keeps results waits for the disk with each benchmark. Most records of a run are as long as those
//! before them. So a new record changes places with the old one (`commit/record.rs`), and the old one's file is written
//! anew for another benchmark. That is safe where
//!
//! - the disk knows that the file has lost its name: else a machine that stops may have the record of one benchmark under the name of another;
//! - nobody has the file open, who would read parts of both records, and it has no second name.

#![expect(
    clippy::disallowed_methods,
    reason = "removes files in private directories, which are no results any more"
)]

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::record_file::{NewFileMode, RecordFile};
use crate::os::open_files::is_open_here_only;
use crate::regular_file;

/// The most files that wait for a new record.
const MOST: usize = 256;

/// Files in a private directory that had the names of records.
#[derive(Debug, Default)]
pub(super) struct ReplacedRecords {
    state: Mutex<State>,
    /// The user of this process, who owns the directory.
    user: OnceLock<u32>,
}

#[derive(Debug, Default)]
struct State {
    /// Those of which the disk may not know yet that they have lost their names.
    named: Vec<ReplacedRecord>,
    free: Vec<ReplacedRecord>,
}

#[derive(Debug)]
struct ReplacedRecord {
    path: PathBuf,
    length: u64,
}

impl ReplacedRecords {
    /// Takes over the file at this path, of this length, which had the name of a record a moment ago.
    pub(super) fn add(&self, path: PathBuf, length: u64) {
        let mut state = self.lock();
        if state.named.len() + state.free.len() < MOST {
            state.named.push(ReplacedRecord { path, length });
            return;
        }
        drop(state);
        remove(&path);
    }

    /// The disk has everything that happened before this call.
    pub(super) fn are_on_disk(&self) {
        let mut state = self.lock();
        let State { named, free } = &mut *state;
        free.append(named);
    }

    /// A file for a record of this length, with these permissions. `None`: there is none that may be written anew.
    pub(super) fn take(&self, length: u64, mode: NewFileMode) -> Option<RecordFile> {
        loop {
            let path = self.lock().next(length)?.path;
            match self.opened(&path, mode) {
                Some((file, length)) => return Some(RecordFile::opened(file, path, length)),
                None => remove(&path),
            }
        }
    }

    /// Opens a file, if nobody else can see that it is written, and it is as a new one would be.
    fn opened(&self, path: &Path, mode: NewFileMode) -> Option<(File, u64)> {
        let file = regular_file::checked(OpenOptions::new().write(true), path).ok()?;
        let data = file.metadata().ok()?;
        let owner = || path.parent()?.metadata().ok().map(|data| data.uid());
        let user = *self.user.get_or_init(|| owner().unwrap_or(u32::MAX));
        let is_like_new = data.uid() == user && mode.is_that_of(&data);
        let is_ours = is_like_new && data.nlink() == 1 && is_open_here_only(&file);
        is_ours.then_some((file, data.len()))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Each change is complete in itself.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// One that need not be made shorter, if there is one: that is a call more, and a dear one.
    fn next(&mut self, length: u64) -> Option<ReplacedRecord> {
        let last = self.free.len().checked_sub(1)?;
        let fits = self.free.iter().rposition(|free| free.length <= length);
        Some(self.free.swap_remove(fits.unwrap_or(last)))
    }
}

fn remove(path: &Path) {
    // What is left goes with the directory.
    let _ = fs::remove_file(path);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory with the file of a record that was replaced.
    fn replaced(text: &str) -> (ReplacedRecords, tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("record");
        fs::write(&path, text).unwrap();
        let replaced = ReplacedRecords::default();
        replaced.add(path.clone(), text.len() as u64);
        (replaced, directory, path)
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_file_is_written_anew_when_the_disk_knows_that_it_has_no_name() {
        for new in ["the new one", "new", "the old and more"] {
            let (replaced, _directory, path) = replaced("the old one");
            let take = || replaced.take(3, NewFileMode::detect());
            assert!(take().is_none());
            replaced.are_on_disk();
            let file = take().unwrap();
            assert!(take().is_none());
            assert_eq!(file.write(new.as_bytes()).unwrap(), path);
            assert_eq!(fs::read_to_string(path).unwrap(), new);
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_others_may_see_is_not_written() {
        type Spoil = fn(&Path) -> Option<File>;
        let spoils: [Spoil; 4] = [
            |path| Some(File::open(path).unwrap()),
            |path| {
                fs::hard_link(path, path.with_extension("backup")).unwrap();
                None
            },
            |path| {
                use std::os::unix::fs::PermissionsExt;
                fs::set_permissions(path, fs::Permissions::from_mode(0o606)).unwrap();
                None
            },
            |path| {
                let elsewhere = path.with_extension("elsewhere");
                fs::rename(path, &elsewhere).unwrap();
                std::os::unix::fs::symlink(elsewhere, path).unwrap();
                None
            },
        ];
        for spoil in spoils {
            let (replaced, _directory, path) = replaced("old");
            let open = spoil(&path);
            replaced.are_on_disk();
            assert!(replaced.take(3, NewFileMode::detect()).is_none());
            assert!(fs::symlink_metadata(&path).is_err());
            drop(open);
        }
        let (replaced, _directory, _) = replaced("old");
        replaced.are_on_disk();
        assert!(replaced.take(3, NewFileMode::UNKNOWN).is_none());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_one_that_is_short_enough_comes_first() {
        let directory = tempfile::tempdir().unwrap();
        let replaced = ReplacedRecords::default();
        for length in [9, 5, 8] {
            let path = directory.path().join(length.to_string());
            fs::write(&path, "x".repeat(length)).unwrap();
            replaced.add(path, length as u64);
        }
        replaced.are_on_disk();
        let write = |text: &str| {
            let file = replaced.take(text.len() as u64, NewFileMode::detect());
            let path = file.unwrap().write(text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            path.file_name().unwrap().to_owned()
        };
        assert_eq!(write("7777777"), "5");
        assert_eq!(write("88888888"), "8");
        assert_eq!(write("1"), "9");
    }

    #[test]
    fn only_so_many_wait() {
        let (replaced, directory, path) = replaced("old");
        for number in 1..=MOST {
            let path = path.with_extension(number.to_string());
            fs::write(&path, "").unwrap();
            replaced.add(path, 0);
        }
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), MOST);
    }
}
