//! The content of a file of accepted counts.

use std::collections::BTreeMap;
use std::fmt;

use base::tool::Tool;
use records::summary::Number;

/// The accepted counts of a project.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AcceptedCounts {
    /// Facts of the results, where they are known: only in a file that holds all counts.
    pub facts: BTreeMap<AcceptedPlace, AcceptedFacts>,
    /// The counts of each benchmark.
    pub benchmarks: BTreeMap<AcceptedName, AcceptedBenchmark>,
}

/// The target of an executable that does not tell it.
const UNKNOWN: &str = "unknown";

/// The target and the label of results, which are compared only with those of the same place.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AcceptedPlace {
    /// The target of the executable: `x86_64-unknown-linux-gnu`.
    pub target: String,
    /// The label of the run, if it has one.
    pub label: Option<String>,
}

/// Name of a benchmark among all that a project has results of.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AcceptedName {
    /// Target and label.
    pub place: AcceptedPlace,
    /// The package.
    pub package: String,
    /// The whole name of the benchmark within its package.
    pub path: String,
}

/// Circumstances of all accepted counts of a place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AcceptedFacts {
    /// The version of the compiler: `1.95.0`.
    pub rustc: Option<String>,
    /// The C library: `glibc 2.36`.
    pub libc: Option<String>,
    /// The features of the processor that programs see under Valgrind: `avx2`.
    pub cpu: Option<String>,
}

/// The accepted counts of a benchmark.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AcceptedBenchmark {
    /// The counts, those of Callgrind first.
    pub counts: Vec<AcceptedCount>,
    /// The instructions of the program's own code, which hold with another C library as well.
    pub own: Option<u64>,
    /// The C library that the counts were made with, if it is not that of the place: `glibc 2.36`.
    pub libc: Option<String>,
    /// The arguments, if the id is their place in a list: another argument there is another
    /// benchmark.
    pub input: Option<String>,
    /// The reason why the counts were accepted.
    pub reason: Option<String>,
    /// The line of the file, from 1.
    pub line: usize,
}

/// An accepted count.
#[derive(Debug, Clone, PartialEq)]
pub struct AcceptedCount {
    /// The tool.
    pub tool: Tool,
    /// Name of the metric in the configuration: `Ir`.
    pub kind: String,
    /// The count.
    pub count: Number,
}

impl AcceptedCounts {
    /// Is nothing accepted?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.benchmarks.is_empty()
    }

    /// The C library that the counts of a benchmark were made with, if it is known.
    #[must_use]
    pub fn libc(&self, name: &AcceptedName) -> Option<&str> {
        let of_line = self.benchmark(name)?.libc.as_deref();
        let of_place = || self.facts.get(&name.place)?.libc.as_deref();
        of_line.or_else(of_place)
    }

    /// The accepted counts of a benchmark.
    #[must_use]
    pub fn benchmark(&self, name: &AcceptedName) -> Option<&AcceptedBenchmark> {
        self.benchmarks.get(name)
    }
}

impl AcceptedName {
    /// The name of a benchmark by its parts.
    #[must_use]
    pub fn new(target: Option<&str>, label: Option<&str>, package: &str, path: &str) -> Self {
        Self {
            place: AcceptedPlace::new(target, label),
            package: package.to_owned(),
            path: path.to_owned(),
        }
    }
}

/// `exp1 app::g::sort`, with the label behind it if there is one.
impl fmt::Display for AcceptedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.package, self.path)?;
        match &self.place.label {
            Some(label) => write!(f, " ({label})"),
            None => Ok(()),
        }
    }
}

impl AcceptedPlace {
    /// The place of results of this target and label.
    #[must_use]
    pub fn new(target: Option<&str>, label: Option<&str>) -> Self {
        Self {
            target: target.unwrap_or(UNKNOWN).to_owned(),
            label: label.map(str::to_owned),
        }
    }

    /// The target, unless the executable did not tell it.
    pub(super) fn known_target(&self) -> Option<&str> {
        Some(self.target.as_str()).filter(|target| *target != UNKNOWN)
    }

    /// The place that a key of the file names: the target and, behind a blank, the label.
    pub(super) fn of_key(key: &str) -> Self {
        let (target, label) = match key.split_once(' ') {
            Some((target, label)) => (target, Some(label)),
            None => (key, None),
        };
        Self::new(Some(target), label)
    }
}

/// The key of the file.
impl fmt::Display for AcceptedPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.label {
            Some(label) => write!(f, "{} {label}", self.target),
            None => f.write_str(&self.target),
        }
    }
}

impl AcceptedBenchmark {
    /// The accepted count of a metric.
    #[must_use]
    pub fn count(&self, tool: Tool, kind: &str) -> Option<Number> {
        let mut counts = self.counts.iter();
        counts
            .find(|count| count.tool == tool && count.kind == kind)
            .map(|count| count.count)
    }

    /// Replaces the count of a metric, or adds it.
    pub fn set(&mut self, accepted: AcceptedCount) {
        let same =
            |count: &AcceptedCount| (count.tool, &count.kind) == (accepted.tool, &accepted.kind);
        match self.counts.iter_mut().find(|count| same(count)) {
            Some(count) => *count = accepted,
            None => self.counts.push(accepted),
        }
        self.counts
            .sort_by_key(|count| (count.tool as u8, count.kind.clone()));
    }
}
