//! Accepted counts: a small TOML file in the repository with counts of benchmarks that reviewers agreed to.
//!
//! In: its text, results of both sides, and the regressions between them. Out: [`AcceptedCounts`],
//! which a comparison judges with, and the text with other lines. Only the lines that change are
//! written anew, so that comments stay and two branches conflict only where they accept
//! neighbouring benchmarks.

mod accept;
mod conflict;
mod document;
mod line;
mod measured;
mod model;
mod read;
mod snapshot;
mod spent;

pub use accept::{accept_all, accept_regressions, prune, AcceptedChanges, ChangedLine};
pub use conflict::{has_conflict, resolve, ConflictError, ResolvedConflict};
pub use document::AcceptedDocument;
pub use line::benchmark_lines;
pub use model::{
    AcceptedBenchmark, AcceptedCount, AcceptedCounts, AcceptedFacts, AcceptedName, AcceptedPlace,
};
pub use read::{parse, AcceptedError};
pub use snapshot::old_side;
pub use spent::{notes, spent};

/// The name of the file at the root of the workspace.
pub const FILE_NAME: &str = "iai-accepted.toml";

/// The version of its format.
pub const VERSION: u64 = 1;

#[cfg(test)]
mod tests;
