//! Choices about a comparison, and what reviewers agreed to.

use iai_callgrind::protocol::PerfLimits;

use crate::cli::TypedLimits;
use crate::metrics::MetricKind;
use crate::per_tool::PerTool;
use crate::records::BenchmarkIdentity;
use crate::summary::Number;
use crate::tool::Tool;

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
    /// Benchmarks that are gone, changes that could not be judged, no limits, and several commits or conditions on one side
    /// are errors.
    pub strict: bool,
    /// Nothing is judged if a judgement would have to be withheld.
    pub requires_comparable: bool,
}

/// A count that reviewers agreed to.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct AgreedCount {
    /// The count.
    pub count: Option<Number>,
    /// The part of the program's own code.
    pub own: Option<u64>,
    /// The count was made with another C library than the new one, so that own code alone tells.
    pub is_of_other_library: bool,
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

/// Nobody agreed to anything.
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
