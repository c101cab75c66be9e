//! Where files of runs in memory go that are kept: a private directory on the file system of the results.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::replaced_records::ReplacedRecords;
use super::WorkDirectory;
use crate::error::Result;
use crate::private_directory;

/// A private directory that many runs have in common, made when the first file comes.
#[derive(Debug)]
pub(super) struct KeptPlace {
    /// The directory of the bench file.
    base: PathBuf,
    state: Mutex<State>,
    /// Files in it that had the names of records.
    pub(super) replaced: ReplacedRecords,
}

#[derive(Debug, Default)]
struct State {
    directory: Option<WorkDirectory>,
    /// The number of the last file.
    last: u64,
}

impl KeptPlace {
    /// One below the directory of a bench file.
    pub(super) fn new(base: PathBuf) -> Self {
        Self {
            base,
            state: Mutex::default(),
            replaced: ReplacedRecords::default(),
        }
    }

    /// The path of a file with this name at its end, which nobody else has.
    pub(super) fn file(&self, name: &str) -> Result<PathBuf> {
        let mut state = self.lock();
        let directory = match state.directory.take() {
            Some(made) => made,
            None => WorkDirectory::make(&self.base, private_directory::MODE)?,
        };
        state.last += 1;
        let path = directory.path().join(format!("{}-{name}", state.last));
        state.directory = Some(directory);
        Ok(path)
    }

    /// The directory, if there is a file that went there.
    pub(super) fn directory(&self) -> Option<WorkDirectory> {
        self.lock().directory.clone()
    }

    /// Does a file lie there?
    pub(super) fn has(&self, path: &Path) -> bool {
        let state = self.lock();
        let directory = state.directory.as_ref().map(WorkDirectory::path);
        directory.is_some() && path.parent() == directory
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Each change is complete in itself.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_has_a_path_of_its_own() {
        let root = tempfile::tempdir().unwrap();
        let kept = KeptPlace::new(root.path().to_owned());
        assert!(kept.directory().is_none());
        assert!(!kept.has(&root.path().join("x")));
        let files = [(); 2].map(|()| kept.file("x").unwrap());
        assert_ne!(files[0], files[1]);
        let directory = kept.directory().unwrap();
        for path in &files {
            assert!(kept.has(path));
            assert_eq!(path.parent(), Some(directory.path()));
        }
        drop((kept, directory));
        assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0);
    }
}
