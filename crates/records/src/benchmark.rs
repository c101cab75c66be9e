//! The parts of records that comparisons, histories and accepted counts need. Records of one run
//! have most texts in common, so these are shared.

use std::sync::Arc;

use iai_callgrind::protocol::{Filter, Input, Perf};

use crate::layout::FileName;
use crate::summary::{
    ObjectCosts, Reason, RecordedLimit, RecordedTime, Repeated, Run, Source, System,
};
use crate::{mark_of_benchmark, Circumstances, CodeMarks};
use base::benchmark_path::BenchmarkPath;
use base::tool::{self, Tool};
use explain::SourceOrigin;
use metrics::{MetricKind, MetricValue, Metrics};

/// The identity of a benchmark: records with an equal one are results of the same benchmark.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BenchmarkIdentity {
    /// The label of the run.
    pub label: Option<Arc<str>>,
    /// The target of the executable.
    pub target: Option<Arc<str>>,
    /// The package.
    pub package: Arc<str>,
    /// The whole name.
    pub path: Arc<str>,
}

/// The record of a benchmark.
#[derive(Debug, Clone)]
pub struct RecordedBenchmark {
    /// The identity.
    pub identity: BenchmarkIdentity,
    /// The name of the bench target.
    pub file: Arc<str>,
    /// The group.
    pub group: Arc<str>,
    /// The function.
    pub function: Arc<str>,
    /// The id of the case.
    pub id: Option<Arc<str>>,
    /// The text that the terminal shows after the id.
    pub description: Option<Arc<str>>,
    /// The arguments in the form that distinguishes them from others.
    pub input: Option<Box<Input>>,
    /// The file of the benchmark's attribute, relative to the workspace.
    pub source_file: Option<Arc<str>>,
    /// The line of the attribute.
    pub line: Option<u32>,
    /// Start of the benchmark, in UTC.
    pub started_at: String,
    /// Wall time of all tools together, in nanoseconds.
    pub duration_ns: u64,
    /// State of the source that was measured.
    pub source: Arc<Source>,
    /// Versions, build and processor.
    pub system: Arc<System>,
    /// The results, by tool.
    pub tools: Vec<RecordedTool>,
    /// The failures, by tool.
    pub failures: Vec<RecordedFailure>,
    /// Wall time in pairs with another executable, if it was measured.
    pub time: Option<Box<RecordedTime>>,
    /// The directory of its files, relative to that of all results.
    pub directory: Box<str>,
    /// The baseline that the result was saved as.
    pub baseline: Option<Arc<str>>,
    /// The number of the text among those of its set.
    pub read_from: u32,
    /// The record on one line, if it was requested.
    pub text: Option<Box<str>>,
}

/// The result of a benchmark under one tool, in its record.
#[derive(Debug, Clone)]
pub struct RecordedTool {
    /// The tool.
    pub tool: Tool,
    /// The figures, in the order of the record.
    pub metrics: Vec<(MetricKind, MetricValue)>,
    /// Counters of unknown names.
    pub unknown: Vec<(Arc<str>, u64)>,
    /// The unit of times.
    pub time_unit: Option<Arc<str>>,
    /// Limits, whether they were exceeded or not.
    pub limits: Vec<RecordedLimit>,
    /// Expectations of the source that the counts do not meet; they are no limits.
    pub unmet: Vec<UnmetInRecord>,
    /// Costs by executable and library; empty if they are not known.
    pub objects: Vec<ObjectCosts>,
    /// Instructions by function, the most expensive first; empty if they are not known.
    pub functions: Vec<MeasuredFunction>,
    /// Mark of all code that was measured. `None`: nothing is known, so nothing is the same.
    pub code: Option<Arc<str>>,
    /// Fingerprint of the code, of environment variables and of the system.
    pub fingerprint: Option<Arc<str>>,
    /// The counts of one more run, if there was one.
    pub repeated: Option<Repeated>,
    /// Facts that the figures depend on.
    pub circumstances: Arc<Circumstances>,
    /// Wall time under the tool, in nanoseconds.
    pub duration_ns: Option<u64>,
    /// The name of the file, among those of the benchmark, from which a change of the result is
    /// explained.
    pub digest: Option<Box<str>>,
    /// The benchmark failed under the tool, such as because of errors that it found.
    pub failed: bool,
}

/// An expectation that a count does not meet, in the words of its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmetInRecord {
    /// The metric.
    pub kind: MetricKind,
    /// The words of a report: `differs from 276 of app::g::early::same`.
    pub words: String,
}

/// Instructions of a function in a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeasuredFunction {
    /// The name.
    pub name: Arc<str>,
    /// Owner of the function.
    pub origin: SourceOrigin,
    /// Its own instructions.
    pub own: u64,
}

/// A failure in a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedFailure {
    /// The tool; absent if the benchmark did not run under any.
    pub tool: Option<Tool>,
    /// Reason, for programs.
    pub reason: Reason,
    /// Reason, for people.
    pub message: String,
}

/// The record of a run.
#[derive(Debug, Clone)]
pub struct RecordedRun {
    /// The record.
    pub run: Run,
    /// Each benchmark of the suite has a result, whichever run measured it: one that has none is
    /// gone.
    pub has_whole_suite: bool,
    /// The number of the text among those of its set.
    pub read_from: u32,
    /// The record on one line, if it was requested.
    pub text: Option<Box<str>>,
}

impl RecordedBenchmark {
    /// The parts of the name.
    pub fn benchmark_path(&self) -> BenchmarkPath {
        let owned = |text: &Arc<str>| text.to_string();
        BenchmarkPath {
            file: owned(&self.file),
            group: owned(&self.group),
            function: owned(&self.function),
            id: self.id.as_ref().map(owned),
            args: self.description.as_ref().map(owned),
        }
    }

    /// Gives the files the names that they have since a later result took theirs. Those of a
    /// baseline stay.
    pub(super) fn retire(&mut self) {
        // Later runs rename nothing of a baseline.
        if self.baseline.is_some() {
            return;
        }
        for tool in &mut self.tools {
            let digest = tool.digest.as_deref();
            tool.digest = digest.map(|digest| FileName::old(digest).into());
        }
    }

    /// Mark of all code that was measured.
    pub fn code(&self) -> Option<&str> {
        let results = self.tools.iter();
        mark_of_benchmark(results.map(|result| (result.tool, result.code.as_deref())))
    }

    /// The result under a tool.
    #[must_use]
    pub fn tool(&self, tool: Tool) -> Option<&RecordedTool> {
        self.tools.iter().find(|result| result.tool == tool)
    }
}

impl RecordedTool {
    /// The marks of what was measured.
    #[must_use]
    pub fn marks(&self) -> CodeMarks<'_> {
        CodeMarks {
            code: self.code.as_deref(),
            fingerprint: self.fingerprint.as_deref(),
        }
    }

    /// The value of a metric.
    #[must_use]
    pub fn value(&self, kind: MetricKind) -> Option<MetricValue> {
        let mut metrics = self.metrics.iter();
        metrics.find(|(other, _)| *other == kind).map(|it| it.1)
    }

    /// The value of a metric that is a count.
    #[must_use]
    pub fn count(&self, kind: MetricKind) -> Option<u64> {
        match self.value(kind)? {
            MetricValue::Int(count) => Some(count),
            _ => None,
        }
    }

    /// A metric by its name in the configuration.
    #[must_use]
    pub fn kind(&self, name: &str) -> Option<MetricKind> {
        // The record first: events of perf are in no table.
        let mut known = self.metrics.iter().map(|(kind, _)| *kind);
        known
            .find(|kind| kind.name() == name)
            .or_else(|| MetricKind::named(self.tool, name))
    }

    /// The part of a count that the program's own code has, if it is known.
    #[must_use]
    pub fn own(&self, kind: MetricKind) -> Option<u64> {
        ObjectCosts::own(&self.objects, kind)
    }

    /// The figures as they are compared.
    #[must_use]
    pub fn to_metrics(&self) -> Metrics {
        let mut metrics = Metrics::default();
        for (kind, value) in &self.metrics {
            metrics.set(*kind, *value);
        }
        let unknown = self.unknown.iter();
        metrics.unknown = unknown
            .map(|(name, count)| (name.to_string(), *count))
            .collect();
        metrics.time_unit = self.time_unit.as_deref().map(str::to_owned);
        // Records have no level, since it is the same in all.
        metrics.alpha = tool::is_of_hardware(self.tool).then_some(Perf::ALPHA);
        metrics
    }

    /// Do both have the same counts?
    #[must_use]
    pub fn has_counts_of(&self, other: &Self) -> bool {
        let of = |side: &Self| {
            let mut counts: Vec<_> = side
                .metrics
                .iter()
                .filter(|(kind, _)| kind.is_repeatable())
                .copied()
                .collect();
            // A record begins with the metrics that were shown, and settings choose these: their
            // order is no difference.
            counts.sort_unstable_by_key(|(kind, _)| *kind);
            counts
        };
        of(self) == of(other) && self.unknown == other.unknown
    }
}

impl RecordedRun {
    /// The filter of the run.
    #[must_use]
    pub fn filter(&self) -> Filter {
        let run = &self.run;
        Filter {
            select: run.filters.clone(),
            skip: run.skip.clone(),
            exact: run.exact,
        }
    }

    /// The label of the run, its target, package and bench file, as far as they are known.
    #[must_use]
    pub fn bench_target(&self) -> BenchTargetKey<'_> {
        BenchTargetKey {
            label: self.run.label.as_deref(),
            target: self.run.system.target.as_deref(),
            package: self.run.package.as_deref().unwrap_or_default(),
            file: self.run.file.as_deref().unwrap_or_default(),
        }
    }
}

/// The identity of a bench target, whose runs belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BenchTargetKey<'a> {
    /// The label of the run.
    pub label: Option<&'a str>,
    /// The target of the executable.
    pub target: Option<&'a str>,
    /// The package.
    pub package: &'a str,
    /// The name of the bench target.
    pub file: &'a str,
}

impl RecordedBenchmark {
    /// The bench target that the benchmark belongs to.
    #[must_use]
    pub fn bench_target(&self) -> BenchTargetKey<'_> {
        BenchTargetKey {
            label: self.identity.label.as_deref(),
            target: self.identity.target.as_deref(),
            package: &self.identity.package,
            file: &self.file,
        }
    }
}

/// `exp1 app`, with the label and target behind it where there is a label.
impl std::fmt::Display for BenchTargetKey<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.package, self.file)?;
        match self.label {
            Some(label) => write!(f, " ({label})"),
            None => Ok(()),
        }
    }
}

/// `exp1 app::g::sort`, with the label behind it if there is one.
impl std::fmt::Display for BenchmarkIdentity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.package, self.path)?;
        match &self.label {
            Some(label) => write!(f, " ({label})"),
            None => Ok(()),
        }
    }
}
