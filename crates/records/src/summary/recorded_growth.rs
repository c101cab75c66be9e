//! The types of the JSON output: growth of counts with the size of the input.

use serde::{Deserialize, Serialize};

/// The growth of the counts of an attribute's cases, in the record of the last of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordedGrowth {
    /// Id of the attribute.
    pub bench: String,
    /// The tool that counted.
    pub tool: String,
    /// The metric's name in the configuration.
    pub kind: String,
    /// The growth that the source states: `constant`, `log n`, `n`, `n log n`, `n^2` or `n^3`;
    /// `null` if it states none.
    pub stated: Option<String>,
    /// Do the counts grow no faster than stated? `null` if no growth is stated.
    pub holds: Option<bool>,
    /// The simplest growth among those with the least error: `constant`, `log n`, `n^0.5`, `n`,
    /// `n log n`, `n^1.5`, `n^2`, `n^3` or `2^n`. It describes the counts if `error_pct` of its fit
    /// is at most 25.
    pub best: String,
    /// Sizes and counts, ascending by size.
    pub points: Vec<RecordedSize>,
    /// The best fit of each growth; without `2^n` where a size is above 128.
    pub fits: Vec<RecordedFit>,
}

/// Count for one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordedSize {
    /// Size of the input.
    pub size: u64,
    /// The count.
    pub count: u64,
}

/// Fit of a growth: `constant + factor * growth(size)`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordedFit {
    /// The growth. Logarithms are binary ones.
    pub growth: String,
    /// The constant part; not negative.
    pub constant: f64,
    /// Factor of the growth; not negative.
    pub factor: f64,
    /// Root mean square of the errors of the natural logarithms, times 100: nearly that of the
    /// relative errors in percent where they are small.
    pub error_pct: f64,
    /// Coefficient of determination of the logarithms; `null` for `constant`, and where all counts
    /// are the same.
    pub r_squared: Option<f64>,
}
