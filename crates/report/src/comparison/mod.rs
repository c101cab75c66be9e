//! Reports on two sides, one file for each format.
//!
//! In: a [`ComparisonReport`](verdict::sides::ComparisonReport). Names and texts in it are
//! those of whoever wrote the records, so each format escapes them;
//! `docs/design/page-and-foreign-text.md` says how.

mod bmf;
mod circumstances;
mod csv;
mod format;
mod github;
mod github_action_benchmark;
mod gitlab;
mod json;
mod junit;
mod markdown;
mod source_places;
#[cfg(test)]
mod tests;
mod text;
mod words;

pub use self::format::{ComparisonFormat, ComparisonWriter};
pub(crate) use self::github::referenced_commands;
pub use self::github::{json_without_commands, without_commands};
pub use self::source_places::SourcePlaces;
pub(super) use self::words::{IdentityParts, RowNames};
