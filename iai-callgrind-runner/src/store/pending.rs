//! A replacement as it is found on disk, which a stopped run left, or somebody else put there.
//!
//! It is finished only if a run can have written it: a directory with the note and with regular files, all of
//! which have names of ours. Everything else is set aside, and the results stay as they are.

#![expect(
    clippy::disallowed_methods,
    reason = "sets aside what cannot be finished"
)]

use std::fs;
use std::io;
use std::path::Path;

use super::commit::{list, NOTE};
use super::rotation::{NoteError, Rotation};
use super::FileName;
use crate::error::{Error, FileContext, Result};

/// The name of what was set aside, before its number.
const DAMAGED: &str = ".damaged-";

/// A pending replacement that can be finished.
#[derive(Debug)]
pub(super) struct FoundReplacement {
    /// The note, which is deleted when the rotation is done.
    pub(super) rotation: Option<Rotation>,
    /// The new files that have not got their places yet.
    pub(super) names: Vec<String>,
}

/// A pending replacement that is not finished.
#[derive(Debug)]
pub(super) enum PendingError {
    /// It could not be read, maybe only now.
    Io(Error),
    /// No run can have written it, or not as a whole: the reason.
    Damaged(String),
}

/// Reads the pending replacement at this path. `None`: there is none.
pub(super) fn read(path: &Path) -> Result<Option<FoundReplacement>, PendingError> {
    let damaged = |reason: String| Err(PendingError::Damaged(reason));
    match fs::symlink_metadata(path) {
        Ok(data) if data.is_dir() => {}
        Ok(_) => return damaged("it is no directory".to_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        error => {
            return error
                .context("look at", path)
                .map(|_| None)
                .map_err(PendingError::Io)
        }
    }
    let mut names = Vec::new();
    let listed = match list(path) {
        // Of another user, whose private directory it is.
        Err(Error::File { source, .. }) if source.kind() == io::ErrorKind::PermissionDenied => {
            return damaged(source.to_string());
        }
        listed => listed.map_err(PendingError::Io)?,
    };
    for listed in listed {
        let name = listed.name;
        if !listed.kind.is_file() || !(name == NOTE || FileName::is_ours(&name)) {
            return damaged(format!("{name:?} in it is no file of a result"));
        }
        if name != NOTE {
            names.push(name);
        }
    }
    let note = path.join(NOTE);
    match Rotation::read(&note) {
        Ok(rotation) => Ok(Some(FoundReplacement { rotation, names })),
        Err(NoteError::Damaged(reason)) => damaged(reason),
        Err(NoteError::Io(error)) => Err(error).context("read", &note).map_err(PendingError::Io),
    }
}

/// Gives a pending replacement another name, so that it is never finished, and returns a warning.
pub(super) fn set_aside(directory: &Path, path: &Path, reason: &str) -> Result<String> {
    let mut places = (1..=1000_u32).map(|number| directory.join(format!("{DAMAGED}{number}")));
    let free = places.find(|place| fs::symlink_metadata(place).is_err());
    // After a thousand of them, renaming says what is wrong.
    let aside = free.unwrap_or_else(|| directory.join(format!("{DAMAGED}1")));
    fs::rename(path, &aside).context("set aside", path)?;
    Ok(format!(
        "`{}`, the new result of a run that was stopped, is damaged: {reason}; the result before it stays\n  \
         hint: nothing reads `{}` any more; it may be removed",
        path.display(),
        aside.display()
    ))
}
