//! Replacements of several benchmarks, carried out together.

use std::io;
use std::path::Path;

use super::super::{sync, RunDirectory};
use super::finish::{carry_out, settle};
use super::{note, record, Replacement, Unfinished};
use crate::error::{with_causes, Error, Result};

/// The number of replacements from which on they are written to the disk at once.
pub(in crate::store) const MANY: usize = 8;

/// Carries out replacements of different benchmarks of the bench file in this directory, and returns what failed. The disk has the new files of all
/// before anything is decided, and the decision before anything is deleted.
pub(in crate::store) fn replace(
    base: &Path,
    batch: Vec<Replacement>,
    unfinished: &mut Unfinished,
) -> Vec<Error> {
    let mut failed = Vec::new();
    let mut batch = those_that(batch, Replacement::tidy, &mut failed);
    if batch.len() >= MANY && sync::file_system(base) {
        let works = batch.iter().flat_map(|replacement| &replacement.work);
        if let Some(kept) = works.filter_map(RunDirectory::kept_place).next() {
            kept.replaced.are_on_disk();
        }
    } else {
        batch.iter().for_each(Replacement::begin_sync);
        batch = those_that(batch, Replacement::sync, &mut failed);
    }
    // One rename is whole or not there, without a note.
    let (records, batch): (Vec<_>, Vec<_>) = batch.into_iter().partition(Replacement::is_of_record);
    failed.extend(
        records
            .into_iter()
            .map(record::replace)
            .filter_map(Result::err),
    );
    if batch.is_empty() {
        return failed;
    }
    let new = batch.iter().map(|replacement| &replacement.rotation);
    let rotations: Vec<_> = unfinished.rotations().chain(new).collect();
    if let Err(error) = note::write(base, &rotations) {
        let reason = with_causes(&error);
        let not_kept = |replacement: &Replacement| Error::File {
            action: "keep results in",
            path: replacement.directory().to_owned(),
            source: io::Error::other(reason.as_str()),
        };
        failed.extend(batch.iter().map(not_kept));
        return failed;
    }
    for mut replacement in batch {
        let carried_out = carry_out(base, &replacement.rotation, |_| true);
        replacement.work.iter_mut().for_each(RunDirectory::let_go);
        if let Err(error) = carried_out {
            let kept = replacement.work.iter().filter_map(RunDirectory::kept);
            kept.for_each(|kept| kept.leave());
            unfinished.add(replacement.rotation, &error);
            failed.push(error);
        }
    }
    failed.extend(settle(base, unfinished).err());
    failed
}

/// The replacements for which a step succeeds.
fn those_that(
    mut batch: Vec<Replacement>,
    step: fn(&mut Replacement) -> Result<()>,
    failed: &mut Vec<Error>,
) -> Vec<Replacement> {
    batch.retain_mut(|replacement| step(replacement).map_err(|it| failed.push(it)).is_ok());
    batch
}
