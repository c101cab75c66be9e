//! The note of replacements that are decided: a list of rotations, in JSON.

#![expect(
    clippy::disallowed_methods,
    reason = "this stage renames and deletes; nobody else does it to results"
)]

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::super::rotation::Rotation;
use super::finish::unless_missing;
use super::PENDING;
use base::file_operation::{FileContext, FileResult};
use base::regular_file;

/// The most bytes of a note, above that of a benchmark with a hundred thousand files.
const LONGEST: u64 = 16 << 20;

/// The note until it is decided.
const NEW: &str = ".pending.new";

/// A note that cannot be carried out.
#[derive(Debug)]
pub(super) enum NoteError {
    /// The file could not be read, maybe only now.
    Io(io::Error),
    /// The note is not one that a run has written as a whole: the reason.
    Damaged(String),
}

/// The path of the note.
pub(super) fn path(base: &Path) -> PathBuf {
    base.join(PENDING)
}

/// Decides for these replacements.
pub(super) fn write(base: &Path, rotations: &[&Rotation]) -> FileResult<()> {
    let bytes = serde_json::to_vec(rotations).expect("lists of strings are JSON");
    let new = base.join(NEW);
    // Leftover of a killed run, or a file or link of another user, which must not be written to.
    unless_missing(fs::remove_file(&new)).context("remove", &new)?;
    let mut options = OpenOptions::new();
    let file = options.write(true).create_new(true).open(&new);
    let written = file.and_then(|mut file| file.write_all(&bytes));
    if written.is_err() {
        // Nothing decided it, and a full disk has no room for it.
        let _ = fs::remove_file(&new);
    }
    written.context("write", &new)?;
    fs::rename(&new, path(base)).context("move", &new)
}

/// Removes the note: everything in it is done.
pub(super) fn remove(base: &Path) -> FileResult<()> {
    let path = path(base);
    fs::remove_file(&path).context("remove", &path)
}

/// Reads the note. `None`: there is none.
pub(super) fn read(base: &Path) -> Result<Option<Vec<Rotation>>, NoteError> {
    let bytes = match regular_file::read(&path(base), LONGEST) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        // Something else than a file, which stays so.
        Err(error) if error.raw_os_error().is_none() => {
            return Err(NoteError::Damaged(format!("it cannot be read, {error}")));
        }
        // A note that belongs to another user.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            return Err(NoteError::Damaged(error.to_string()));
        }
        Err(error) => return Err(NoteError::Io(error)),
    };
    let rotations: Vec<Rotation> = serde_json::from_slice(&bytes)
        .map_err(|error| NoteError::Damaged(format!("it cannot be read: {error}")))?;
    let mut checked = rotations.iter().map(Rotation::check);
    match checked.find_map(Result::err) {
        None => Ok(Some(rotations)),
        Some(strange) => Err(NoteError::Damaged(format!("it names {strange}"))),
    }
}
