//! The types of the report on two sides, version 1: what each format says, and the JSON format as
//! it is.
//!
//! Fields may be added within a version; readers ignore what they do not know.

use serde::{Deserialize, Serialize};

use crate::{OwnCounts, RowClass};
use explain::{Explanation, SourceOrigin};
use records::summary::{Number, Reason, System};

/// The version of the format that is written.
pub const VERSION: u32 = 1;

/// Comparison of the results of two sides, or a report on one of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparisonReport {
    /// The version of this format: 1.
    pub version: u32,
    /// Verdict over all rows.
    pub outcome: ComparisonOutcome,
    /// The exit code of the command: 0, 1, 3 or 4.
    pub exit_code: u8,
    /// The old side; `null` if there is none.
    pub old: Option<ReportSide>,
    /// The new side.
    pub new: ReportSide,
    /// The limits that rows are judged by, each once: those of the command line and of the records.
    pub limits: Vec<JudgedLimit>,
    /// Circumstances that differ between both sides.
    pub differences: Vec<SideDifference>,
    /// Numbers of rows by class.
    pub counts: RowCounts,
    /// All rows by class, then by relative change, then by identity. Those that did not change are
    /// listed as well.
    pub rows: Vec<ReportRow>,
    /// Headlines about the whole comparison, such as that both sides are of the same executable.
    pub headlines: Vec<String>,
    /// Notes on the inputs and on what was left out.
    pub notes: Vec<String>,
    /// Reasons why the comparison fails, apart from rows.
    pub errors: Vec<String>,
}

/// Verdict of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ComparisonOutcome {
    /// No limit is exceeded.
    Ok,
    /// A limit is exceeded.
    Regressed,
    /// A benchmark failed, or something that `--strict` asks for is missing.
    Failed,
    /// The old side has benchmarks or metrics that the new side lacks, although it was to measure
    /// them.
    Incomplete,
    /// The conditions of both sides differ, so that changes cannot be judged; only with
    /// `--require-comparable`.
    NotComparable,
    /// The revision to compare with has no results: it does not compile, or has no benchmarks.
    NoBase,
}

/// One side of a comparison.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportSide {
    /// The arguments that name the results, as they were given.
    pub inputs: Vec<String>,
    /// The name of the side in place of its arguments, such as `merge base with main`; absent if
    /// these were given by the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The commit, if it is known.
    pub commit: Option<String>,
    /// Time of the commit: `2026-11-20T10:11:12Z`.
    pub committed_at: Option<String>,
    /// The branch.
    pub branch: Option<String>,
    /// Were there changes that are in no commit?
    pub dirty: Option<bool>,
    /// Time of the newest run, in UTC.
    pub measured_at: Option<String>,
    /// Number of benchmarks with a result, after filters.
    pub benchmarks: u64,
    /// The systems of the results, each once.
    pub systems: Vec<System>,
    /// The versions of Valgrind, each once.
    pub valgrinds: Vec<String>,
}

impl ReportSide {
    /// The name of the side, or the arguments that name its results.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        match &self.name {
            Some(name) => vec![name],
            None => self.inputs.iter().map(String::as_str).collect(),
        }
    }
}

/// A limit that rows are judged by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum JudgedLimit {
    /// The change in percent of the old value must not be beyond this.
    Soft {
        /// The tool.
        tool: String,
        /// The metric's name in the configuration.
        kind: String,
        /// The metric's name on the terminal.
        label: String,
        /// The limit in percent.
        limit: f64,
    },
    /// The new value must not be beyond this.
    Hard {
        /// The tool.
        tool: String,
        /// The metric's name in the configuration.
        kind: String,
        /// The metric's name on the terminal.
        label: String,
        /// The limit.
        limit: Number,
    },
}

/// A condition that differs between both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SideDifference {
    /// The condition: `C library`.
    pub fact: String,
    /// The old side.
    pub old: String,
    /// The new side.
    pub new: String,
    /// Number of benchmarks that it concerns.
    pub benchmarks: u64,
    /// Meaning for the judgement: `instructions are judged on own code`.
    pub meaning: String,
}

/// Numbers of rows by class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs, reason = "each field is the class of its name")]
pub struct RowCounts {
    /// Rows with a value on both sides, whatever their class.
    #[serde(default)]
    pub compared: u64,
    pub failed: u64,
    pub regressed: u64,
    pub improved: u64,
    pub accepted: u64,
    pub not_judged: u64,
    pub not_deterministic: u64,
    #[serde(default)]
    pub changed_outside_own_code: u64,
    pub changed: u64,
    #[serde(default)]
    pub noise: u64,
    pub new: u64,
    #[serde(default)]
    pub not_compared: u64,
    pub gone: u64,
    pub not_run: u64,
    pub same: u64,
}

/// One metric of one benchmark under one tool; a failed benchmark has one row without a metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportRow {
    /// Class of the row.
    pub class: RowClass,
    /// The label of the run, if it has one.
    pub label: Option<String>,
    /// The target of the executable: `x86_64-unknown-linux-gnu`.
    pub target: Option<String>,
    /// The package.
    pub package: String,
    /// The name of the bench target.
    pub file: String,
    /// The whole name of the benchmark.
    pub path: String,
    /// Headline of the benchmark as on the terminal: `file::group::function id:arguments`; absent
    /// if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub headline: Option<String>,
    /// The source of the benchmark, relative to the workspace.
    pub source_file: Option<String>,
    /// The line of the benchmark in its source.
    pub line: Option<u32>,
    /// The tool; `null` if the benchmark did not run under any, and of the row about wall time.
    pub tool: Option<String>,
    /// The metric; `null` for a benchmark that failed or was not run.
    pub metric: Option<RowMetric>,
    /// The limit that the row was judged by: the exceeded one, or the first one; `null` if there is
    /// none.
    pub limit: Option<JudgedLimit>,
    /// Sums of the program's own code, where the judgement is on them.
    pub own: Option<OwnCounts>,
    /// Count of the program's own code on the new side, if it is known: a part of the instructions,
    /// and absent for other metrics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_own: Option<u64>,
    /// Reason of a failure.
    pub failure: Option<RowFailure>,
    /// Remarks: `same counts as …: renamed?`, `limit +5% -> +10%`.
    pub remarks: Vec<String>,
    /// Functions whose costs changed most, the greatest change first; only for the tool's
    /// instructions.
    pub functions: Vec<RowFunction>,
    /// Causes of the change, if both sides are known well enough to tell them.
    pub explanation: Option<Box<Explanation>>,
    /// Why a regression has no causes, and what to do about it; absent where there is nothing to
    /// say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_causes: Option<String>,
    /// Wall time of the new benchmark under the tool, in nanoseconds.
    pub duration_ns: Option<u64>,
}

/// The values of a metric on both sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RowMetric {
    /// Name of the metric in the configuration: `EstimatedCycles`.
    pub kind: String,
    /// Name of the metric on the terminal: `Estimated Cycles`.
    pub label: String,
    /// The unit of a time, or of what perf measured; `null` for everything else.
    pub unit: Option<String>,
    /// The old value.
    pub old: Option<Number>,
    /// The new value.
    pub new: Option<Number>,
    /// The change in percent of the old value; `null` if a value is missing, or if it is infinite.
    pub diff_pct: Option<f64>,
}

impl ReportRow {
    /// The change in percent that was judged: that of own code where the judgement is on it, else
    /// that of the metric. `None`: a value is missing, or the change is infinite.
    #[must_use]
    pub fn judged_pct(&self) -> Option<f64> {
        match (&self.own, &self.metric) {
            (Some(own), _) => own.diff_pct,
            (None, metric) => metric.as_ref()?.diff_pct,
        }
    }
}

/// Failure of a benchmark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RowFailure {
    /// Reason of the failure, for programs.
    pub reason: Reason,
    /// Reason of the failure, for people; may have several lines.
    pub message: String,
}

/// A function whose own costs changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RowFunction {
    /// The change of the costs.
    pub diff: i64,
    /// The name.
    pub name: String,
    /// Owner of the function.
    pub origin: SourceOrigin,
}
