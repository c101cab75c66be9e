//! The history of counts: the commits at which they changed, with other changes at these commits.
//!
//! In: records of several commits and lines of `history.jsonl`, in any order. Out: [`History`], a plain value that every format is written from.
//! Counts are exact, so a change is a change; there are no statistics. Nothing is read, started or printed here.

mod chains;
mod commits;
mod model;
mod run_values;
mod series;
mod time;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use iai_callgrind::protocol::Filter;

use self::chains::Chains;
use self::commits::Commits;
pub use self::model::{History, HistoryCommit, HistoryOwn, HistoryPoint, HistorySeries, VERSION};
pub use self::run_values::RunValues;
use self::series::MeasuredBenchmark;
use metrics::MetricKind;
use records::{BenchmarkIdentity, RecordSet, RecordedBenchmark};

/// Choices about a history.
#[derive(Debug, Clone, Default)]
pub struct HistoryOptions {
    /// Benchmarks that are looked at.
    pub only: Filter,
    /// Metrics, in this order.
    pub metrics: Vec<MetricKind>,
    /// Leave out points at which nothing changed, but for the first and the last one of each series.
    pub changes_only: bool,
}

/// Makes the history of records.
#[must_use]
pub fn history(set: &RecordSet, options: &HistoryOptions) -> History {
    let mut notes = set.notes.clone();
    let commits = Commits::of(set, &mut notes);
    let chains = Chains::of(set, &commits);
    let mut results: BTreeMap<&BenchmarkIdentity, Vec<&RecordedBenchmark>> = BTreeMap::new();
    for benchmark in &set.benchmarks {
        results
            .entry(&benchmark.identity)
            .or_default()
            .push(benchmark);
    }
    for identity in chains.benchmarks() {
        results.entry(identity).or_default();
    }
    let mut all = Vec::new();
    for (identity, records) in &results {
        if !options.only.selects(&identity.path) {
            continue;
        }
        let measured = MeasuredBenchmark {
            identity,
            records,
            chains: &chains,
            commits: &commits,
        };
        for kind in &options.metrics {
            all.extend(measured.series(*kind, options.changes_only));
        }
    }
    if chains.is_exhausted() {
        notes.push(
            "there are too many lines of `history.jsonl` files and benchmarks; values that did not change are not \
             listed for all of them"
                .to_owned(),
        );
    }
    History {
        version: VERSION,
        commits: commits.described(),
        series: all,
        notes,
    }
}

/// The part of a compiler's text by which it is known: the version, and of nightly ones the commit as well.
fn compiler(text: &str) -> &str {
    let version = text.split(' ').next().unwrap_or_default();
    match version.contains('-') {
        true => text,
        false => version,
    }
}
