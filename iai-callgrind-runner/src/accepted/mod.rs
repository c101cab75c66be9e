//! Accepted counts: a small TOML file in the repository with counts of benchmarks that reviewers agreed to.
//!
//! In: its text, results of both sides, and what regressed between them. Out: [`AcceptedCounts`], which a comparison
//! judges with, and the text with other lines. Only the lines that change are written anew, so that comments stay and
//! two branches conflict only where they accept neighbouring benchmarks.

mod conflict;
mod document;
mod line;
mod model;
mod read;
mod table;

pub use conflict::{has_conflict, resolve, ConflictError, ResolvedConflict};
pub use document::AcceptedDocument;
pub use line::benchmark_lines;
pub use model::{
    AcceptedBenchmark, AcceptedCount, AcceptedCounts, AcceptedFacts, AcceptedName, AcceptedPlace,
};
pub use read::{parse, AcceptedError};

/// The name of the file at the root of the workspace.
pub const FILE_NAME: &str = "iai-accepted.toml";

/// The version of its format.
pub const VERSION: u64 = 1;

#[cfg(test)]
mod tests;
