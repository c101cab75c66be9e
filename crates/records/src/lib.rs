//! Records of results: the format that is written, and records that are read back from files,
//! directories and stdin.
//!
//! In: the arguments that name results. Out: [`RecordSet`], the records of all bench targets,
//! packages and machines as they are. A file is read line by line, so that its length does not
//! matter. `summary` has the types of the format. Nothing here judges a figure, starts a process or
//! prints.

#![cfg(unix)]
#![allow(
    missing_docs,
    reason = "crates of this project use it; the format has a page of its own, `docs/json.md`"
)]

mod argument;
mod benchmark;
mod circumstances;
mod fields;
mod inputs;
mod interned;
mod kept;
mod kept_lines;
pub mod last_times;
pub mod layout;
mod measured_code;
mod objects;
mod point;
mod point_marks;
mod reader;
#[cfg(any(test, feature = "sample"))]
pub mod sample;
mod set;
pub mod summary;
#[cfg(test)]
mod tests;
mod text;
mod times;
pub mod timings;

pub use self::argument::{ResultsArgument, ResultsPlace};
pub use self::benchmark::{
    BenchTargetKey, BenchmarkIdentity, MeasuredFunction, RecordedBenchmark, RecordedFailure,
    RecordedRun, RecordedTool, UnmetInRecord,
};
pub use self::circumstances::{processor_class, Circumstances, Workspace};
pub use self::inputs::other_input;
pub use self::kept::{KeptRecord, KeptRecords};
pub use self::kept_lines::{kept_label, label_words, MeasuredBenchmarks};
pub use self::measured_code::CodeMarks;
pub use self::measured_code::{is_same_code, mark_of_benchmark};
pub use self::objects::on_one_line;
pub use self::point::{
    metric_word, PointLine, PointMetricValues, PointSource, PointValues, POINT, POINT_VERSION,
};
pub use self::point::{PointMetrics, PointResult, RecordedPoint};
pub use self::point_marks::{PointMark, PointMarks};
pub use self::reader::{RecordError, RecordReader};
pub use self::set::{RecordInput, RecordSet};
pub use self::text::{RecordText, ToolText};
pub use self::times::times;
