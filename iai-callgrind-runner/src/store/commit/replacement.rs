//! A replacement of the results of one benchmark, until a note tells of it.

#![expect(
    clippy::disallowed_methods,
    reason = "this stage renames and deletes; nobody else does it to results"
)]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::super::rotation::Rotation;
use super::super::{remove_directory, sync, RunDirectory, SUMMARY};
use crate::error::{FileContext, Result};

/// A replacement that is not decided yet: the new files are collected, and nothing else has changed.
#[derive(Debug)]
pub(in crate::store) struct Replacement {
    /// The directory of the bench file.
    pub(super) base: PathBuf,
    /// The directory of the benchmark.
    pub(super) directory: PathBuf,
    pub(super) rotation: Rotation,
    /// Files that are not kept.
    pub(super) left: Vec<PathBuf>,
    /// The private directories in which the new files are.
    pub(super) work: Vec<RunDirectory>,
}

impl Replacement {
    /// The directory of the benchmark.
    pub(in crate::store) fn directory(&self) -> &Path {
        &self.directory
    }

    /// The paths of the new files before they get their places.
    fn sources(&self) -> impl Iterator<Item = PathBuf> + '_ {
        let take = self.rotation.take.iter();
        take.map(|(source, _)| self.base.join(source))
    }

    /// Replaces the record among the new files by a more complete one. `Ok(false)`: there is none.
    pub(in crate::store) fn complete_summary(&self, json: &[u8]) -> Result<bool> {
        let mut take = self.rotation.take.iter();
        let Some((source, _)) = take.find(|(_, name)| name == SUMMARY) else {
            return Ok(false);
        };
        let path = self.base.join(source);
        // The one that is there stays if the disk is full.
        let whole = self.work[0].file("whole")?;
        fs::write(&whole, json).context("write", &whole)?;
        fs::rename(&whole, &path).context("move", &whole)?;
        Ok(true)
    }

    /// Does it replace the record and nothing else?
    pub(super) fn is_of_record(&self) -> bool {
        let Rotation {
            directory: _,
            delete,
            retire,
            take,
        } = &self.rotation;
        let is_record = matches!(take.as_slice(), [(_, name)] if name == SUMMARY);
        is_record && delete.is_empty() && retire.is_empty()
    }

    /// Removes what is not kept.
    pub(super) fn tidy(&mut self) -> Result<()> {
        let mut left = self.left.iter();
        left.try_for_each(|path| remove(path).context("remove", path))
    }

    /// Begins to write the new files to the disk, which `sync` waits for.
    pub(super) fn begin_sync(&self) {
        self.sources().for_each(|path| sync::begin(&path));
    }

    /// Writes the new files to the disk.
    pub(super) fn sync(&mut self) -> Result<()> {
        self.sources().try_for_each(|path| sync::file(&path))?;
        let mut kept = self.work.iter().filter_map(RunDirectory::kept);
        kept.try_for_each(|kept| sync::directory(kept.path()))
    }
}

/// Removes what nobody keeps: most often a file, and at times a directory.
fn remove(path: &Path) -> io::Result<()> {
    unless_missing(fs::remove_file(path)).or_else(|_| remove_directory(path))
}

pub(super) fn unless_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
