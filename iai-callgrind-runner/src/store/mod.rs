//! Files on disk: where results lie, who may write them, and how new ones replace old ones.
//!
//! No other module renames or deletes results. One process at a time owns the directory of a bench file
//! ([`Store`] holds its lock). The files of a benchmark lie in a private directory below it until they
//! were read, and reach their final names in one step, which the next run finishes if the runner was
//! killed in the middle of it (`commit`).

mod commit;
mod lock;
mod name;
mod picture;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tempfile::TempDir;

pub use self::commit::NewFile;
pub(crate) use self::name::BASE;
pub use self::name::{FileName, Slot};
pub use self::picture::PictureName;
use crate::benchmark_path::BenchmarkPath;
use crate::error::{Error, FileContext, Result};
use crate::tool::{Tool, ToolFile};
use lock::Lock;

/// Prefix of the names of private directories.
const WORK_PREFIX: &str = ".work-";

/// Name of the record of the last result.
pub const SUMMARY: &str = "summary.json";

/// Name of the record of the last run, while [`SUMMARY`] is about a baseline.
pub(crate) const SUMMARY_OF_LAST: &str = "summary.json.last";

/// The results of one bench file: `<home>/<package>/<file>`.
#[derive(Debug)]
pub struct Store {
    home: PathBuf,
    directory: PathBuf,
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
        let directory = home.join(package).join(file);
        let unusable = |source| Error::Home {
            path: home.to_owned(),
            source,
        };
        fs::create_dir_all(&directory).map_err(unusable)?;
        let lock = Lock::acquire(&directory, waiting).map_err(unusable)?;
        let store = Self {
            home: home.to_owned(),
            directory,
            _lock: lock,
        };
        store.clear()?;
        Ok(store)
    }

    /// Deletes private directories. Since we hold the lock, their owners are gone.
    #[expect(clippy::disallowed_methods, reason = "this stage renames and deletes")]
    fn clear(&self) -> Result<()> {
        let list = fs::read_dir(&self.directory).context("list", &self.directory)?;
        for entry in list {
            let path = entry.context("list", &self.directory)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with(WORK_PREFIX) {
                log::debug!("removing `{}`, left by an earlier run", path.display());
                fs::remove_dir_all(&path).context("remove", &path)?;
            }
        }
        Ok(())
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
        tempfile::Builder::new()
            .prefix(WORK_PREFIX)
            .tempdir_in(&self.directory)
            .context("create a directory in", &self.directory)
    }

    /// The results of a benchmark. Finishes a replacement that a killed run began.
    ///
    /// # Errors
    ///
    /// A replacement that was begun cannot be finished.
    pub fn entry(&self, benchmark_path: &BenchmarkPath) -> Result<BenchmarkEntry> {
        let directory = self
            .directory
            .join(&benchmark_path.group)
            .join(name::limited(&benchmark_path.stem()));
        commit::finish(&directory)?;
        let home = self.directory.ancestors().nth(2);
        Ok(BenchmarkEntry {
            name: home
                .and_then(|home| directory.strip_prefix(home).ok())
                .unwrap_or(&directory)
                .to_string_lossy()
                .into_owned(),
            directory,
            names: OnceLock::new(),
        })
    }

    /// Replaces the record of the last result by a more complete one.
    ///
    /// # Errors
    ///
    /// The file cannot be written. The old record stays.
    #[expect(clippy::disallowed_methods, reason = "this stage renames and deletes")]
    pub fn complete_summary(&self, benchmark_path: &BenchmarkPath, json: &[u8]) -> Result<()> {
        let work = self.work_directory()?;
        let path = work.path().join(SUMMARY);
        fs::write(&path, json).context("write", &path)?;
        let summary = self.entry(benchmark_path)?.summary(&Slot::Last);
        fs::rename(&path, &summary).context("replace", &summary)
    }
}

/// The results of one benchmark: `<home>/<package>/<file>/<group>/<function>[.<id>]`.
#[derive(Debug)]
pub struct BenchmarkEntry {
    directory: PathBuf,
    name: String,
    /// File names in the directory, listed once: nothing is replaced before all of the last result was
    /// read.
    names: OnceLock<Vec<String>>,
}

impl BenchmarkEntry {
    /// Directory of the files.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The directory relative to the home: `<package>/<file>/<group>/<function>[.<id>]`.
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// Path of the record of a result.
    pub fn summary(&self, slot: &Slot) -> PathBuf {
        self.directory.join(slot.file(SUMMARY))
    }

    /// The files of this kind of a result of this tool, in the order of their names.
    ///
    /// # Errors
    ///
    /// The directory cannot be listed.
    pub fn files(&self, slot: &Slot, tool: Tool, file: ToolFile) -> Result<Vec<PathBuf>> {
        let names = match self.names.get() {
            Some(names) => names,
            None => {
                let names = commit::list(&self.directory)?;
                self.names.get_or_init(|| names)
            }
        };
        let files = names
            .iter()
            .filter(|name| FileName::is_file(name, slot, tool, file));
        Ok(files.map(|name| self.directory.join(name)).collect())
    }

    /// Replaces the results of these tools in a slot. Those of the last run become the old ones,
    /// those of a baseline are deleted. `files` lie in directories of [`Store::work_directory`], as
    /// `work` is one, and are moved.
    ///
    /// # Errors
    ///
    /// A file cannot be moved. Before the step that decides, everything stays as it was; after it,
    /// the next [`Store::entry`] goes on where this one stopped.
    pub fn replace(
        &self,
        slot: &Slot,
        tools: &[Tool],
        work: &Path,
        files: &[NewFile],
    ) -> Result<()> {
        commit::replace(&self.directory, slot, tools, work, files)
    }
}
