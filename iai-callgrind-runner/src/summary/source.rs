//! The types of the JSON output: the state of the source that was measured, and which part of a suite ran.

use serde::{Deserialize, Serialize};

/// State of the source that was measured.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Source {
    /// The commit: `IAI_CALLGRIND_COMMIT`, else the one that git has checked out. Absent if git does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The time of the commit, as git writes it: `2026-11-20T10:11:12+01:00`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub committed_at: Option<String>,
    /// The branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Were files changed that git follows? Absent if git does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dirty: Option<bool>,
    /// The machine code of the benchmark executable: its GNU build id, else a hash of its code and constants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

impl Source {
    /// Is there nothing to tell?
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        *self == Self::default()
    }
}

/// The part of a suite that `--partition` selected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordedPartition {
    /// The way of dividing: `hash`, `count` or `time`.
    pub kind: String,
    /// The number of the part, from 1.
    pub part: u64,
    /// The number of parts.
    pub parts: u64,
}

/// All benchmarks of a bench file, before filters and `--partition`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuiteFacts {
    /// Number of benchmarks.
    pub benchmarks: u64,
    /// A hash of the sorted paths, equal in all runs of the same benchmarks.
    pub hash: String,
}
