//! Results of two sides against each other, over all bench targets, packages and machines: one report and one
//! verdict.
//!
//! In: two sides of records, and limits. Out: [`ComparisonReport`], a plain value that every format is written from.
//! Nothing is read, started or printed here.

mod model;
#[cfg(test)]
pub(crate) mod sample;

pub use model::{
    ComparisonOutcome, ComparisonReport, JudgedLimit, OwnCounts, ReportRow, ReportSide, RowClass,
    RowCounts, RowFailure, RowFunction, RowMetric, SideDifference, VERSION,
};
