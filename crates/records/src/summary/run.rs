//! The types of the JSON output: the end of a whole run, and the system that it ran on.

use serde::{Deserialize, Serialize};

use super::{Baselines, Build, Changes, Files, RecordedPartition, Source, SuiteFacts};

/// The end of the run of a benchmark file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Run {
    /// The version of this format: 1.
    pub version: u32,
    /// The package that the benchmark file belongs to; absent if the run ended before it was known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// The name of the bench target as an identifier; absent like `package`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The text of `--label`; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// State of the source that was measured; absent if nothing is known.
    #[serde(default, skip_serializing_if = "Source::is_unknown")]
    pub source: Source,
    /// Reason of the end.
    pub ending: Ending,
    /// The exit code: 0, 1, 2 or 3; `null` if a signal ended the run.
    pub exit_code: Option<i32>,
    /// The signal that ended the run.
    pub signal: Option<i32>,
    /// Reason why the run stopped before its time, for people.
    pub message: Option<String>,
    /// Numbers of benchmarks by outcome.
    pub counts: Counts,
    /// Numbers of benchmarks by their change against the old results; absent if nothing was
    /// measured.
    #[serde(default, skip_serializing_if = "Changes::is_empty")]
    pub changes: Changes,
    /// The part of the selected benchmarks that `--partition` took; absent if all ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition: Option<RecordedPartition>,
    /// Filters, of which any has to match; absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<String>,
    /// Filters of `--skip`, of which none may match; absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skip: Vec<String>,
    /// Do filters match whole names (`--exact`)? Absent if they do not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exact: bool,
    /// All benchmarks of the file, before filters and `--partition`; absent if the run ended before
    /// they were known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<SuiteFacts>,
    /// Start of the run, in UTC: `2026-01-31T12:00:00.000Z`.
    pub started_at: String,
    /// Wall time of the run, in nanoseconds.
    pub duration_ns: u64,
    /// Names of the compared results.
    pub baselines: Baselines,
    /// Paths of the project, the benchmark executable and the results; `null` if the run ended
    /// before they were known.
    pub files: Option<Files>,
    /// Versions, build and processor: what figures depend on, apart from the program and the tool.
    pub system: System,
    /// The Valgrind that measured; `null` if none was needed, or none found.
    pub valgrind: Option<Valgrind>,
    /// Warnings that are not about a single benchmark.
    pub warnings: Vec<String>,
    /// The warnings that name an expectation which was not checked, since filters or `--partition`
    /// left out a part of what it is about. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<String>,
    /// Failures outside of the benchmarks, such as of the teardown of a group.
    pub errors: Vec<String>,
}

/// Reason of the end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Everything ran and is within its limits.
    Ok,
    /// Everything ran, and a limit was exceeded.
    Regression,
    /// Everything ran as far as possible, and something failed; limits may be exceeded as well.
    Failure,
    /// The first exceeded limit stopped the run. The exit code is 1 if something had failed before.
    FailFast,
    /// A signal stopped the run.
    Interrupted,
    /// The run could not begin, or not go on.
    Error,
    /// A reason that later versions may add.
    #[serde(other)]
    Other,
}

/// Numbers of benchmarks by outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counts {
    /// Measured, and within their limits.
    pub ok: u64,
    /// Measured, with at least one exceeded limit.
    pub regressed: u64,
    /// Failed under at least one tool, or not run because a setup around it failed.
    pub failed: u64,
    /// Left out by filters or by `--partition`.
    pub filtered: u64,
    /// Selected, but without a result when the run ended.
    pub not_run: u64,
}

/// Versions, build and processor: what figures depend on, apart from the program and the tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct System {
    /// The version of iai-callgrind-runner.
    pub runner: String,
    /// The version of iai-callgrind in the benchmark executable.
    pub library: Option<String>,
    /// The target of the benchmark executable: `x86_64-unknown-linux-gnu`.
    pub target: Option<String>,
    /// The compiler of the benchmark executable: `1.85.0 (4d91de4e4 2025-02-17)`; `null` if the
    /// executable does not tell.
    pub rustc: Option<String>,
    /// The C library of the benchmark executable: `glibc 2.36`.
    pub libc: Option<String>,
    /// The processor, as the system names it.
    pub cpu: Option<String>,
    /// Features of the processor that Valgrind presents to programs where the processor has them.
    /// The C library chooses its functions by these features, such as `memcpy`.
    pub cpu_features: Vec<String>,
    /// Build of the benchmark executable.
    #[serde(default)]
    pub build: Build,
}

/// A Valgrind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Valgrind {
    /// The program, as an absolute path.
    pub path: String,
    /// The version: `3.24.0`; `null` if Valgrind does not tell.
    pub version: Option<String>,
}
