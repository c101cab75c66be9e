//! The types of the JSON output: the result of one tool.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{ObjectCosts, RecordedLimit, RecordedThroughput};
use crate::CodeMarks;
use explain::{AllocationCount, Explanation, FunctionCosts, HeapSites, PartingPlace};

/// The result of one tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Profile {
    /// The tool: `callgrind`, `cachegrind`, `dhat`, `massif`, `exp-bbv`, `memcheck`, `helgrind`,
    /// `drd` or `perf`.
    pub tool: String,
    /// Process in which the benchmark was executed.
    pub mode: Mode,
    /// Start of the benchmark under the tool, in UTC; `null` for the result of a baseline that was
    /// loaded.
    pub started_at: Option<String>,
    /// Wall time of the benchmark under the tool, in nanoseconds; `null` like `started_at`. In a
    /// fork the time in which the server is made ready belongs to the first benchmark.
    pub duration_ns: Option<u64>,
    /// Processor time of the fork that ran the benchmark, in nanoseconds; absent for other
    /// processes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_ns: Option<u64>,
    /// All collected metrics of all processes, threads and parts together: first those that the
    /// terminal shows, in their order, then the others.
    pub metrics: Vec<Metric>,
    /// Each process, thread and part, as `--show-intermediate` shows them; empty if there is only
    /// one in both runs.
    pub parts: Vec<Part>,
    /// The process, thread and part where there are no others. Not written: only other formats have
    /// it.
    #[serde(skip)]
    pub only_part: Option<OnlyPart>,
    /// Limits that were exceeded; empty if there are none.
    pub regressions: Vec<Regression>,
    /// Limits of the metrics, whether they were exceeded or not; absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<RecordedLimit>,
    /// Errors that Memcheck, Helgrind or DRD found, one entry for each process with errors.
    pub errors: Vec<ToolErrors>,
    /// Changes are by chance: the same executable counted differently the last time, under the same
    /// conditions. Such changes are neither better nor worse, and exceed no soft limit.
    #[serde(default)]
    pub by_chance: bool,
    /// The counts of one more run: `same`, or `other` where the benchmark is not deterministic;
    /// absent if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeated: Option<Repeated>,
    /// The arguments changed since the old result was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_input: Option<OtherInput>,
    /// Warnings about this benchmark.
    pub notes: Vec<String>,
    /// Flamegraphs of the profile; empty if none were drawn.
    #[serde(default)]
    pub flamegraphs: Vec<Flamegraph>,
    /// Reasons for the change of a metric; absent if nothing is explained.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Box<Explanation>>,
    /// Places of the source whose allocations differ, under DHAT; absent if there are none, or if
    /// they are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heap_sites: Option<Box<HeapSites>>,
    /// Calls of the allocator; absent if they are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocations: Option<Allocations>,
    /// Amounts that the benchmark handles, by which instructions are divided; absent if no side
    /// says some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throughput: Option<RecordedThroughput>,
    /// Names of the counters of `functions`; absent if the costs of functions are not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<String>,
    /// Functions with at least 0.1 % of the first counter, the most expensive first: at most 200,
    /// of which the last one, `…`, is all others. They add up to the totals; absent if they are not
    /// known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<FunctionCosts>,
    /// Costs of Callgrind by executable and library, the most expensive first. They add up to the
    /// totals; absent if they are not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<ObjectCosts>,
    /// The name of the file in the benchmark's `directory` from which later results are explained;
    /// absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The names of the tool's output files in the benchmark's `directory`.
    pub out_files: Vec<String>,
    /// The names of Valgrind's logs in the benchmark's `directory`.
    pub log_files: Vec<String>,
    /// The lengths in bytes of `out_files` and, after them, `log_files`; absent in older records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub file_lengths: Vec<u64>,
    /// Circumstances under which the figures were measured.
    pub environment: Environment,
}

/// Calls of the allocator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Allocations {
    /// The calls in the new result.
    pub new: AllocationCount,
    /// The calls in the old result; absent if they are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<AllocationCount>,
}

/// The process, thread and part of a result that has no others.
#[derive(Debug, Clone, PartialEq)]
pub struct OnlyPart {
    /// Name in the new run.
    pub new: PartName,
    /// Name in the old run.
    pub old: Option<PartName>,
}

/// One metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Metric {
    /// Name of the metric in the configuration: `EstimatedCycles`.
    pub kind: Cow<'static, str>,
    /// Name of the metric on the terminal: `Estimated Cycles`.
    pub label: Cow<'static, str>,
    /// The unit of a time, as the tool names it, or of what perf measured: `ns`; `null` for
    /// everything else.
    pub unit: Option<String>,
    /// Does the terminal show the metric?
    pub shown: bool,
    /// The new value; `null` if it was not collected.
    pub new: Option<Number>,
    /// The old value; `null` if there is none.
    pub old: Option<Number>,
    /// The change in percent of the old value. `null` if a value is missing, or if it is infinite:
    /// the old value is 0 and the new one is not.
    pub diff_pct: Option<f64>,
    /// `new / old`, or `-old / new` if the new value is smaller. `null` if a value is missing, or
    /// if it is infinite: one of the values is 0 and the other one is not.
    pub factor: Option<f64>,
    /// The number of the event set of perf.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<u32>,
    /// Samples that the new value of perf is the mean of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_samples: Option<Samples>,
    /// Samples that the old value of perf is the mean of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_samples: Option<Samples>,
    /// Significance of the change, if both values are means of several samples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub significance: Option<Significance>,
}

/// Samples that a value of perf is the mean of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Samples {
    /// Number of samples.
    pub n: u64,
    /// Mean of the samples, not rounded, in the unit of the metric.
    pub mean: f64,
    /// The standard error of the mean in percent of the mean.
    pub rse_pct: f64,
    /// Time for which the counter ran, in nanoseconds, if perf tells it.
    pub event_runtime: Option<f64>,
    /// Share of the time for which the counter ran, in percent, if perf tells it.
    pub pcnt_running: Option<f64>,
}

/// Significance of the difference of two means.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Significance {
    /// Is the change significant?
    pub significant: bool,
    /// Smallest change that would be significant, in percent of the old mean; `null` if the old
    /// mean is 0.
    pub threshold_pct: Option<f64>,
    /// The change as a multiple of the smallest significant one; `null` if it is infinite.
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
    /// Value as a floating point number, which is exact for counts up to 2^53.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Count(count) => count as f64,
            Self::Rate(rate) => rate,
        }
    }
}

/// All digits: `16387`, `99.25`.
impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Count(count) => count.fmt(f),
            Self::Rate(rate) => rate.fmt(f),
        }
    }
}

/// One process, thread and part in both runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Part {
    /// Name in the new run; `null` if only the old run had this part.
    pub new: Option<PartName>,
    /// Name in the old run; `null` if only the new run has this part.
    pub old: Option<PartName>,
    /// Metrics of the part, in the order of the profile's.
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
        /// The new value.
        new: Number,
        /// The old value.
        old: Number,
        /// The change in percent; `null` if it is infinite, since the old value is 0.
        diff_pct: Option<f64>,
        /// The limit in percent.
        limit: f64,
        /// Are the values those of the program's own code, since all others cannot be compared?
        /// Absent if they are not.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        own: bool,
    },
    /// The new value is beyond the limit.
    Hard {
        /// The metric's name in the configuration.
        kind: String,
        /// The new value.
        new: Number,
        /// The limit.
        limit: Number,
        /// Distance of the new value from the limit.
        excess: Number,
    },
    /// The value differs from that of another case of the function, and the source says that all
    /// are equal.
    Unequal {
        /// The metric's name in the configuration.
        kind: String,
        /// The value of this benchmark.
        new: Number,
        /// The value of the other benchmark.
        other: Number,
        /// The path of the other benchmark: the first case of the function.
        with: String,
        /// Places at which the two part, the largest difference first; empty if they are not known.
        places: Vec<PartingPlace>,
    },
    /// The count of one of two benchmarks is larger than the ratio that the source states allows.
    /// The other one ran before.
    Ratio {
        /// The metric's name in the configuration.
        kind: String,
        /// The path of the benchmark that may count at most so many times what the other does.
        limited: String,
        /// Its count.
        limited_count: u64,
        /// The ratio as it is written in the source: `0.5`.
        ratio: String,
        /// The path of the other benchmark.
        of: String,
        /// Its count.
        of_count: u64,
    },
    /// The value grows faster with the size of the input than the source states. `growth` of the
    /// benchmark has all fits.
    Growth {
        /// The metric's name in the configuration.
        kind: String,
        /// Id of the attribute with the sizes.
        bench: String,
        /// The growth that the source states.
        stated: String,
        /// The growth that describes the values, if it is faster than the stated one. `null`: none
        /// does.
        found: Option<String>,
    },
}

/// Errors that Memcheck, Helgrind or DRD found in one process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolErrors {
    /// Number of errors, each as often as it happened.
    pub errors: u64,
    /// Number of different errors.
    pub contexts: u64,
    /// Memory that was lost, if that is an error.
    pub lost: Vec<Lost>,
    /// The lines of the log about the first errors.
    pub lines: Vec<String>,
    /// Are there more lines in the log?
    pub cut: bool,
    /// Absolute path of the log.
    pub log: String,
}

/// Memory that was lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lost {
    /// Kind of the loss, by its certainty: `definitely lost`.
    pub kind: String,
    /// Number of bytes.
    pub bytes: u64,
    /// Number of blocks.
    pub blocks: u64,
}

/// A flamegraph of one metric.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Flamegraph {
    /// The metric, as it is named in `metrics`.
    pub kind: String,
    /// Results that the flamegraph shows.
    pub graph: Graph,
    /// Path of the SVG file.
    pub path: String,
}

/// Results that a flamegraph shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Graph {
    /// The new result.
    Regular,
    /// The old result.
    Old,
    /// The new result, colored by the changes from the old one.
    Differential,
}

/// Circumstances that figures depend on, apart from the program and the machine.
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
    /// Did Callgrind look at the process while the benchmark function ran only? Simulated caches
    /// are empty then when it begins. `null` for other tools, and for results of versions that did
    /// not say it.
    #[serde(default)]
    pub fast_setup: Option<bool>,
    /// The environment variable `GLIBC_TUNABLES` of the benchmark; `null` if it has none. The value
    /// that the runner sets has large copies count in steps instead of bytes.
    #[serde(default)]
    pub glibc_tunables: Option<String>,
    /// The environment variables of the benchmark by which the loader finds and chooses libraries:
    /// `LD_LIBRARY_PATH=/w/target/release/deps`. Those of library benchmarks are relative to the
    /// workspace. Absent if it has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loader_variables: Vec<String>,
    /// The part of the benchmark that counts: `the benchmark function`, `regions of the benchmark`,
    /// `all functions`, or the patterns of the entry point; with an end about blocks that are left
    /// out where a client request switched collection. `null` for results of versions that did not
    /// say it.
    #[serde(default)]
    pub counted_part: Option<String>,
    /// The calls that Valgrind does not know and refused, though the kernel may know them:
    /// ``system call `futex_waitv` (449)``. Absent if there were none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown_calls: Vec<String>,
    /// Mark of all code that was measured: the benchmark executable, the program, the programs that
    /// were started, and the shared libraries of the workspace that ran. Equal where all of them
    /// are the same, on any machine; `null` if one of them cannot be read or is not known, which is
    /// so for perf and, under tools other than Callgrind, for programs that may load such
    /// libraries, and for results of versions that did not say it.
    #[serde(default)]
    pub code: Option<String>,
    /// Fingerprint of the same code, the environment variables of the benchmark, the C library and
    /// the features of the processor. Equal where none of them changed; `null` where `code` is.
    #[serde(default)]
    pub fingerprint: Option<String>,
}

impl Environment {
    /// The marks of what was measured.
    pub fn marks(&self) -> CodeMarks<'_> {
        CodeMarks {
            code: self.code.as_deref(),
            fingerprint: self.fingerprint.as_deref(),
        }
    }
}

/// Process in which a benchmark is executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// A process for the benchmark alone.
    Direct,
    /// A fork of a process that ran under the tool already.
    Fork,
}

/// The counts of a benchmark that ran once more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Repeated {
    /// It had the same counts again.
    Same,
    /// It had other counts: the benchmark is not deterministic.
    Other,
}

/// The name of a part: its process, thread and dump.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartName {
    /// The process id.
    pub pid: Option<u32>,
    /// The id of the parent process.
    pub parent_pid: Option<u32>,
    /// The number of the thread, from 1.
    pub thread: Option<u64>,
    /// The number of the dump, from 1.
    pub part: Option<u64>,
    /// The command of the process; `null` if it is the benchmark executable.
    pub command: Option<String>,
    /// The text that the program gave the dump.
    pub trigger: Option<String>,
}

/// Arguments that changed since the old result was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OtherInput {
    /// The arguments of the old result, as in `input` of a benchmark.
    pub was: String,
    /// The arguments of the new result.
    pub is: String,
    /// Are the figures compared nevertheless? They are where the id is a name that the author gave,
    /// and are not where it is a place in a list; then all old values are `null` and no soft limit
    /// applies.
    pub compared: bool,
}
