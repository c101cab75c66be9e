//! Files on disk: where results lie, who may write them, and how new ones replace old ones.
//!
//! No other module renames or deletes results. One process at a time owns the directory of a bench file
//! ([`Store`] holds its lock). The files of a benchmark lie in a private directory below it until they
//! were read, and reach their final names in one step, which the next run finishes if the runner was
//! killed in the middle of it (`commit`).
//!
//! What is found on disk is data that others may have written: names are checked, links are not followed, and
//! what is no regular file is not opened.

mod commit;
mod committer;
mod entry;
mod lock;
mod name;
mod pending;
mod picture;
mod places;
mod rotation;
mod sync;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tempfile::TempDir;

pub use self::commit::NewFile;
pub use self::entry::BenchmarkEntry;
pub(crate) use self::name::BASE;
pub use self::name::{FileName, Slot};
pub use self::picture::PictureName;
pub(crate) use self::places::remove_directory;
use crate::benchmark_path::BenchmarkPath;
use crate::error::{Error, FileContext, Result};
use crate::private_directory;
use crate::tool::Tool;
use committer::Committer;
use lock::Lock;

/// Name of the record of the last result.
pub const SUMMARY: &str = "summary.json";

/// Name of the record of the last run, while [`SUMMARY`] is about a baseline.
pub(crate) const SUMMARY_OF_LAST: &str = "summary.json.last";

/// The results of one bench file: `<home>/<package>/<file>`.
#[derive(Debug)]
pub struct Store {
    home: PathBuf,
    directory: PathBuf,
    /// Permissions of private directories, from which those that the user withholds are taken away.
    private: u32,
    // Dropped in this order: what is under way needs the lock.
    committer: Committer,
    _lock: Lock,
}

impl Store {
    /// Locks the directory and deletes files that a killed run left there. Waits for another run of the
    /// same bench file; `waiting` gets the name of that process.
    ///
    /// # Errors
    ///
    /// The directory cannot be made or written.
    pub fn open(
        home: &Path,
        package: &str,
        file: &str,
        waiting: impl FnOnce(&str),
    ) -> Result<Self> {
        let unusable = |source| Error::Home {
            path: home.to_owned(),
            source,
        };
        places::check_length(&home.join(package).join(file)).map_err(unusable)?;
        places::make(home).map_err(unusable)?;
        let package = places::real_directory(home, package).map_err(unusable)?;
        let directory = places::real_directory(&package, file).map_err(unusable)?;
        let lock = Lock::acquire(&directory, waiting).map_err(unusable)?;
        places::remove_left(&directory).context("list", &directory)?;
        Ok(Self {
            home: home.to_owned(),
            directory,
            private: private_directory::MODE,
            committer: Committer::default(),
            _lock: lock,
        })
    }

    /// Lets other users into private directories, as far as the umask does: a program that starts the tools
    /// may run them as somebody else.
    #[must_use]
    pub fn open_to_others(self) -> Self {
        Self {
            private: 0o777,
            ..self
        }
    }

    /// Directory with all results.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// A private directory on the file system of the results; deleted when dropped.
    ///
    /// # Errors
    ///
    /// The directory cannot be made.
    pub fn work_directory(&self) -> Result<TempDir> {
        private_directory::make(places::WORK_PREFIX, &self.directory, self.private)
    }

    /// The results of a benchmark. Finishes a replacement that a killed run began, or sets it aside if it is
    /// damaged, of which [`BenchmarkEntry::warning`] tells.
    ///
    /// # Errors
    ///
    /// A replacement that was begun cannot be finished, or the place is no directory.
    pub fn entry(&self, benchmark_path: &BenchmarkPath) -> Result<BenchmarkEntry> {
        let directory = self.directory_of(benchmark_path);
        self.committer.wait_for(&directory);
        let group = self.directory.join(&benchmark_path.group);
        let is_there = places::is_real(&group)
            .and_then(|is_there| Ok(is_there && places::is_real(&directory)?))
            .context("keep results in", &directory)?;
        let warning = match is_there {
            true => commit::finish(&directory)?,
            false => None,
        };
        let home = self.directory.ancestors().nth(2);
        Ok(BenchmarkEntry {
            name: home
                .and_then(|home| directory.strip_prefix(home).ok())
                .unwrap_or(&directory)
                .to_string_lossy()
                .into_owned(),
            directory,
            names: OnceLock::new(),
            warning,
        })
    }

    fn directory_of(&self, benchmark_path: &BenchmarkPath) -> PathBuf {
        self.directory
            .join(&benchmark_path.group)
            .join(name::limited(&benchmark_path.stem()))
    }

    /// Replaces the results of these tools in a slot. Those of the last run become the old ones,
    /// those of a baseline are deleted. `files` lie in `work`, which are directories of
    /// [`Store::work_directory`], and are moved.
    ///
    /// The files are collected at once, and get their places when the disk has them: before the next
    /// [`Store::entry`] of this benchmark, or at [`Store::settle`].
    ///
    /// # Errors
    ///
    /// A file cannot be moved. Everything stays as it was.
    pub fn replace(
        &self,
        entry: &BenchmarkEntry,
        slot: &Slot,
        tools: &[Tool],
        work: Vec<TempDir>,
        files: &[NewFile],
    ) -> Result<()> {
        // What is listed now has to be what is there then.
        self.committer.wait_for(entry.directory());
        let replacement = commit::collect(entry.directory(), slot, tools, work, files)?;
        self.committer.add(replacement)
    }

    /// Replaces the record of the last result by a more complete one, after the replacements before it.
    ///
    /// # Errors
    ///
    /// The file cannot be written. The old record stays.
    pub fn complete_summary(&self, benchmark_path: &BenchmarkPath, json: &[u8]) -> Result<()> {
        let directory = self.directory_of(benchmark_path);
        if self.committer.complete_summary(&directory, json)? {
            return Ok(());
        }
        let work = self.work_directory()?;
        let path = work.path().join(SUMMARY);
        fs::write(&path, json).context("write", &path)?;
        let file = NewFile {
            path,
            name: SUMMARY.to_owned(),
        };
        // Of no tool, so no other file changes its name.
        let replacement = commit::collect(&directory, &Slot::Last, &[], vec![work], &[file])?;
        self.committer.add(replacement)
    }

    /// Waits until all results are in their places, and returns the reasons why some could not be kept.
    pub fn settle(&self) -> Vec<Error> {
        self.committer.wait()
    }
}
