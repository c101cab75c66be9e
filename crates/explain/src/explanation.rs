//! The explanation of a difference: what is shown and kept in records.

use iai_callgrind::protocol::EventKind;
use serde::{Deserialize, Serialize};

use super::digest::SourceOrigin;
pub use super::units::CodeState;
use metrics::Metrics;

/// Reasons for the difference of a metric between two results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explanation {
    /// Name of the metric in the configuration: `Ir`.
    pub metric: String,
    /// Name of the metric on the terminal: `Instructions`.
    pub label: String,
    /// The old value.
    pub old: u64,
    /// The new value.
    pub new: u64,
    /// The difference.
    pub diff: i64,
    /// Detail of both results.
    pub basis: ExplanationBasis,
    /// Differences by owner of the code, the largest first. They add up to `diff`.
    pub origins: Vec<OriginDifference>,
    /// Causes, the largest first. They add up to `diff`; there is none where `basis` is
    /// `functions`.
    pub causes: Vec<ExplainedRow<Cause>>,
    /// Differences by function, the largest first. They add up to `diff`.
    #[serde(rename = "where")]
    pub functions: Vec<ExplainedRow<FunctionDifference>>,
    /// Changes of single functions, such as a new name.
    pub stories: Vec<FunctionStory>,
    /// Facts about both results as a whole.
    pub notes: Vec<String>,
    /// Allocations of both results; absent if neither has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocations: Option<AllocationCounts>,
}

/// Detail of the results that an explanation is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExplanationBasis {
    /// Single instructions and true numbers of calls.
    Instructions,
    /// Functions only: no cause can be found.
    Functions,
}

/// A row, or all that are left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ExplainedRow<T> {
    /// One row.
    One(T),
    /// The rows that are left out, at the end.
    Rest {
        /// Number of the rows that are left out.
        rest: usize,
        /// Their sum.
        diff: i64,
    },
}

/// Difference of all code of one owner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OriginDifference {
    /// Kind of the owner.
    pub origin: SourceOrigin,
    /// Name of the package or library.
    pub name: String,
    /// The difference.
    pub diff: i64,
}

/// A place in the source that is the cause of a part of the difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cause {
    /// Part of the difference.
    pub diff: i64,
    /// The function.
    pub function: String,
    /// File of the line, if the function is the user's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of the largest part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Owner of the function.
    pub origin: SourceOrigin,
    /// The largest part in words.
    pub text: String,
    /// The second largest part in words, if it matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub also: Option<String>,
    /// Machine code of the function.
    pub code: CodeState,
    /// The largest parts, the largest first.
    pub parts: Vec<CauseDetail>,
    /// Functions of the same code through which the largest part came, from the place down.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<String>,
    /// Change of inlining that the function is a part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inlining: Option<InliningChange>,
}

/// A part of a cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CauseDetail {
    /// Kind of the part.
    pub kind: DetailKind,
    /// The called function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callee: Option<String>,
    /// Old number of calls or blocks, or old own costs; with `entries`, own costs for as many
    /// executions as now.
    pub old: u64,
    /// New number of calls or blocks, or new own costs.
    pub new: u64,
    /// New number of executions of the function, if own costs are those of each of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entries: Option<u64>,
    /// Part of the difference.
    pub diff: i64,
    /// The part is a share of a larger difference, or beside one of the number of executions;
    /// together all parts are exact.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimate: bool,
    /// Costs of the calls from this place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executed: Option<CalleeCosts>,
    /// Other functions of the same code as the callee, with which it was merged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merged: Vec<String>,
    /// The line that has the most of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Functions of the same code through which it came, from the place down.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<String>,
}

/// Costs of the calls of a function from one place, with all that it calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CalleeCosts {
    /// The costs in the old result.
    pub old: u64,
    /// The costs in the new result.
    pub new: u64,
}

/// Kind of a part of a cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DetailKind {
    /// Calls of a function.
    Calls,
    /// Own code.
    Own,
    /// The function itself is called more or less often.
    Entries,
    /// Calls of the allocator, with frees; `old` and `new` are allocated blocks.
    Allocates,
    /// Calls of the allocator that free; `old` and `new` are freed blocks.
    Frees,
}

/// Change of inlining of a function. `calls` are those of the side where it is not inlined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum InliningChange {
    /// The compiler inlined each call before, and none now.
    NoLongerInlined {
        /// Number of calls.
        calls: u64,
    },
    /// The compiler inlines each call now, and none before.
    InlinedNow {
        /// Number of calls.
        calls: u64,
    },
}

/// Costs of one function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FunctionDifference {
    /// The function.
    pub function: String,
    /// Its file, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Owner of the function.
    pub origin: SourceOrigin,
    /// Old own costs, inlined or not.
    pub old: u64,
    /// New own costs, inlined or not.
    pub new: u64,
    /// The difference.
    pub diff: i64,
}

/// A change of a function, such as a new name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FunctionStory {
    /// Kind of the story.
    pub kind: StoryKind,
    /// The function, by its new name.
    pub function: String,
    /// Its old name, if it was renamed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Functions that it was inlined into.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub callers: Vec<String>,
}

/// Kind of what happened to a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StoryKind {
    /// The compiler inlined each call before, and none now.
    NoLongerInlined,
    /// The compiler inlines each call now, and none before.
    InlinedNow,
    /// The function had another name.
    Renamed,
}

/// Allocations of both results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AllocationCounts {
    /// The allocations of the new result.
    pub new: AllocationCount,
    /// The allocations of the old result.
    pub old: AllocationCount,
}

/// Calls of the allocator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AllocationCount {
    /// Calls that allocate, or allocate again; absent if not all of them are seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<u64>,
    /// Calls that free; absent if not all of them are seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frees: Option<u64>,
}

impl AllocationCount {
    /// Adds the metrics, which no counter of Callgrind has.
    pub fn add_to(self, metrics: &mut Metrics) {
        let counts = [
            (EventKind::Allocations, self.calls),
            (EventKind::Frees, self.frees),
        ];
        for (kind, count) in counts {
            if let Some(count) = count {
                metrics.add_count(kind, count);
            }
        }
    }
}

impl<T> ExplainedRow<T> {
    /// The row, if it is one.
    pub fn one(&self) -> Option<&T> {
        match self {
            Self::One(row) => Some(row),
            Self::Rest { .. } => None,
        }
    }
}

impl Explanation {
    /// Nothing differs, in no part.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.diff == 0
            && self.origins.is_empty()
            && self.causes.is_empty()
            && self.functions.is_empty()
            && self.stories.is_empty()
    }
}
