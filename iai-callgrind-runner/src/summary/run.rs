//! The types of the JSON output: how a whole run ended, and what it ran on.

use serde::{Deserialize, Serialize};

use super::{Baselines, Build, Files};
use crate::host::Host;

/// How the run of a benchmark file ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Run {
    /// The version of this format: 1.
    pub version: u32,
    /// Why it ended.
    pub ending: Ending,
    /// The exit code: 0, 1, 2 or 3; `null` if a signal ended the run.
    pub exit_code: Option<i32>,
    /// The signal that ended the run.
    pub signal: Option<i32>,
    /// What ended the run before its time, for people.
    pub message: Option<String>,
    /// How many benchmarks ended in which way.
    pub counts: Counts,
    /// When it began, in UTC: `2026-01-31T12:00:00.000Z`.
    pub started_at: String,
    /// How long it took, in nanoseconds of wall time.
    pub duration_ns: u64,
    /// What was compared.
    pub baselines: Baselines,
    /// What was run and where the results are; `null` if the run ended before that was known.
    pub files: Option<Files>,
    /// What figures depend on, apart from the program and the tool.
    pub system: System,
    /// The Valgrind that measured; `null` if none was needed, or none found.
    pub valgrind: Option<Valgrind>,
    /// Warnings that are not about a single benchmark.
    pub warnings: Vec<String>,
    /// What went wrong outside of the benchmarks, such as in the teardown of a group.
    pub errors: Vec<String>,
}

/// Why a run ended.
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
    /// What later versions may add.
    #[serde(other)]
    Other,
}

/// How many benchmarks ended in which way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counts {
    /// Measured, and within their limits.
    pub ok: u64,
    /// Measured, with at least one exceeded limit.
    pub regressed: u64,
    /// Something went wrong.
    pub failed: u64,
    /// Left out by filters or by `--partition`.
    pub filtered: u64,
    /// Selected, but the run ended before.
    pub not_run: u64,
}

/// What figures depend on, apart from the program and the tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct System {
    /// The version of iai-callgrind-runner.
    pub runner: String,
    /// The version of iai-callgrind in the benchmark executable.
    pub library: Option<String>,
    /// What the benchmark executable was built for: `x86_64-unknown-linux-gnu`.
    pub target: Option<String>,
    /// The compiler that built it: `1.85.0 (4d91de4e4 2025-02-17)`; `null` if it does not say.
    pub rustc: Option<String>,
    /// Its C library: `glibc 2.36`.
    pub libc: Option<String>,
    /// The processor, as the system names it.
    pub cpu: Option<String>,
    /// Those of its features that Valgrind presents to programs where the processor has them. The C
    /// library chooses its functions by them, such as `memcpy`.
    pub cpu_features: Vec<String>,
    /// How the benchmark executable was built.
    #[serde(default)]
    pub build: Build,
}

/// A Valgrind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Valgrind {
    /// The program, as an absolute path.
    pub path: String,
    /// Its version: `3.24.0`; `null` if it does not say.
    pub version: Option<String>,
}

impl Valgrind {
    /// The one that benchmarks run under. `None`: nothing runs under it.
    pub(crate) fn of(host: &Host) -> Option<Self> {
        let is_there = host.valgrind.is_absolute() || host.tool_runner.is_some();
        is_there.then(|| Self {
            path: host.valgrind.display().to_string(),
            version: host.version().map(|version| version.text.clone()),
        })
    }
}
