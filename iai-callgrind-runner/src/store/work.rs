//! Private directories, in which tools write and new results wait for their places.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use tempfile::TempDir;

use super::places::WORK_PREFIX;
use super::remove_directory;
use crate::error::Result;
use crate::private_directory;

/// A private directory on the file system of the results, removed when nobody has it any more.
#[derive(Debug, Clone)]
pub struct WorkDirectory(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    stays: AtomicBool,
}

impl From<TempDir> for WorkDirectory {
    fn from(directory: TempDir) -> Self {
        Self(Arc::new(Inner {
            path: directory.keep(),
            stays: AtomicBool::new(false),
        }))
    }
}

impl WorkDirectory {
    /// Makes one in this directory, with these permissions without those that the umask takes away.
    pub(super) fn make(parent: &Path, mode: u32) -> Result<Self> {
        Ok(private_directory::make(WORK_PREFIX, parent, mode)?.into())
    }

    /// The path of the directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The path of a file of this name in it.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Leaves the directory where it is: the note of a replacement tells of its files.
    pub(super) fn leave(&self) {
        self.0.stays.store(true, Ordering::Relaxed);
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if !*self.stays.get_mut() {
            if let Err(error) = remove_directory(&self.path) {
                log::debug!("`{}` is left: {error}", self.path.display());
            }
        }
    }
}
