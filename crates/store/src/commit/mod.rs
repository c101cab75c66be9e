//! New results take the place of old ones, all files or none, whatever kills the runner.
//!
//! A result is several files (out, log, `summary.json`, more with threads and processes), and the
//! last run's files are renamed to `.old` at the same time. No file system does that at once. So a
//! note tells what is to be renamed, and the rename that gives it its name, [`PENDING`], decides.
//! What follows can be repeated any number of times, until it is done, for each result in the note:
//!
//! 1. delete what the note names, and rename old files, except for those whose new file has its
//!    name already;
//! 2. move the new files to their names.
//!
//! `collect` and `rotation` decide the names, `replacement` writes the note, and `finish` renames.
//!
//! Then the note is deleted. No new file is moved before all old ones are renamed, and a new file
//! has its name if it is not in its private directory any more, so a repetition can never take a
//! new file for an old one.
//!
//! Killed at any moment, a run leaves the old result or the new one, whole. Nothing is synced to
//! the disk: a power cut may lose the last results, like everything else below `target/`. The
//! record has the lengths of its files, so a later run notices. A note is carried out only if a run
//! can have written it (`finish.rs`).

mod collect;
mod finish;
mod note;
mod replacement;
#[cfg(test)]
mod tests;
mod unfinished;

pub(super) use self::collect::collect;
pub use self::collect::{NewFile, NewResult};
pub(super) use self::finish::finish;
pub(super) use self::replacement::{replace, Replacement};
pub(super) use self::unfinished::Unfinished;

/// The note of replacements that are decided and not finished, in the directory of the bench file.
const PENDING: &str = ".pending";
