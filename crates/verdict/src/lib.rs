//! The judgement on two results of one benchmark, for all commands alike: `cargo bench`, `compare`,
//! `report`, `accept`, `open`.
//!
//! **In**: metrics of both sides, the facts that differ, limits, and marks of the code. **Out**: a
//! [`RowClass`] for each metric; for records of two sides a
//! [`ComparisonReport`](sides::ComparisonReport) with one outcome. Nothing is started or printed
//! here, and only [`sides::previous_side`] reads files: the old records beside those of a home. The
//! repository has the reasons in `docs/design/one-verdict.md`.
//!
//! ```
//! use iai_callgrind_verdict::sides::{
//!     compare_sides, ComparisonOptions, ComparisonOutcome, NothingAgreed, ResultSide, SideOptions,
//! };
//! use iai_callgrind_verdict::RowClass;
//! use records::sample;
//!
//! // Records of two benchmarks with a soft limit of 5 % on instructions.
//! let side = |instructions: u64| {
//!     let text = sample::run(|records| {
//!         records[0]["profiles"][0]["metrics"][0]["new"] = instructions.into();
//!         records[0]["profiles"][0]["objects"][0]["Ir"] = (instructions - 10).into();
//!     });
//!     ResultSide::of(sample::set(&[&text]), &SideOptions::default())
//! };
//! let outcome_of = |new: u64| {
//!     let options = ComparisonOptions::default();
//!     let report = compare_sides(Some(&side(100)), &side(new), &options, &NothingAgreed);
//!     (report.rows[0].class, report.outcome)
//! };
//! // Reaching a limit is no regression.
//! assert_eq!(outcome_of(105), (RowClass::Changed, ComparisonOutcome::Ok));
//! assert_eq!(outcome_of(106), (RowClass::Regressed, ComparisonOutcome::Regressed));
//! ```

#![cfg(unix)]

// Modules, and the subject of each:
//
//   judge, class, code, doubt  class of a metric, and changes by chance
//   change/                    metrics side by side, differences, noise, identities
//   conditions/                facts that differ, and the one table of what they mean
//   limits/                    soft and hard limits
//   expectations/              relations of counts that the source states: equal, ratios, growth
//   parts, ranking, result     pairs of processes and threads, benchmarks of one id
//   recorded/                  the judgement in the types of the record
//   sides/                     two sides of records to one report

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
pub(crate) use self::judge::Judgement;
pub use self::judge::{AgreedCount, OwnCounts};
pub use self::judge::{JudgedLimits, JudgedResult};
pub use self::limits::event_limits;
pub use self::limits::{check, ExceededLimit};
pub use self::parts::{pairs, PartPair, ProcessPart};
pub use self::ranking::{
    ranked_groups, ComparedBenchmark, RankedFunction, RankedGroup, RankedId, RankedOverview,
    RankedValue, ToolFigures,
};
pub use self::result::{ComparisonById, PartResult, ToolResult};
