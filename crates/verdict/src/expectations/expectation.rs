//! Expectations of a group's author that counts do not meet: equal counts, ratios, and a stated growth.

use super::equal_counts::UnequalCount;
use super::growth::{FasterGrowth, GrowthModel, MeasuredGrowth};
use super::ratio::ExceededRatio;
use explain::PartingPlace;
use metrics::MetricKind;

/// An expectation that is not met. It makes a benchmark regress as an exceeded limit does.
#[derive(Debug, Clone, PartialEq)]
pub enum UnmetExpectation {
    /// Counts differ from those of another case of the function.
    Unequal {
        /// The count.
        count: UnequalCount,
        /// Whole name of the other benchmark.
        with: String,
        /// Id of the other benchmark.
        with_id: String,
        /// Places at which the two part, the largest difference first; empty if they are not known.
        places: Vec<PartingPlace>,
    },
    /// The count is too large, or that of the other benchmark too small, for the ratio of the two.
    Ratio(ExceededRatio),
    /// Counts grow faster with the size of the input than they may.
    Growth {
        /// The metric.
        kind: MetricKind,
        /// Id of the attribute with the sizes.
        bench: String,
        /// Growth that the source states.
        stated: GrowthModel,
        /// Growth that was found instead.
        found: FasterGrowth,
    },
}

/// The growth of the counts of an attribute's cases.
#[derive(Debug, Clone, PartialEq)]
pub struct BenchGrowth {
    /// Id of the attribute.
    pub bench: String,
    /// The metric.
    pub kind: MetricKind,
    /// Growth that the source states, if it does.
    pub stated: Option<GrowthModel>,
    /// The counts with their fits.
    pub measured: MeasuredGrowth,
}

impl BenchGrowth {
    /// The stated growth, if the counts grow faster.
    #[must_use]
    pub fn unmet(&self) -> Option<UnmetExpectation> {
        let stated = self.stated?;
        let found = self.measured.faster_than(stated)?;
        Some(UnmetExpectation::Growth {
            kind: self.kind,
            bench: self.bench.clone(),
            stated,
            found,
        })
    }
}
