//! The class of a metric's change.

use serde::{Deserialize, Serialize};

/// Class of a row. The order is that of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RowClass {
    /// The benchmark has no result.
    Failed,
    /// A limit is exceeded.
    Regressed,
    /// The change is beyond the limit the other way.
    Improved,
    /// A limit is exceeded, and reviewers agreed to the new count.
    Accepted,
    /// It changed beyond the limit, and conditions differ, so that nobody can tell the cause. Of
    /// the same code under other conditions the data or the machine is the cause.
    NotJudged,
    /// Two runs of the same code under the same conditions differ, and one more run showed that
    /// it counts differently each time.
    NotDeterministic,
    /// It changed beyond the limit, and its own code, which alone is judged under another C
    /// library, did not.
    ChangedOutsideOwnCode,
    /// It changed within limits, or has none.
    Changed,
    /// It changed within limits, by what says nothing about the code: the layout of code and
    /// memory, or a few counts.
    Noise,
    /// Only the new side has the benchmark or the metric.
    New,
    /// Both sides have the benchmark, of other arguments or another title under the same id.
    NotCompared,
    /// Only the old side has the benchmark or the metric.
    Gone,
    /// Filters or a missing part left the benchmark out.
    NotRun,
    /// Nothing changed.
    Same,
}
