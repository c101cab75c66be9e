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

use super::commit::NOTE;
use super::rotation::{NoteError, Rotation};
use super::FileName;
use crate::error::{Error, FileContext, Result};
use crate::listed_directory::{list, Listed, ListedKind};

/// The name of what was set aside, before its number.
const DAMAGED: &str = ".damaged-";

/// A pending replacement that can be finished.
#[derive(Debug)]
pub(super) struct FoundReplacement {
    /// The note. `None`: it was deleted, since the rotation is done.
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
    let listed = match list(path) {
        Ok(listed) => listed,
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound => return Ok(None),
            io::ErrorKind::NotADirectory => return damaged("it is no directory".to_owned()),
            // Of another user, whose private directory it is.
            io::ErrorKind::PermissionDenied => return damaged(error.to_string()),
            _ => {
                let error = Err(error).context("list", path);
                return error.map_err(PendingError::Io);
            }
        },
    };
    let note = path.join(NOTE);
    let rotation = match Rotation::read(&note) {
        Ok(rotation) => rotation,
        Err(error) => {
            // What else is there says more.
            strangers(&listed, None).map_err(PendingError::Damaged)?;
            return match error {
                NoteError::Damaged(reason) => damaged(reason),
                NoteError::Io(error) => Err(error).context("read", &note).map_err(PendingError::Io),
            };
        }
    };
    strangers(&listed, rotation.as_ref()).map_err(PendingError::Damaged)?;
    let names = listed.into_iter().map(|listed| listed.name);
    let names = names.filter(|name| name != NOTE).collect();
    Ok(Some(FoundReplacement { rotation, names }))
}

/// Looks for what no run has put beside its note.
fn strangers(listed: &[Listed], rotation: Option<&Rotation>) -> Result<(), String> {
    let taken = rotation.and_then(|rotation| rotation.take.as_ref());
    let is_ours = |name: &String| match taken {
        Some(taken) => taken.iter().any(|(source, _)| source == name),
        None => FileName::is_ours(name),
    };
    let mut strange = listed
        .iter()
        .filter(|it| it.kind != ListedKind::File || !(it.name == NOTE || is_ours(&it.name)));
    match strange.next() {
        None => Ok(()),
        Some(Listed { name, .. }) => Err(format!("{name:?} in it is no file of a result")),
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
