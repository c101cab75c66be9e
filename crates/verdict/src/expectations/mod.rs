//! Expectations of a group's author about several counts of one run: equal ones, ratios, and a
//! stated growth.
//!
//! An expectation that is not met belongs to the result of the benchmark that shows it
//! (`ToolResult::unmet`), and is a regression in its record. `session/expectations.rs` and
//! `session/ratios.rs` ask while benchmarks end.

mod equal_counts;
mod expectation;
mod growth;
mod growth_fit;
mod growth_steps;
mod ratio;

pub use self::equal_counts::{counts_steps, unequal_counts, UnequalCount};
pub use self::expectation::{BenchGrowth, UnmetExpectation};
pub use self::growth::{
    FasterGrowth, GrowthFit, GrowthModel, MeasuredGrowth, SizedCount, FEWEST_SIZES,
};
pub use self::growth_steps::{GrowthStep, RisingCost};
pub use self::ratio::{CountRatio, CountedBenchmark, ExceededRatio};
