//! The result of a comparison with everything that is shown beside it, for the report.

use std::sync::Arc;

use super::{ExceededLimit, MetricsComparison, UnmetExpectation};
use base::benchmark_path::BenchmarkPath;
use base::tool::Tool;
use explain::{Explanation, HeapSites};
use metrics::MetricKind;
use records::summary::{PartName, Repeated};

/// The comparison of one benchmark under one tool.
#[derive(Debug, Clone)]
pub struct ToolResult {
    /// The tool.
    pub tool: Tool,
    /// The metrics to show, in this order.
    pub format: Arc<[MetricKind]>,
    /// Each process, thread and part, if they are to be shown and there are several.
    pub parts: Vec<PartResult>,
    /// New against old.
    pub total: MetricsComparison,
    /// The words of the tool about the errors that it found.
    pub details: Vec<String>,
    /// There is an old result, or a baseline was asked for, and nothing was compared with.
    pub not_compared: bool,
    /// Limits that were exceeded.
    pub regressions: Vec<ExceededLimit>,
    /// Soft limits that are exceeded and were not judged, since the conditions of the results
    /// differ.
    pub not_judged: Vec<ExceededLimit>,
    /// Is a total beyond its limit whose own code, which alone was judged, is within it?
    pub changed_outside_own_code: bool,
    /// The counts of one more run, if there was one.
    pub repeated: Option<Repeated>,
    /// Expectations about several benchmarks that this one does not meet.
    pub unmet: Vec<UnmetExpectation>,
    /// Notes for the user, one line each.
    pub notes: Vec<String>,
    /// Reasons for the change, if there is a change that is explained.
    pub explanation: Option<Box<Explanation>>,
    /// Places whose allocations differ, if there are some.
    pub heap_sites: Option<Box<HeapSites>>,
}

/// One process, thread and part in both runs; at least one side is there.
#[derive(Debug, Clone)]
pub struct PartResult {
    /// Name in the new run.
    pub new: Option<PartName>,
    /// Name in the old run.
    pub old: Option<PartName>,
    /// New against old.
    pub comparison: MetricsComparison,
}

/// An earlier benchmark of the group with the same id against this one.
#[derive(Debug, Clone)]
pub struct ComparisonById {
    /// The other benchmark; it is the new side.
    pub other: BenchmarkPath,
    /// Comparisons under each tool that both ran under, with the metrics to show.
    pub tools: Vec<(Tool, Arc<[MetricKind]>, MetricsComparison)>,
}
