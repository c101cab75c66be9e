//! Benchmarks that are gone on the old side and new on the other one with equal counts: perhaps
//! only their name changed.

use std::collections::HashMap;

use iai_callgrind::protocol::EventKind;

use super::benchmark_pairs::BenchmarkPair;
use metrics::MetricValue;
use records::{RecordedBenchmark, RecordedTool};

/// Fewest equal counts, and fewest instructions: small benchmarks are equal by chance.
const COUNTS: usize = 3;
const INSTRUCTIONS: u64 = 1000;

/// Benchmarks that only one side has.
#[derive(Debug, Default)]
pub(super) struct UnpairedBenchmarks<'a> {
    gone: HashMap<(&'a str, &'a str, u64), Vec<&'a RecordedBenchmark>>,
    new: Vec<&'a RecordedBenchmark>,
}

impl<'a> UnpairedBenchmarks<'a> {
    pub(super) fn add(&mut self, pair: &BenchmarkPair<'a>) {
        match (pair.old, pair.new) {
            ([], [new]) => self.new.push(new),
            ([gone], []) => {
                if let Some(key) = key(gone) {
                    self.gone.entry(key).or_default().push(gone);
                }
            }
            _ => {}
        }
    }

    /// The names of benchmarks that are new, each with that of the one that is gone, by package.
    pub(super) fn renamed(&self) -> Vec<(&'a RecordedBenchmark, &'a RecordedBenchmark)> {
        let mut found = Vec::new();
        for new in &self.new {
            let gone = key(new).and_then(|key| self.gone.get(&key));
            let mut gone = gone.into_iter().flatten();
            let is_equal = |gone: &&&RecordedBenchmark| {
                callgrind(gone)
                    .zip(callgrind(new))
                    .is_some_and(|(one, other)| one.has_counts_of(other))
            };
            // Several may have these counts; the remark is a question, so the first one will do.
            found.extend(gone.find(is_equal).map(|gone| (*new, *gone)));
        }
        found
    }
}

/// Package, bench file and instructions of a benchmark that is large enough.
fn key(benchmark: &RecordedBenchmark) -> Option<(&str, &str, u64)> {
    let result = callgrind(benchmark)?;
    match result.value(EventKind::Ir.into())? {
        MetricValue::Int(instructions)
            if instructions >= INSTRUCTIONS && result.metrics.len() >= COUNTS =>
        {
            Some((&benchmark.identity.package, &benchmark.file, instructions))
        }
        _ => None,
    }
}

fn callgrind(benchmark: &RecordedBenchmark) -> Option<&RecordedTool> {
    benchmark.tool(base::tool::Tool::Callgrind)
}
