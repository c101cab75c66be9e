//! The types of a history, version 1: the content of each format, and the JSON format itself.
//!
//! Fields may be added within a version; readers ignore what they do not know.

use serde::Serialize;

use records::summary::Number;

/// The version of the format that is written.
pub const VERSION: u32 = 1;

/// Counts of benchmarks at several commits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct History {
    /// The version of this format: 1.
    pub version: u32,
    /// All commits that have results, the oldest first. Runs with changed files, which
    /// `history.jsonl` distinguishes, follow their commit.
    pub commits: Vec<HistoryCommit>,
    /// A series for each benchmark and metric, by label, target, package and path.
    pub series: Vec<HistorySeries>,
    /// Notes on what was left out.
    pub notes: Vec<String>,
}

/// A commit, or a run with changed files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct HistoryCommit {
    /// The hash; `null` if it is not known.
    pub commit: Option<String>,
    /// The time of the commit, as the records have it.
    pub committed_at: Option<String>,
    /// Were there changes that are in no commit?
    pub dirty: bool,
    /// Start of its last run, in UTC.
    pub at: Option<String>,
    /// The machine code of the executable, of a run with changed files.
    pub code: Option<String>,
    /// The compiler, as the first result has it: `1.95.0`.
    pub rustc: Option<String>,
    /// The version of Valgrind, as the first result has it.
    pub valgrind: Option<String>,
    /// The C library, as the first result has it: `glibc 2.36`.
    pub libc: Option<String>,
}

impl HistoryCommit {
    /// The time that people look for: that of the run where files were changed or no commit is
    /// known, else that of the commit.
    #[must_use]
    pub fn time(&self) -> Option<&str> {
        let (run, commit) = (self.at.as_deref(), self.committed_at.as_deref());
        match self.is_of_a_run() {
            true => run.or(commit),
            false => commit.or(run),
        }
    }

    /// Programs that differ from those at an earlier commit: `rustc 1.94.1 -> 1.95.0`. Unknown
    /// programs are left out.
    #[must_use]
    pub fn programs_since(&self, before: &Self) -> Vec<String> {
        let sides = [
            ("rustc ", &before.rustc, &self.rustc),
            ("Valgrind ", &before.valgrind, &self.valgrind),
            ("", &before.libc, &self.libc),
        ];
        let differing = sides.into_iter().filter_map(|(name, old, new)| {
            let (old, new) = (old.as_ref()?, new.as_ref()?);
            (old != new).then(|| format!("{name}{old} -> {new}"))
        });
        differing.collect()
    }

    /// Is it a single run, which is distinguished from others of its commit?
    #[must_use]
    pub fn is_of_a_run(&self) -> bool {
        self.code.is_some() || self.commit.is_none()
    }
}

/// The values of one metric of one benchmark.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HistorySeries {
    /// The label of the runs, if they have one.
    pub label: Option<String>,
    /// The target of the executable.
    pub target: Option<String>,
    /// The package.
    pub package: String,
    /// The whole name of the benchmark.
    pub path: String,
    /// The tool.
    pub tool: String,
    /// Name of the metric in the configuration: `EstimatedCycles`.
    pub kind: String,
    /// Name of the metric on the terminal: `Estimated Cycles`.
    pub metric: String,
    /// The number of commits and runs at which the benchmark was measured, also where no point is
    /// kept of them.
    pub measured: usize,
    /// The values, the oldest first.
    pub points: Vec<HistoryPoint>,
}

/// The value of a metric at a commit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HistoryPoint {
    /// The index of the commit among those of the history.
    pub commit: usize,
    /// The value.
    pub value: Number,
    /// The sums of the program's own code, if the change is judged on them because the C library
    /// differs.
    pub own: Option<HistoryOwn>,
    /// Did the count change since the value before? The first value is no change.
    pub changed: bool,
    /// The change in percent of the value before; `null` for the first one, and if it is infinite.
    pub diff_pct: Option<f64>,
    /// Changes of the environment since the value before: `rustc 1.94.1 -> 1.95.0`.
    pub circumstances: Vec<String>,
    /// The value before is of other arguments at the same place of a list, of another title, or a
    /// total of another amount of throughput, so the two are not compared.
    pub other_arguments: bool,
    /// The number of commits since the value before; more than 1 if it was not measured at some,
    /// and 0 if both are of runs at the same commit.
    pub commits_since: usize,
    /// Other values of this commit under the same conditions: the benchmark is not
    /// deterministic.
    pub others: Vec<Number>,
}

/// Counts of the program's own code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct HistoryOwn {
    /// The sum at the value before.
    pub old: u64,
    /// The sum at this value.
    pub new: u64,
}
