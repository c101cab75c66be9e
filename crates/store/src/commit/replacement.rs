//! A replacement of the results of one benchmark: decided by a note, then carried out.

use std::io;
use std::path::PathBuf;

use super::super::rotation::Rotation;
use super::super::WorkDirectory;
use super::finish::{carry_out, settle};
use super::{note, Unfinished};
use base::file_operation::{FileContext, FileResult};

/// A replacement that is not decided yet: the new files are collected, and nothing else has
/// changed.
#[derive(Debug)]
pub(crate) struct Replacement {
    /// The directory of the bench file.
    pub(super) base: PathBuf,
    pub(super) rotation: Rotation,
    /// The private directories in which the new files are.
    pub(super) work: Vec<WorkDirectory>,
}

/// Decides a replacement and carries it out. If that fails, the replacement stays in the note, and
/// the next run finishes it.
pub(crate) fn replace(replacement: Replacement, unfinished: &mut Unfinished) -> FileResult<()> {
    let Replacement {
        base,
        rotation,
        mut work,
    } = replacement;
    let all: Vec<_> = unfinished.rotations().chain([&rotation]).collect();
    note::write(&base, &all)
        .map_err(io::Error::other)
        .context("keep results in", &base.join(&rotation.directory))?;
    let carried_out = carry_out(&base, &rotation, |_| true);
    if let Err(error) = &carried_out {
        work.iter_mut().for_each(WorkDirectory::leave);
        unfinished.add(rotation, error);
    }
    let settled = settle(&base, unfinished);
    carried_out.and(settled)
}
