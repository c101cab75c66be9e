//! New results take the place of old ones, all files or none, whatever kills the runner.
//!
//! A result is several files (out, log, `summary.json`, more with threads and processes), and the
//! last run's files are renamed to `.old` at the same time. No file system does that at once. So
//! the private directory in which the tool wrote them gets a note of what is to be renamed, and
//! one rename of this directory to [`PENDING`] decides. What follows can be repeated any number of
//! times, until it is done:
//!
//! 1. delete what the note names, and rename old files, except for those whose new file has its name already;
//! 2. move the new files to their names;
//! 3. delete the note and the directory.
//!
//! No new file is moved before all old ones are renamed, and a new file has its name if it is not beside the note any
//! more, so a repetition can never take a new file for an old one.
//!
//! Before the rename that decides, everything in the directory is on the disk, and before anything is
//! deleted, so is this rename: after the machine has stopped, the old result is whole, or the new one. What is
//! found in [`PENDING`] is finished only if a run can have written it (`pending.rs`).

mod collect;
mod finish;
mod replacement;
#[cfg(test)]
mod tests;

pub(super) use self::collect::collect;
pub use self::collect::{NewFile, NewResult};
pub(super) use self::finish::finish;
pub(super) use self::replacement::Replacement;

/// The directory of a replacement that is decided and not finished.
pub(super) const PENDING: &str = ".pending";

/// The note in [`PENDING`].
pub(super) const NOTE: &str = ".rotation";
