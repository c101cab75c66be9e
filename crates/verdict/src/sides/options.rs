//! Options of a comparison, and the counts that reviewers accepted.

use iai_callgrind::protocol::PerfLimits;

use crate::AgreedCount;
use base::per_tool::PerTool;
use base::tool::Tool;
use metrics::MetricKind;
use metrics::TypedLimits;
use records::BenchmarkIdentity;

/// Choices about a comparison.
#[derive(Debug, Clone, Default)]
pub struct ComparisonOptions {
    /// Limits instead of the recorded ones of the same metrics.
    pub limits: PerTool<Option<TypedLimits>>,
    /// Limits of perf, instead of the recorded ones of the same metrics.
    pub perf_limits: Option<PerfLimits>,
    /// A change by fewer counts exceeds no soft limit.
    pub floor: u64,
    /// Further metrics that are listed and not judged.
    pub metrics: Vec<MetricKind>,
    /// The new side may lack benchmarks and metrics that the old side has.
    pub allows_missing: bool,
    /// Changes that could not be judged, no limits, and several commits, builds or conditions on one side are errors.
    pub strict: bool,
    /// Nothing is judged if a judgement would have to be withheld.
    pub requires_comparable: bool,
}

/// Knows the counts that reviewers agreed to.
pub trait AgreedCounts {
    /// The count of a metric that was agreed to. `libc` is the C library of the new result.
    fn agreed(
        &self,
        benchmark: &BenchmarkIdentity,
        tool: Tool,
        metric: &str,
        libc: Option<&str>,
    ) -> Option<AgreedCount>;
}

/// Empty [`AgreedCounts`]: no counts were accepted.
#[derive(Debug, Clone, Copy)]
pub struct NothingAgreed;

impl AgreedCounts for NothingAgreed {
    fn agreed(
        &self,
        _: &BenchmarkIdentity,
        _: Tool,
        _: &str,
        _: Option<&str>,
    ) -> Option<AgreedCount> {
        None
    }
}
