//! The judgement on two results of one benchmark, whoever asks: `cargo bench`, `compare`, `report`, `accept`, `open`.
//!
//! In: metrics of both sides, the facts that differ, limits, and what is known of the code. Out: a class for each metric.
//! Limits are checked by `compare::check`, and what differing facts mean stands in the table of `compare::circumstances`.

mod class;
mod code;
mod comparable;
mod judge;

pub use self::class::RowClass;
pub use self::code::SameCode;
pub(crate) use self::comparable::Comparable;
pub use self::judge::{AgreedCount, OwnCounts};
pub(crate) use self::judge::{JudgedResult, Judgement};
pub use crate::measured_code::CodeMarks;
