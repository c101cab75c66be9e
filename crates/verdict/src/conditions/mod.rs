//! The facts that two results were made with, and which metrics can still be judged where one of them differs.
//!
//! `table` has a row for each fact and, for each family of metrics, whether a change of the figure is the program's.
//! `discrepancy` finds the facts that differ between two results. The figures themselves are never looked at.

mod comparable;
mod discrepancy;
mod table;
#[cfg(test)]
mod tests;

pub use self::comparable::Comparable;
pub use self::discrepancy::{discrepancies, Discrepancy};
pub use self::table::{meaning, Fact, Verdict};
