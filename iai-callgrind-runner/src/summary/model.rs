//! The types of the JSON output and of `summary.json`, version 1: what is said about a benchmark.
//!
//! Fields may be added within a version; readers ignore what they do not know.

use serde::{Deserialize, Serialize};

use super::{Metric, Profile, Run, System};

/// The version of the format that is written.
pub const VERSION: u32 = 1;

/// One object of the JSON output: of a benchmark, or of a whole run at its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Record {
    /// The result of a benchmark; `summary.json` holds one.
    Benchmark(Box<Summary>),
    /// How the run of a benchmark file ended: the last object of a run.
    Run(Box<Run>),
}

/// The result of one benchmark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// The version of this format: 1.
    pub version: u32,
    /// How it went.
    pub status: Status,
    /// Which benchmark.
    pub benchmark: Benchmark,
    /// What was compared.
    pub baselines: Baselines,
    /// When it began, in UTC: `2026-01-31T12:00:00.000Z`.
    pub started_at: String,
    /// How long all tools took together, in nanoseconds of wall time.
    pub duration_ns: u64,
    /// One for each tool that has a result, the default tool first.
    pub profiles: Vec<Profile>,
    /// Why tools have no result, or one that is a failure; empty if the status is another one than
    /// `failed`.
    pub failures: Vec<Failure>,
    /// Earlier benchmarks of the group that have the same id, if the group compares by id.
    pub comparisons: Vec<Comparison>,
    /// The directory with the files of the profiles, relative to `home` in `files`.
    pub directory: String,
    /// What was run and where the results are.
    pub files: Files,
    /// What figures depend on, apart from the program and the tool.
    pub system: System,
}

/// How a benchmark went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Measured, and within its limits.
    Ok,
    /// Measured, with at least one exceeded limit.
    Regressed,
    /// Something went wrong under at least one tool.
    Failed,
}

/// The parts of a benchmark's name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Benchmark {
    /// The whole name, which filters match: `file::group::function` or `file::group::function::id`.
    pub path: String,
    /// What is measured.
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
    /// What tells its arguments from others; absent if it has no id, or if they are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Input>,
    /// What a binary benchmark runs, quoted for a shell; `null` for library benchmarks.
    pub command: Option<String>,
    /// What the terminal shows after the id, not shortened.
    pub description: Option<String>,
}

/// The arguments of a benchmark, as far as they tell it from others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Input {
    /// The arguments and the values of const generics, without setup and label, however the source is
    /// formatted. An element of an iterator is its value if that is a number or a text. Long texts are
    /// their beginning and a hash.
    pub text: String,
    /// Is the id the place in a list, as `rows_1` of `#[benches::rows(1, 2)]`, and not a name?
    pub positional: bool,
}

/// What a benchmark measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A function.
    Library,
    /// A program.
    Binary,
}

/// The names of the compared data; `null` stands for the last run and the one before it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Baselines {
    /// Of the new values.
    pub new: Option<String>,
    /// Of the old values.
    pub old: Option<String>,
}

/// Why a tool has no result, or one that is a failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Failure {
    /// The tool; `null` if the benchmark did not run under any.
    pub tool: Option<String>,
    /// What went wrong, for programs.
    pub reason: Reason,
    /// What went wrong, for people; continues the benchmark's name. It may have several lines.
    pub message: String,
    /// The exit code of what ended the wrong way, if it ended with one.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Valgrind's log, as an absolute path; `null` if none was kept. What ended the wrong way leaves
    /// nothing behind; the message then has the lines of the log that say why.
    pub log: Option<String>,
    /// What the benchmark printed to both streams, if that was not shown at once.
    pub output: Option<String>,
}

/// What kind of thing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It ended in another way than it has to: a panic, an exit code, a signal.
    Ended,
    /// It took too long.
    TimedOut,
    /// It could not be started.
    NotStarted,
    /// A setup failed before it, so it did not run.
    Setup,
    /// It ended well, but its setup or teardown did not.
    Hooks,
    /// The tool found errors in it.
    Errors,
    /// It ran, but no event was counted.
    NothingCounted,
    /// The tool's result is missing, not complete, or cannot be read.
    NoResult,
    /// Something was not there that `--strict` asks for.
    Strict,
    /// It ran several times, as `--check-determinism` wants, and the runs differ.
    NotDeterministic,
    /// Anything else; also what later versions may add.
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
    /// As the terminal shows them: `new` is the value of the other benchmark, `old` of this one.
    pub metrics: Vec<Metric>,
}

/// What was run, and where the results are. Paths are absolute unless it is said otherwise.
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
    /// The same, relative to the workspace; `null` if it is not in it.
    pub home_in_workspace: Option<String>,
}
