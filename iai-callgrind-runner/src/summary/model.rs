//! The types of `summary.json`, version 1. Fields may be added within a version; readers ignore
//! what they do not know.

use serde::{Deserialize, Serialize};

/// The version of the format that is written.
pub const VERSION: u32 = 1;

/// The result of one benchmark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// The version of this format: 1.
    pub version: u32,
    /// Which benchmark.
    pub benchmark: Benchmark,
    /// What was compared.
    pub baselines: Baselines,
    /// One for each tool it ran under, the default tool first. A tool under which it failed is left
    /// out.
    pub profiles: Vec<Profile>,
}

/// What one tool measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Profile {
    /// The tool: `callgrind`, `cachegrind`, `dhat`, `massif`, `exp-bbv`, `memcheck`, `helgrind`, `drd`
    /// or `perf`.
    pub tool: String,
    /// How the benchmark was executed.
    pub mode: Mode,
    /// All collected metrics, in the order in which the terminal can show them.
    pub metrics: Vec<Metric>,
    /// Limits that were exceeded; empty if there are none.
    pub regressions: Vec<Regression>,
    /// Warnings about this benchmark.
    pub notes: Vec<String>,
    /// What was drawn of the profile; empty if nothing was to be.
    #[serde(default)]
    pub flamegraphs: Vec<Flamegraph>,
    /// Under which circumstances the figures were measured.
    pub environment: Environment,
}

/// The parts of a benchmark's name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Benchmark {
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
}

/// How a benchmark is executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// In a process for the benchmark alone.
    Direct,
    /// In a fork of a process that ran under the tool already.
    Fork,
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

/// One metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Metric {
    /// Its name in the configuration: `EstimatedCycles`.
    pub kind: String,
    /// Its name on the terminal: `Estimated Cycles`.
    pub label: String,
    /// The unit of a time, as the tool names it, or of what perf measured: `ns`. Absent for everything
    /// else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The new value; `null` if it was not collected.
    pub new: Option<Number>,
    /// The old value; `null` if there is none.
    pub old: Option<Number>,
    /// The change in percent of the old value; `null` if a value is missing or if it is infinite.
    pub diff_pct: Option<f64>,
    /// `new / old`, or `-old / new` if the new value is smaller; `null` if a value is missing or
    /// if it is infinite.
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

/// A count or, for rates, a percentage; of perf a count or a number in the unit of the metric.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Number {
    /// A count.
    Count(u64),
    /// A percentage.
    Rate(f64),
}

/// A limit that was exceeded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Regression {
    /// The change against the old value is too large.
    Soft {
        /// The metric.
        kind: String,
        /// Its new value.
        new: Number,
        /// Its old value.
        old: Number,
        /// The change in percent; `null` if it is infinite.
        diff_pct: Option<f64>,
        /// The limit in percent.
        limit: f64,
    },
    /// The new value is beyond the limit.
    Hard {
        /// The metric.
        kind: String,
        /// Its new value.
        new: Number,
        /// The limit.
        limit: Number,
        /// How far the value is from the limit.
        excess: Number,
    },
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
#[serde(rename_all = "lowercase")]
pub enum Graph {
    /// The new result.
    Regular,
    /// The old result.
    Old,
    /// The new result, in the colours of what changed.
    Differential,
}

/// What figures depend on, apart from the program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Environment {
    /// The version of Valgrind: `3.24.0`.
    pub valgrind_version: Option<String>,
    /// All arguments of Valgrind, without the program; of perf those that the user gave.
    pub valgrind_args: Vec<String>,
    /// The simulated caches: `I1 cache: 32768 B, 64 B, 8-way associative`.
    pub caches: Vec<String>,
}
