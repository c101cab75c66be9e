//! The file of accepted counts: its path and its content.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::home::seen_from_here;
use crate::error::{Error, FileContext, Result};
use base::os::file_lock::FileLock;
use base::regular_file;
use project::place_of_file;
use verdict::accepted::{self, AcceptedCounts, FILE_NAME};

/// The longest file, in bytes: tens of thousands of lines. It may come from a pull request.
const LONGEST: u64 = 8 << 20;

const IS_LINK: &str = "it is a symbolic link, which may lead out of the project\n  \
                       hint: replace it by the file, or name the file with `--accepted=<file>`";

/// A file of accepted counts, which need not be there.
#[derive(Debug, Clone)]
pub(super) struct AcceptedFile {
    pub(super) path: PathBuf,
    /// Was it named on the command line?
    is_named: bool,
    /// Does nothing here or above tell where the file belongs: no workspace, no repository and no
    /// file of accepted counts?
    is_homeless: bool,
}

impl AcceptedFile {
    /// The file that the user names; else the nearest one here or above, up to the root of the
    /// workspace.
    pub(super) fn find(named: Option<&Path>) -> Self {
        if let Some(path) = named {
            return Self {
                path: path.to_owned(),
                is_named: true,
                is_homeless: false,
            };
        }
        let here = std::path::absolute(".").unwrap_or_default();
        let place = place_of_file(FILE_NAME, &here);
        Self {
            path: seen_from_here(place.unwrap_or(&here).join(FILE_NAME)),
            is_named: false,
            is_homeless: place.is_none(),
        }
    }

    /// Fails where a new file would lie beside no project, and nothing would read it.
    pub(super) fn belongs_somewhere(&self) -> Result<()> {
        match self.is_homeless {
            false => Ok(()),
            true => Err(Error::Results(format!(
                "`{}` would be in no project: neither here nor above is a `Cargo.lock` or a repository\n  \
                 hint: run it in the workspace, or name the file with `--accepted=<file>`",
                self.path.display()
            ))),
        }
    }

    /// Keeps other processes from accepting into this file until it is dropped: each of them reads
    /// the file and replaces it. The lock is on the directory, so that no file is left behind.
    /// `None`: the file system has no such locks.
    pub(super) fn lock(&self) -> Option<FileLock> {
        // The lock is on the directory in which the file itself lies, whatever link leads there.
        let place = self.path.canonicalize();
        let place = place.or_else(|_| std::path::absolute(&self.path)).ok()?;
        let directory = File::open(place.parent()?).ok()?;
        FileLock::wait(directory).ok()
    }

    /// The text, if the file is there.
    pub(super) fn text(&self) -> Result<Option<String>> {
        let read = || {
            let bytes = match self.is_named {
                true => regular_file::read_named(&self.path, LONGEST)?,
                // It may come with a pull request, as a FIFO or as a link to any file, which
                // `accept` would write to.
                false if self.path.is_symlink() => return Err(io::Error::other(IS_LINK)),
                false => regular_file::read(&self.path, LONGEST)?,
            };
            String::from_utf8(bytes).map_err(io::Error::other)
        };
        match read() {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).context("read", &self.path)?,
        }
    }

    /// The counts. A file that the user names has to be there.
    pub(super) fn counts(&self) -> Result<AcceptedCounts> {
        match self.text()? {
            Some(text) => accepted::parse(&text).map_err(|error| self.mistake(&error)),
            None if self.is_named => {
                Err(io::ErrorKind::NotFound.into()).context("read", &self.path)?
            }
            None => Ok(AcceptedCounts::default()),
        }
    }

    /// A mistake in the file.
    pub(super) fn mistake(&self, error: &dyn std::error::Error) -> Error {
        Error::Results(format!("`{}`, {error}", self.path.display()))
    }

    /// The name of the file, for notes.
    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }
}
