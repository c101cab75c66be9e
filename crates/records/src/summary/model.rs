//! The types of the JSON output and of `summary.json`, version 1: the result of a benchmark.
//!
//! Fields may be added within a version; readers ignore what they do not know.

use serde::{Deserialize, Serialize};

use super::{Metric, Profile, RecordedGrowth, RecordedTime, Run, Source, System};

/// The version of the format that is written.
pub const VERSION: u32 = 1;

/// One object of the JSON output: of a benchmark, or of a whole run at its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Record {
    /// The result of a benchmark; `summary.json` holds one.
    Benchmark(Box<Summary>),
    /// The end of the run of a benchmark file: the last object of a run.
    Run(Box<Run>),
}

/// The result of one benchmark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// The version of this format: 1.
    pub version: u32,
    /// Outcome of the benchmark.
    pub status: Status,
    /// The text of `--label`, which tells configurations of the same benchmarks apart; absent if
    /// there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// State of the source that was measured; absent if nothing is known.
    #[serde(default, skip_serializing_if = "Source::is_unknown")]
    pub source: Source,
    /// The parts of the benchmark's name, its arguments and its command.
    pub benchmark: Benchmark,
    /// Names of the compared results.
    pub baselines: Baselines,
    /// Start of the benchmark, in UTC: `2026-01-31T12:00:00.000Z`.
    pub started_at: String,
    /// Wall time of all tools together, in nanoseconds.
    pub duration_ns: u64,
    /// Results of the tools that have one, the default tool first.
    pub profiles: Vec<Profile>,
    /// Failures of the benchmark, by tool; empty unless the status is `failed`.
    pub failures: Vec<Failure>,
    /// Comparisons with earlier benchmarks of the group that have the same id, if the group
    /// compares by id.
    pub comparisons: Vec<Comparison>,
    /// Growth of the counts with the size of the input, one for each tool that counts instructions,
    /// in the record of the last case of an attribute with `scaling`; absent in all others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub growth: Vec<RecordedGrowth>,
    /// Wall time beside the counts; absent unless `--time` asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<RecordedTime>,
    /// The directory with the files of the profiles, relative to `home` in `files`.
    pub directory: String,
    /// Paths of the project, the benchmark executable and the results.
    pub files: Files,
    /// Versions, build and processor: what figures depend on, apart from the program and the tool.
    pub system: System,
}

/// Outcome of a benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Measured, and within its limits.
    Ok,
    /// Measured, with at least one exceeded limit.
    Regressed,
    /// Failed under at least one tool, or not run because a setup around it failed.
    Failed,
}

/// The parts of a benchmark's name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Benchmark {
    /// The whole name, which filters match: `file::group::function` or `file::group::function::id`.
    pub path: String,
    /// Kind of the benchmark.
    pub kind: Kind,
    /// The package that the benchmark file belongs to.
    pub package: String,
    /// The name of the bench target as an identifier.
    pub file: String,
    /// The group.
    pub group: String,
    /// The function.
    pub function: String,
    /// The id of the case, if it has one.
    pub id: Option<String>,
    /// The arguments as they are written in the source, not shortened.
    pub args: Option<String>,
    /// The arguments in the form that tells them from those of other results; absent if the
    /// benchmark has no id, or if the arguments are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Input>,
    /// The command of a binary benchmark, quoted for a shell; `null` for library benchmarks.
    pub command: Option<String>,
    /// The text that the terminal shows after the id, not shortened.
    pub description: Option<String>,
    /// The file of the benchmark's attribute, relative to the workspace; absent if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_file: Option<String>,
    /// The line of the benchmark's attribute; absent if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// The arguments of a benchmark, as far as they tell it from others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Input {
    /// The arguments and the values of const generics, without setup and label, however the source
    /// is formatted. An element of an iterator is its value if that is a number or a text. Long
    /// texts are their beginning and a hash.
    pub text: String,
    /// Is the id the place in a list, as `rows_1` of `#[benches::rows(1, 2)]`, and not a name?
    pub positional: bool,
}

/// Kind of a benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A library benchmark: a function is measured.
    Library,
    /// A binary benchmark: a program is measured.
    Binary,
}

/// Failure of a benchmark: a tool has no result, or one that is a failure, or the benchmark did not
/// run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Failure {
    /// The tool; `null` if the benchmark did not run under any.
    pub tool: Option<String>,
    /// Reason of the failure, for programs.
    pub reason: Reason,
    /// Reason of the failure, for people: the text continues the benchmark's name, and may have
    /// several lines.
    pub message: String,
    /// Exit code of the benchmark or hook that ended the wrong way; `null` if it ended without one.
    pub exit_code: Option<i32>,
    /// Signal that ended the benchmark or hook; `null` if none did.
    pub signal: Option<i32>,
    /// Absolute path of Valgrind's log; `null` if none was kept. A benchmark that ended the wrong
    /// way leaves no files behind; the message then has the lines of the log that say why.
    pub log: Option<String>,
    /// Output of the benchmark to stdout and stderr, if it was not shown at once.
    pub output: Option<String>,
}

/// Reason of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The benchmark ended in another way than it has to: a panic, an exit code, a signal.
    Ended,
    /// The benchmark exceeded its time limit.
    TimedOut,
    /// The benchmark could not be started.
    NotStarted,
    /// A setup before the benchmark failed, so the benchmark did not run.
    Setup,
    /// The benchmark ended well, but its setup or teardown did not.
    Hooks,
    /// The tool found errors in the benchmark.
    Errors,
    /// The benchmark ran, but no event was counted.
    NothingCounted,
    /// The tool's result is missing, not complete, or cannot be read.
    NoResult,
    /// Something that `--strict` asks for is missing.
    Strict,
    /// The benchmark ran several times for `--check-determinism`, and the runs differ.
    NotDeterministic,
    /// Any other reason, also one that later versions may add.
    #[serde(other)]
    Other,
}

/// Another benchmark side by side with this one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// The path of the other benchmark.
    pub with: String,
    /// The tool.
    pub tool: String,
    /// The metrics that the terminal shows, then the others: `new` is the value of the other
    /// benchmark, `old` of this one.
    pub metrics: Vec<Metric>,
}

/// Paths of the project, the benchmark executable and the results; absolute unless said otherwise.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Files {
    /// The root of the workspace.
    pub workspace: String,
    /// The directory of the package.
    pub package_dir: String,
    /// The source with `main!`.
    pub bench_file: String,
    /// The benchmark executable.
    pub executable: String,
    /// The directory with all results.
    pub home: String,
    /// `home` relative to the workspace; `null` if it lies elsewhere.
    pub home_in_workspace: Option<String>,
}

/// The names of the compared results; `null` stands for the last run and the one before it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Baselines {
    /// Baseline of the new values; `null` for the last run.
    pub new: Option<String>,
    /// Baseline of the old values; `null` for the run before the last one.
    pub old: Option<String>,
}
