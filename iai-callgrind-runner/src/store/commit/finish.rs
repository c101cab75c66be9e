//! A decided replacement is carried out: by the run that decided it, or by the next one from wherever it was stopped.

#![expect(
    clippy::disallowed_methods,
    reason = "this stage renames and deletes; nobody else does it to results"
)]

use std::fs;
use std::io;
use std::path::Path;

use super::super::rotation::Rotation;
use super::super::{pending, remove_directory, FileName};
use super::{NOTE, PENDING};
use crate::error::{FileContext, Result};

/// Finishes the replacement that is pending in a directory, if there is one. One that no run can have
/// written, or not as a whole, is set aside; then the warning about it is returned.
pub(in crate::store) fn finish(directory: &Path) -> Result<Option<String>> {
    let path = directory.join(PENDING);
    match pending::read(&path) {
        Ok(None) => Ok(None),
        Ok(Some(found)) => {
            let is_there = |source: &str| found.names.iter().any(|name| name == source);
            match &found.rotation {
                Some(rotation) => match &rotation.take {
                    Some(take) => carry_out(directory, &path, rotation, take, is_there)?,
                    None => {
                        // Nothing was moved while there is such a note, and everything after it.
                        rotate(directory, rotation, |_| true)?;
                        remove_note(&path)?;
                        move_in(directory, &path, &found.names)?;
                    }
                },
                None => move_in(directory, &path, &found.names)?,
            }
            Ok(None)
        }
        Err(pending::PendingError::Io(error)) => Err(error),
        Err(pending::PendingError::Damaged(reason)) => {
            pending::set_aside(directory, &path, &reason).map(Some)
        }
    }
}

/// Carries out a replacement from wherever it was stopped. `is_there`: has this new file not got its name yet?
pub(super) fn carry_out(
    directory: &Path,
    pending: &Path,
    rotation: &Rotation,
    take: &[(String, String)],
    is_there: impl Fn(&str) -> bool,
) -> Result<()> {
    let has_moved = |name: &str| {
        let mut new = take.iter();
        new.any(|(source, new)| new == name && !is_there(source))
    };
    rotate(directory, rotation, |name| !has_moved(name))?;
    let mut there = take.iter().filter(|(source, _)| is_there(source));
    there.try_for_each(|(source, name)| move_one(directory, pending, source, name))?;
    remove_note(pending)?;
    // What else is there belongs to nobody.
    let removed = fs::remove_dir(pending).or_else(|_| remove_directory(pending));
    removed.context("remove", pending)
}

/// New files of an earlier version, which have their names already, get their places.
fn move_in(directory: &Path, pending: &Path, names: &[String]) -> Result<()> {
    let mut names = names.iter();
    names.try_for_each(|name| move_one(directory, pending, name, name))?;
    fs::remove_dir(pending).context("remove", pending)
}

fn move_one(directory: &Path, pending: &Path, source: &str, name: &str) -> Result<()> {
    let from = pending.join(source);
    fs::rename(&from, directory.join(name)).context("move", &from)
}

/// Deletes and retires the files before the new ones. What is done already is passed over.
fn rotate(directory: &Path, rotation: &Rotation, is_old: impl Fn(&str) -> bool) -> Result<()> {
    for name in &rotation.delete {
        let path = directory.join(name);
        unless_missing(fs::remove_file(&path)).context("remove", &path)?;
    }
    for name in rotation.retire.iter().filter(|name| is_old(name)) {
        let path = directory.join(name);
        let old = directory.join(FileName::old(name));
        unless_missing(fs::rename(&path, old)).context("rename", &path)?;
    }
    Ok(())
}

fn remove_note(pending: &Path) -> Result<()> {
    let note = pending.join(NOTE);
    fs::remove_file(&note).context("remove", &note)
}

pub(super) fn unless_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
