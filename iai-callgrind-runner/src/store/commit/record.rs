//! A record that is replaced alone: the other files of the result stay.

#![expect(
    clippy::disallowed_methods,
    reason = "this stage renames; nobody else does it to results"
)]

use std::fs;
use std::path::Path;

use super::super::kept_place::KeptPlace;
use super::super::RunDirectory;
use super::Replacement;
use crate::error::{FileContext, Result};
use crate::os::exchange::exchange;

/// Gives the new record, which the disk has, its name. The old one's file may become that of a later record.
pub(super) fn replace(mut replacement: Replacement) -> Result<()> {
    let Replacement {
        base,
        directory,
        rotation,
        work,
        ..
    } = &mut replacement;
    for (source, name) in &rotation.take {
        let (new, place) = (base.join(source), directory.join(name));
        let mut kept = work.iter().filter_map(RunDirectory::kept_place);
        let kept = kept.find(|kept| kept.has(&new));
        let have_changed = match kept {
            Some(kept) => change_places(&new, &place, kept)?,
            None => false,
        };
        if !have_changed {
            fs::rename(&new, &place).context("move", &new)?;
        }
    }
    work.iter_mut().for_each(RunDirectory::let_go);
    Ok(())
}

/// Has a new record and the old one change their names, and keeps the file of the old one. False: they have not.
fn change_places(new: &Path, place: &Path, kept: &KeptPlace) -> Result<bool> {
    if exchange(new, place).is_err() {
        return Ok(false);
    }
    // Now that of what was in the place.
    let old = new;
    match fs::symlink_metadata(old) {
        Ok(data) if data.is_file() => {
            kept.replaced.add(old.to_owned(), data.len());
            Ok(true)
        }
        // Something that would be removed with the private directory.
        _ => exchange(old, place).map(|()| false).context("move", place),
    }
}
