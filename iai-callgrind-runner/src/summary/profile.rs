//! The types of the JSON output: what one tool measured.

use serde::{Deserialize, Serialize};

pub use crate::compare::{OtherInput, PartName};

/// What one tool measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Profile {
    /// The tool: `callgrind`, `cachegrind`, `dhat`, `massif`, `exp-bbv`, `memcheck`, `helgrind`, `drd`
    /// or `perf`.
    pub tool: String,
    /// How the benchmark was executed.
    pub mode: Mode,
    /// When it was started under the tool, in UTC; `null` for the result of a baseline that was
    /// loaded.
    pub started_at: Option<String>,
    /// How long it took under the tool, in nanoseconds of wall time; `null` like `started_at`. In a
    /// fork the time in which the server is made ready belongs to the first benchmark.
    pub duration_ns: Option<u64>,
    /// All collected metrics of all processes, threads and parts together: first those that the
    /// terminal shows, in their order, then the others.
    pub metrics: Vec<Metric>,
    /// Each process, thread and part, as `--show-intermediate` shows them; empty if there is only one
    /// in both runs.
    pub parts: Vec<Part>,
    /// Limits that were exceeded; empty if there are none.
    pub regressions: Vec<Regression>,
    /// What Memcheck, Helgrind or DRD found, one for each process with errors.
    pub errors: Vec<ToolErrors>,
    /// The same executable counted otherwise the last time, under the same circumstances: changes are
    /// neither better nor worse, and limits on them are not checked.
    #[serde(default)]
    pub by_chance: bool,
    /// The arguments changed since the old result was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_input: Option<OtherInput>,
    /// Warnings about this benchmark.
    pub notes: Vec<String>,
    /// What was drawn of the profile; empty if nothing was to be.
    #[serde(default)]
    pub flamegraphs: Vec<Flamegraph>,
    /// The names of the tool's output files in the benchmark's `directory`.
    pub out_files: Vec<String>,
    /// The names of Valgrind's logs in the benchmark's `directory`.
    pub log_files: Vec<String>,
    /// Under which circumstances the figures were measured.
    pub environment: Environment,
}

/// How a benchmark is executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// In a process for the benchmark alone.
    Direct,
    /// In a fork of a process that ran under the tool already.
    Fork,
}

/// One metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Metric {
    /// Its name in the configuration: `EstimatedCycles`.
    pub kind: String,
    /// Its name on the terminal: `Estimated Cycles`.
    pub label: String,
    /// The unit of a time, as the tool names it, or of what perf measured: `ns`; `null` for everything
    /// else.
    pub unit: Option<String>,
    /// Does the terminal show it?
    pub shown: bool,
    /// The new value; `null` if it was not collected.
    pub new: Option<Number>,
    /// The old value; `null` if there is none.
    pub old: Option<Number>,
    /// The change in percent of the old value. `null` if a value is missing, or if it is infinite:
    /// the old value is 0 and the new one is not.
    pub diff_pct: Option<f64>,
    /// `new / old`, or `-old / new` if the new value is smaller. `null` if a value is missing, or if it
    /// is infinite: one of the values is 0 and the other one is not.
    pub factor: Option<f64>,
    /// The number of the event set of perf.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<u32>,
    /// What the new value of perf is the mean of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_samples: Option<Samples>,
    /// What the old value of perf is the mean of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_samples: Option<Samples>,
    /// How sure the change is, if both values are means of several samples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub significance: Option<Significance>,
}

/// What the figures of a metric of perf are the mean of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Samples {
    /// How many samples there were.
    pub n: u64,
    /// Their mean, not rounded, in the unit of the metric.
    pub mean: f64,
    /// The standard error of the mean in percent of the mean.
    pub rse_pct: f64,
    /// How long the counter ran, in nanoseconds, if perf says it.
    pub event_runtime: Option<f64>,
    /// For which share of the time the counter ran, in percent, if perf says it.
    pub pcnt_running: Option<f64>,
}

/// How sure it is that two means differ.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Significance {
    /// Is the change significant?
    pub significant: bool,
    /// The smallest change that would be, in percent of the old mean; `null` if that is 0.
    pub threshold_pct: Option<f64>,
    /// The change as a multiple of it; `null` if it is infinite.
    pub factor: Option<f64>,
}

/// A count or, for rates, a percentage.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Number {
    /// A count.
    Count(u64),
    /// A percentage.
    Rate(f64),
}

impl Number {
    /// As a floating point number, which is exact up to 2^53.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Count(count) => count as f64,
            Self::Rate(rate) => rate,
        }
    }
}

/// One process, thread and part in both runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Part {
    /// What it is in the new run; `null` if it was only in the old one.
    pub new: Option<PartName>,
    /// What it was in the old run; `null` if it is only in the new one.
    pub old: Option<PartName>,
    /// Its metrics, in the order of the profile's.
    pub metrics: Vec<Metric>,
}

/// A limit that was exceeded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Regression {
    /// The change against the old value is too large.
    Soft {
        /// The metric's name in the configuration.
        kind: String,
        /// Its new value.
        new: Number,
        /// Its old value.
        old: Number,
        /// The change in percent; `null` if it is infinite, since the old value is 0.
        diff_pct: Option<f64>,
        /// The limit in percent.
        limit: f64,
    },
    /// The new value is beyond the limit.
    Hard {
        /// The metric's name in the configuration.
        kind: String,
        /// Its new value.
        new: Number,
        /// The limit.
        limit: Number,
        /// How far the value is from the limit.
        excess: Number,
    },
}

/// What an error tool found in one process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolErrors {
    /// How many errors, each as often as it happened.
    pub errors: u64,
    /// How many different ones.
    pub contexts: u64,
    /// Memory that was lost, if that is an error.
    pub lost: Vec<Lost>,
    /// The lines of the log about the first errors.
    pub lines: Vec<String>,
    /// There are more lines; they are in the log.
    pub cut: bool,
    /// The log, as an absolute path.
    pub log: String,
}

/// Memory that was lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lost {
    /// How certain that is: `definitely lost`.
    pub kind: String,
    /// How much.
    pub bytes: u64,
    /// In how many blocks.
    pub blocks: u64,
}

/// A picture of who executed how much.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Flamegraph {
    /// The metric, as it is named in `metrics`.
    pub kind: String,
    /// What is compared, if something is.
    pub graph: Graph,
    /// The SVG file.
    pub path: String,
}

/// What a flamegraph shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Graph {
    /// The new result.
    Regular,
    /// The old result.
    Old,
    /// The new result, in the colours of what changed.
    Differential,
}

/// What figures depend on, apart from the program and the machine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Environment {
    /// The version of Valgrind: `3.24.0`.
    pub valgrind_version: Option<String>,
    /// All arguments of Valgrind, without the program.
    pub valgrind_args: Vec<String>,
    /// The simulated caches: `I1 cache: 32768 B, 64 B, 8-way associative`.
    pub caches: Vec<String>,
    /// Did the standard library draw the same random numbers as in every run? `null` for results of
    /// versions that did not say it.
    #[serde(default)]
    pub deterministic_random: Option<bool>,
    /// The variable `GLIBC_TUNABLES` of the benchmark; `null` if it has none. That of ours has large
    /// copies count in steps instead of bytes.
    #[serde(default)]
    pub glibc_tunables: Option<String>,
    /// Stands for what was run: the executables as they are loaded, the variables of the benchmark, the
    /// C library and the features of the processor. Equal where none of them changed; `null` if an
    /// executable cannot be read.
    #[serde(default)]
    pub fingerprint: Option<String>,
}
