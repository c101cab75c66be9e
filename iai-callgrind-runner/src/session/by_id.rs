//! Benchmarks of a group that have the same id, compared with each other.

use std::sync::Arc;

use crate::benchmark_path::BenchmarkPath;
use crate::compare;
use crate::compare::ComparisonById;
use crate::metrics::{MetricKind, Metrics};
use crate::tool::Tool;

/// Benchmarks with an id that later ones can be compared with.
#[derive(Default)]
pub(super) struct Earlier(Vec<(BenchmarkPath, Vec<ToolFigures>)>);

/// The figures of one tool.
pub(super) struct ToolFigures {
    pub(super) tool: Tool,
    /// The metrics to show.
    pub(super) format: Arc<[MetricKind]>,
    pub(super) metrics: Metrics,
}

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
            .filter(|(other, _)| other.id == benchmark_path.id);
        let by_id = same.map(|(other, theirs)| ComparisonById {
            other: other.clone(),
            tools: both(theirs, &counted),
        });
        let by_id = by_id.filter(|by_id| !by_id.tools.is_empty()).collect();
        earlier.push((benchmark_path.clone(), counted));
        by_id
    }
}

/// The tools that have figures of both, with the metrics that are shown of the later one.
fn both(
    theirs: &[ToolFigures],
    ours: &[ToolFigures],
) -> Vec<(Tool, Arc<[MetricKind]>, compare::MetricsComparison)> {
    let both = ours.iter().filter_map(|ours| {
        let theirs = theirs.iter().find(|theirs| theirs.tool == ours.tool)?;
        let comparison = compare::compare(&theirs.metrics, Some(&ours.metrics));
        Some((ours.tool, ours.format.clone(), comparison))
    });
    both.collect()
}
