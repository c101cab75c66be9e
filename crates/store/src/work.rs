//! Private directories, in which tools write and new results wait for their places.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::places::WORK_PREFIX;
use super::remove_directory;
use crate::private_directory;
use base::file_operation::FileResult;

/// A private directory on the file system of the results, removed with all files in it when this is
/// dropped.
#[derive(Debug)]
pub struct WorkDirectory {
    path: PathBuf,
    stays: bool,
}

impl From<TempDir> for WorkDirectory {
    fn from(directory: TempDir) -> Self {
        Self {
            path: directory.keep(),
            stays: false,
        }
    }
}

impl WorkDirectory {
    /// Makes one in this directory, with these permissions without those that the umask takes away.
    pub(super) fn make(parent: &Path, mode: u32) -> FileResult<Self> {
        Ok(private_directory::make(WORK_PREFIX, parent, mode)?.into())
    }

    /// The path of the directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file of this name in it.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Leaves the directory where it is: the note of a replacement tells of its files.
    pub(super) fn leave(&mut self) {
        self.stays = true;
    }
}

impl Drop for WorkDirectory {
    fn drop(&mut self) {
        if !self.stays {
            if let Err(error) = remove_directory(&self.path) {
                log::debug!("`{}` is left: {error}", self.path.display());
            }
        }
    }
}
