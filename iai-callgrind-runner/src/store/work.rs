//! Private directories, in which tools write and new results wait for their places.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use tempfile::TempDir;

use super::remove_directory;

/// A private directory, on the file system of the results or in memory, removed when nobody has it any more.
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
    /// The path of the directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
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
