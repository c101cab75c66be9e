//! The history of counts: at which commits did they change, and what else changed there?
//!
//! In: records of several commits, in any order. Out: [`History`], a plain value that every format is written from.
//! Counts are exact, so a change is a change; there are no statistics. Nothing is read, started or printed here.

mod commits;
mod model;
mod series;
mod time;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use iai_callgrind::protocol::Filter;

use self::commits::Commits;
pub use self::model::{History, HistoryCommit, HistoryOwn, HistoryPoint, HistorySeries, VERSION};
use crate::metrics::MetricKind;
use crate::records::{BenchmarkIdentity, RecordSet, RecordedBenchmark};

/// Choices about a history.
#[derive(Debug, Clone, Default)]
pub struct HistoryOptions {
    /// Benchmarks that are looked at.
    pub only: Filter,
    /// Metrics, in this order.
    pub metrics: Vec<MetricKind>,
}

/// Makes the history of records.
#[must_use]
pub fn history(set: &RecordSet, options: &HistoryOptions) -> History {
    let mut notes = set.notes.clone();
    let commits = Commits::of(set, &mut notes);
    let mut results: BTreeMap<&BenchmarkIdentity, Vec<&RecordedBenchmark>> = BTreeMap::new();
    for benchmark in &set.benchmarks {
        if options.only.selects(&benchmark.identity.path) {
            results
                .entry(&benchmark.identity)
                .or_default()
                .push(benchmark);
        }
    }
    let mut all = Vec::new();
    for results in results.values() {
        for kind in &options.metrics {
            all.extend(series::series(results, *kind, &commits));
        }
    }
    History {
        version: VERSION,
        commits: commits.described(),
        series: all,
        notes,
    }
}
