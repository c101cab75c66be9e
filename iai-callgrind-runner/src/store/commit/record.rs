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
        match kept.find(|kept| kept.has(&new) && is_file(&place)) {
            Some(kept) if exchange(&new, &place).is_ok() => keep_old(&new, &place, kept)?,
            _ => fs::rename(&new, &place).context("move", &new)?,
        }
    }
    work.iter_mut().for_each(RunDirectory::let_go);
    Ok(())
}

/// Keeps the file of the old record, which has the name now that the new one had.
fn keep_old(old: &Path, place: &Path, kept: &KeptPlace) -> Result<()> {
    if !is_file(old) {
        // Somebody was faster: with a private directory it would be removed.
        return exchange(old, place).context("move", place);
    }
    kept.replaced.add(old.to_owned());
    Ok(())
}

fn is_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|data| data.is_file())
}
