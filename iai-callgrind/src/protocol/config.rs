//! Configuration as plain values: what a user said at one level, nothing merged.
//!
//! `Option` means "not said at this level". The runner lays the levels over each other in
//! `plan`, by [`Over`](super::Over).

use std::ffi::OsString;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::Callgrind;

/// The configuration of one level (`main!`, group, attribute or bench).
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Config {
    /// Arguments for every Valgrind tool.
    pub valgrind_args: Vec<String>,
    /// Start the benchmark with an almost empty environment.
    pub env_clear: Option<bool>,
    /// Environment variables in the order in which they were given.
    pub envs: Vec<EnvVar>,
    /// Settings of Callgrind.
    pub callgrind: Option<Callgrind>,
    /// Measure in forks of one process instead of in a process of its own.
    pub fork: Option<bool>,
    /// Run on one processor.
    pub single_cpu: Option<bool>,
    /// Let the standard library draw the same random numbers in every run.
    pub deterministic_random: Option<bool>,
    /// How results are shown.
    pub output_format: Option<OutputFormat>,
}

/// One environment variable.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct EnvVar {
    /// The variable's name.
    pub name: OsString,
    /// `None`: the value that the variable has where the runner runs; left out if it has none.
    pub value: Option<OsString>,
}

/// How the results of a benchmark are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct OutputFormat {
    /// Longest description in the headline.
    pub truncate_description: Option<Truncate>,
    /// Differences within this percentage count as no change.
    pub tolerance: Option<f64>,
}

/// Where a long description is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum Truncate {
    /// At this number of characters.
    At(usize),
    /// Nowhere.
    Never,
}
