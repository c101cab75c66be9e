//! Files on disk: where results lie, who may write them, and how new ones replace old ones.
//!
//! **In**: where results lie, and files of a benchmark that were found whole. **Out**: the same
//! files under their names, those of the run before as `.old`, the records of the run. No other
//! crate renames or deletes results. One process at a time owns the directory of a bench
//! file ([`Store`] holds its lock). The files of a benchmark lie in a private directory below it
//! until they were read, and reach their final names in one step, which the next run finishes if
//! the runner was killed in the middle of it (`commit`).
//!
//! Everything on disk may have been written by others: names are checked, links are not followed,
//! and only regular files are opened. `docs/design/replacing-results.md` has the reasons.
//!
//! `<home>` is `iai` in the target directory, or `--home`.
//!
//! ```text
//! <home>/
//!   report.html                the page of `open`                                  commands/open.rs
//!   .told-*                    empty: a hint that is given once was given          hints.rs
//!   <package>/<bench file>/
//!     .lock                    one run at a time; names the owner's process        lock.rs
//!     .work-*                  private directory: new files until they have        work.rs, places.rs
//!                              their places; removed by a guard or the next run
//!     .pending                 note of the replacements that are decided           commit/
//!     .damaged-*               a note that no run can have written, set aside      commit/finish.rs
//!     .executables/<hash>      copies of executables, for `--time`                 executables.rs
//!     results.jsonl            record of each result in the home                   records.rs
//!     results.jsonl.old        the records that those were compared with           records.rs
//!     history.jsonl            a line for each run that changed something          history.rs
//!     <group>/<function>[.<id>]/
//!       summary.json           record of the last result of the benchmark
//!       summary.json.last      records that `summary.json` is not about, a line each
//!       <tool>.<stem>[.<pid>][.t<thread>][.p<part>].out, .log, …                   records: layout/
//!       perf.<stem>.data, .record.log        what `perf record` wrote              records: layout/
//!       callgrind.<stem>.digest              explains the result later             explain::format
//!       dhat.<stem>.digest                   the stacks that allocated             heap_stacks
//!       <tool>.<stem>.total.<metric>.flamegraph[.<results>].svg                    records: layout/
//! ```
//!
//! ```
//! use iai_callgrind_store::Store;
//!
//! let home = tempfile::tempdir()?;
//! let store = Store::open(home.path(), "app", "my_benchmark", |owner| {
//!     eprintln!("waiting for {owner}");
//! })?;
//! assert!(home.path().join("app/my_benchmark/.lock").is_file());
//! drop(store);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `<stem>` is `<function>[.<id>]`. `.old` after a name is the same file of the run before,
//! `.base@<name>` that of a baseline.

#![cfg(unix)]

mod baselines;
mod commit;
mod error;
mod executables;
mod hints;
mod history;
mod lock;
mod old_executable;
mod places;
pub mod private_directory;
mod records;
mod rotation;
mod whole_file;
mod work;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{fs, io};

pub use self::commit::{NewFile, NewResult};
pub use self::error::StoreError;
pub use self::hints::{Hint, Hints};
pub use self::old_executable::{not_kept, OldExecutable, TimeBase, TimedBenchmark};
pub use self::places::remove_directory;
pub use self::records::{NewRecords, RecordsInPlace};
pub use self::whole_file::{write_whole, write_whole_with};
pub use self::work::WorkDirectory;
use ::records::layout::{limited, BenchmarkEntry, Slot, SUMMARY};
use base::benchmark_path::BenchmarkPath;
use base::file_operation::{FileContext, FileResult};
use base::listed_directory::{self, Listed};
use commit::Unfinished;
use lock::Lock;

/// The results of one bench file: `<home>/<package>/<file>`.
#[derive(Debug)]
pub struct Store {
    home: PathBuf,
    directory: PathBuf,
    /// Permissions of private directories, from which those that the user withholds are taken away.
    private: u32,
    /// The groups whose directories were found to be real ones.
    groups: Mutex<BTreeSet<String>>,
    warning: Option<String>,
    /// The executables that this run has kept.
    executables: Mutex<BTreeSet<String>>,
    /// Locked while a replacement is carried out: there is one note.
    unfinished: Mutex<Unfinished>,
    _lock: Lock,
}

impl Store {
    /// The hints that were given.
    #[must_use]
    pub fn hints(&self) -> Hints {
        Hints::below(&self.home)
    }

    /// Locks the directory, finishes the replacements of results that a killed run began, and
    /// deletes what else it left there. Waits for another run of the same bench file; `waiting`
    /// gets the name of that process.
    ///
    /// # Errors
    ///
    /// The directory cannot be made or written.
    pub fn open(
        home: &Path,
        package: &str,
        file: &str,
        waiting: impl FnOnce(&str),
    ) -> Result<Self, StoreError> {
        let unusable = |source| StoreError::Home {
            path: home.to_owned(),
            source,
        };
        places::check_length(&home.join(package).join(file)).map_err(unusable)?;
        places::make(home).map_err(unusable)?;
        let package = places::real_directory(home, package).map_err(unusable)?;
        let directory = places::real_directory(&package, file).map_err(unusable)?;
        let lock = Lock::acquire(&directory, waiting).map_err(unusable)?;
        let (unfinished, warning) = commit::finish(&directory)?;
        places::remove_left(&directory, |name| unfinished.needs(name))
            .context("list", &directory)?;
        Ok(Self {
            home: home.to_owned(),
            private: private_directory::MODE,
            groups: Mutex::default(),
            warning,
            executables: Mutex::default(),
            unfinished: Mutex::new(unfinished),
            directory,
            _lock: lock,
        })
    }

    /// Lets other users into private directories, as far as the umask does: a program that starts
    /// the tools may run them as another user.
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
    pub fn work_directory(&self) -> FileResult<WorkDirectory> {
        WorkDirectory::make(&self.directory, self.private)
    }

    /// Warning about replacements that could not be finished since they are damaged.
    #[must_use]
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    /// The results of a benchmark.
    ///
    /// # Errors
    ///
    /// A replacement that was begun cannot be finished, or the place is no directory.
    pub fn entry(&self, benchmark_path: &BenchmarkPath) -> FileResult<BenchmarkEntry> {
        let directory = self.directory_of(benchmark_path);
        self.check_finished(&directory)?;
        let listed = self.listed(&benchmark_path.group, &directory)?;
        let home = self.directory.ancestors().nth(2);
        let name = home.and_then(|home| directory.strip_prefix(home).ok());
        let name = name.unwrap_or(&directory).to_string_lossy().into_owned();
        Ok(BenchmarkEntry::new(directory, name, listed))
    }

    /// Fails while decided results of a benchmark are not in their places.
    fn check_finished(&self, directory: &Path) -> FileResult<()> {
        match self.unfinished().reason(&self.directory, directory) {
            None => Ok(()),
            Some(reason) => {
                let text = format!("its last result is not in its place: {reason}");
                Err(io::Error::other(text)).context("keep results in", directory)
            }
        }
    }

    fn unfinished(&self) -> MutexGuard<'_, Unfinished> {
        // Each change is complete in itself.
        let unfinished = self.unfinished.lock();
        unfinished.unwrap_or_else(PoisonError::into_inner)
    }

    /// Path of a file of a result, whether or not it is there.
    pub fn file(&self, benchmark_path: &BenchmarkPath, slot: &Slot, name: &str) -> PathBuf {
        self.directory_of(benchmark_path).join(slot.file(name))
    }

    /// The content of the directory of a benchmark; empty if there is none.
    fn listed(&self, group: &str, directory: &Path) -> FileResult<Vec<Listed>> {
        let mut groups = self.groups.lock().unwrap_or_else(PoisonError::into_inner);
        if !groups.contains(group) {
            let is_there = places::is_real(&self.directory.join(group));
            if !is_there.context("keep results in", directory)? {
                return Ok(Vec::new());
            }
            groups.insert(group.to_owned());
        }
        drop(groups);
        let listed = listed_directory::list(directory).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => Ok(Vec::new()),
            // Says what is there instead.
            _ => places::is_real(directory).and(Err(error)),
        });
        listed.context("keep results in", directory)
    }

    fn directory_of(&self, benchmark_path: &BenchmarkPath) -> PathBuf {
        self.directory
            .join(&benchmark_path.group)
            .join(limited(&benchmark_path.stem()))
    }

    /// Replaces results by new ones. Those of the last run become the old ones, those of a baseline
    /// are deleted. The files lie in directories of [`Store::work_directory`], and are moved.
    ///
    /// # Errors
    ///
    /// A file cannot be moved. Everything stays as it was, or the next run finishes what this one
    /// has decided.
    pub fn replace(&self, entry: &BenchmarkEntry, result: NewResult<'_>) -> FileResult<()> {
        self.check_finished(entry.directory())?;
        self.commit(entry.directory(), entry.listed(), result)
    }

    /// Replaces the record of the last result by a more complete one.
    ///
    /// # Errors
    ///
    /// The file cannot be written. The old record stays.
    pub fn complete_summary(&self, benchmark_path: &BenchmarkPath, json: &[u8]) -> FileResult<()> {
        let directory = self.directory_of(benchmark_path);
        self.check_finished(&directory)?;
        let work = self.work_directory()?;
        let path = work.file(SUMMARY);
        fs::write(&path, json).context("write", &path)?;
        let file = NewFile {
            path,
            name: SUMMARY.to_owned(),
        };
        let listed = self.listed(&benchmark_path.group, &directory)?;
        let result = NewResult {
            slot: &Slot::Last,
            // No tool is named, so no other file is renamed.
            tools: &[],
            work: vec![work],
            files: &[file],
        };
        self.commit(&directory, &listed, result)
    }

    fn commit(&self, directory: &Path, listed: &[Listed], result: NewResult<'_>) -> FileResult<()> {
        let replacement = commit::collect(&self.directory, directory, listed, result)?;
        commit::replace(replacement, &mut self.unfinished())
    }
}
