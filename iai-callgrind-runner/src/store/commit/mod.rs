//! New results take the place of old ones, all files or none, whatever kills the runner.
//!
//! A result is several files (out, log, `summary.json`, more with threads and processes), and the
//! last run's files are renamed to `.old` at the same time. No file system does that at once. So
//! a note tells what is to be renamed, and the rename that gives it its name, [`PENDING`], decides. What follows
//! can be repeated any number of times, until it is done, for each result in the note:
//!
//! 1. delete what the note names, and rename old files, except for those whose new file has its name already;
//! 2. move the new files to their names.
//!
//! Then the note is deleted. No new file is moved before all old ones are renamed, and a new file has its name if it
//! is not in its private directory any more, so a repetition can never take a new file for an old one.
//!
//! Before the rename that decides, all new files are on the disk, and before anything is
//! deleted, so is this rename: after the machine has stopped, the old result is whole, or the new one. A note that is
//! found is carried out only if a run can have written it (`finish.rs`).
//!
//! Where the record is all that is replaced, since the other files stay, this is one rename and needs no note (`record.rs`).
//!
//! There is one note for many results: to make and to delete a file for each of them takes as long as everything else that
//! is kept of it. File systems such as ext4 pass over the numbers of files that were deleted lately, one after the other,
//! whenever a file is made.

mod batch;
mod collect;
mod finish;
mod note;
mod record;
mod replacement;
#[cfg(test)]
mod tests;
mod unfinished;

pub(super) use self::batch::replace;
#[cfg(test)]
pub(super) use self::batch::MANY;
pub(super) use self::collect::collect;
pub use self::collect::{NewFile, NewResult};
pub(super) use self::finish::finish;
pub(super) use self::replacement::Replacement;
pub(super) use self::unfinished::Unfinished;

/// The note of replacements that are decided and not finished, in the directory of the bench file.
const PENDING: &str = ".pending";
