//! A replacement of the results of one benchmark: its steps, which are carried out together with those of others.

#![expect(
    clippy::disallowed_methods,
    reason = "this stage renames and deletes; nobody else does it to results"
)]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::super::rotation::Rotation;
use super::super::{remove_directory, sync, SUMMARY};
use super::finish::{carry_out, unless_missing};
use super::{NOTE, PENDING};
use crate::error::{FileContext, Result};

/// A replacement that is not decided yet: the new files are collected, and nothing else has changed.
#[derive(Debug)]
pub(in crate::store) struct Replacement {
    /// The directory of the benchmark.
    pub(super) directory: PathBuf,
    /// The directory of the new files, the first of `work`.
    pub(super) new: PathBuf,
    pub(super) rotation: Rotation,
    /// Files of this directory that are not kept.
    pub(super) left: Vec<PathBuf>,
    /// The private directories that the files come from, removed when this is dropped.
    pub(super) work: Vec<TempDir>,
}

impl Replacement {
    /// The directory of the benchmark.
    pub(in crate::store) fn directory(&self) -> &Path {
        &self.directory
    }

    /// The names of the new files before they get their final ones, with these.
    fn files(&self) -> &[(String, String)] {
        self.rotation.take.as_deref().unwrap_or_default()
    }

    /// Replaces the record among the new files by a more complete one. `Ok(false)`: there is none.
    pub(in crate::store) fn complete_summary(&self, json: &[u8]) -> Result<bool> {
        let mut files = self.files().iter();
        let Some((source, _)) = files.find(|(_, name)| name == SUMMARY) else {
            return Ok(false);
        };
        // The one that is there stays if the disk is full.
        let whole = self.new.join("whole");
        fs::write(&whole, json).context("write", &whole)?;
        fs::rename(&whole, self.new.join(source)).context("move", &whole)?;
        Ok(true)
    }

    /// Removes what is not kept.
    pub(in crate::store) fn tidy(&mut self) -> Result<()> {
        let mut left = self.left.iter();
        left.try_for_each(|path| remove(path).context("remove", path))
    }

    /// Begins to write the new files to the disk, which `sync` waits for.
    pub(in crate::store) fn begin_sync(&self) {
        for (source, _) in self.files() {
            sync::begin(&self.new.join(source));
        }
    }

    /// Writes the new files to the disk.
    pub(in crate::store) fn sync(&mut self) -> Result<()> {
        let sources = self.files().iter().map(|(source, _)| source.as_str());
        for name in sources.chain([NOTE]) {
            sync::file(&self.new.join(name))?;
        }
        sync::directory(&self.new)
    }

    /// Decides for the new files, which the disk has.
    pub(in crate::store) fn decide(&mut self) -> Result<()> {
        fs::rename(&self.new, self.directory.join(PENDING)).context("move", &self.new)?;
        // It is another one from now on.
        self.work[0].disable_cleanup(true);
        Ok(())
    }

    /// Writes the decision to the disk.
    pub(in crate::store) fn sync_decision(&mut self) -> Result<()> {
        sync::directory(&self.directory)
    }

    /// Carries out the decision, which the disk has.
    pub(in crate::store) fn carry_out(self) -> Result<()> {
        let pending = self.directory.join(PENDING);
        carry_out(
            &self.directory,
            &pending,
            &self.rotation,
            self.files(),
            |_| true,
        )
    }
}

/// Removes what nobody keeps: most often a file, and at times a directory.
fn remove(path: &Path) -> io::Result<()> {
    unless_missing(fs::remove_file(path)).or_else(|_| remove_directory(path))
}
