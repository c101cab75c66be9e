//! The judgement on two results of one benchmark, for all commands alike: `cargo bench`, `compare`,
//! `report`, `accept`, `open`.
//!
//! In: metrics of both sides, the facts that differ, limits, and marks of the code. Out: a class
//! for each metric. `docs/design/one-verdict.md` has the reasons.
//!
//! | room | |
//! | --- | --- |
//! | `judge`, `class`, `code`, `doubt` | the judge: the class of a metric, and what of it is by chance |
//! | `change/` | metrics side by side, differences, noise, what a benchmark is known by |
//! | `conditions/` | facts that differ, and the one table of what they mean |
//! | `limits/` | soft and hard limits |
//! | `expectations/` | what a group's author expects of several counts: equal ones, ratios, growth |
//! | `parts`, `ranking`, `result` | pairs of processes and threads, benchmarks of one id, what a report shows |
//! | `recorded/` | the judgement in the types of the record |
//! | `sides/` | two sides of records to one report: `compare` and all that asks like it |
//!
//! Nothing is started or printed here. Only `sides/previous` reads files: the old records beside
//! those of a home.

#![cfg(unix)]

pub mod accepted;
mod change;
mod class;
mod code;
mod conditions;
mod doubt;
mod expectations;
mod file_order;
pub mod history;
mod judge;
mod limits;
mod parts;
mod ranking;
pub mod recorded;
mod result;
pub mod sides;

pub use self::change::{
    compare, ComparisonRow, Difference, MetricsComparison, OtherAmount, Trend, UnknownRow,
    WelchTest,
};
pub use self::change::{CountChange, MainChange, Noise, LEAST_COUNT, LEAST_PERCENT};
pub use self::class::RowClass;
pub use self::code::SameCode;
pub use self::conditions::Comparable;
pub use self::conditions::{discrepancies, meaning, Discrepancy, Fact, Verdict};
pub use self::doubt::Doubt;
pub use self::expectations::{
    counts_steps, unequal_counts, BenchGrowth, CountRatio, CountedBenchmark, ExceededRatio,
    FasterGrowth, GrowthFit, GrowthModel, GrowthStep, MeasuredGrowth, RisingCost, SizedCount,
    UnequalCount, UnmetExpectation, FEWEST_SIZES,
};
pub use self::file_order::in_order_of_files;
pub use self::judge::JudgedResult;
pub(crate) use self::judge::Judgement;
pub use self::judge::{AgreedCount, OwnCounts};
pub use self::limits::event_limits;
pub use self::limits::{check, ExceededLimit};
pub use self::parts::{pairs, PartPair, ProcessPart};
pub use self::ranking::{
    ranked_groups, ComparedBenchmark, RankedFunction, RankedGroup, RankedId, RankedOverview,
    RankedValue, ToolFigures,
};
pub use self::result::{ComparisonById, PartResult, ToolResult};
