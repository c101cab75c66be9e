//! Records of runs, read back from files, directories and stdin: the results of one side of a comparison, over
//! all bench targets, packages and machines.
//!
//! In: the arguments that name results. Out: [`ResultSide`], sorted results with what is wrong with them as a whole:
//! missing parts, contradictions, several commits. A file is read line by line, so that its length does not matter.
//! Nothing here judges a figure, starts a process or prints.

mod argument;
mod benchmark;
mod checks;
mod fields;
mod interned;
mod kept;
mod kept_lines;
mod mixed;
mod objects;
mod point;
mod point_marks;
mod previous;
mod reader;
mod run_counts;
mod set;
mod side;
#[cfg(test)]
mod tests;
mod text;
mod times;

pub use self::argument::{ResultsArgument, ResultsPlace};
pub use self::benchmark::{
    BenchTargetKey, BenchmarkIdentity, MeasuredFunction, RecordedBenchmark, RecordedFailure,
    RecordedRun, RecordedTool, UnmetInRecord,
};
pub(crate) use self::kept::{kept_mode, KeptRecords};
pub(crate) use self::kept_lines::kept_label;
pub use self::kept_lines::MeasuredBenchmarks;
pub(crate) use self::objects::on_one_line;
pub(crate) use self::point::{
    metric_word, PointLine, PointMetricValues, PointSource, PointValues, POINT, POINT_VERSION,
};
pub use self::point::{PointMetrics, RecordedPoint};
pub(crate) use self::point_marks::{PointMark, PointMarks};
pub use self::previous::{previous_side, PREVIOUS};
pub use self::reader::{RecordError, RecordReader};
pub use self::set::{RecordInput, RecordSet};
pub use self::side::{NotRunReason, ResultSide, SideOptions};
pub(crate) use self::text::{RecordText, ToolText};
pub(crate) use self::times::times;
