//! Benchmarks of a group that have the same id, compared with each other: in pairs, as they end,
//! which records and pipes have. Terminals show them ranked against the best at the end of the
//! group (`verdict/ranking.rs`).

use std::sync::Arc;

use base::benchmark_path::BenchmarkPath;
use base::tool::Tool;
use metrics::MetricKind;
use verdict;
use verdict::{ComparedBenchmark, ComparisonById, ToolFigures};

/// Benchmarks with an id that later ones can be compared with.
#[derive(Default)]
pub(super) struct Earlier(Vec<ComparedBenchmark>);

impl Earlier {
    /// Compares earlier benchmarks of the same id with this one, tool by tool.
    pub(super) fn compare(
        &mut self,
        benchmark_path: &BenchmarkPath,
        counted: Vec<ToolFigures>,
    ) -> Vec<ComparisonById> {
        if benchmark_path.id.is_none() {
            return Vec::new();
        }
        let Self(earlier) = self;
        let same = earlier
            .iter()
            .filter(|other| other.path.id == benchmark_path.id);
        let by_id = same.map(|other| ComparisonById {
            other: other.path.clone(),
            tools: both(&other.tools, &counted),
        });
        let by_id = by_id.filter(|by_id| !by_id.tools.is_empty()).collect();
        earlier.push(ComparedBenchmark {
            path: benchmark_path.clone(),
            tools: counted,
        });
        by_id
    }

    /// All benchmarks with an id, in their order.
    pub(super) fn all(&self) -> &[ComparedBenchmark] {
        &self.0
    }
}

/// The tools that have figures of both, with the metrics that are shown of the later one.
fn both(
    theirs: &[ToolFigures],
    ours: &[ToolFigures],
) -> Vec<(Tool, Arc<[MetricKind]>, verdict::MetricsComparison)> {
    let both = ours.iter().filter_map(|ours| {
        let theirs = theirs.iter().find(|theirs| theirs.tool == ours.tool)?;
        let comparison = verdict::compare(&theirs.metrics, Some(&ours.metrics));
        Some((ours.tool, ours.format.clone(), comparison))
    });
    both.collect()
}
