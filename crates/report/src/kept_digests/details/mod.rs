//! Details of the benchmarks of a comparison: why a result changed, frames, functions, lines and
//! machine code, with the costs of both sides.
//!
//! In: a row of a report, and the sides that were compared. Out: [`BenchmarkDetails`], a plain
//! value. Where both sides have a digest, everything comes from these; where one has, there are the
//! details of that side alone; else the records tell what they know. What stands in the way of
//! details is one of their notes, and never a failure.

mod of_digests;
mod of_records;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use iai_callgrind::protocol::EventKind;

use crate::kept_digests::recorded;
use base::tool::Tool;
use explain::{ComparedFunction, Explanation, FunctionLines, InstructionTables};
use flamegraph::MergedTree;
use metrics::MetricKind;
use verdict::sides::{ReportRow, ResultSide};

/// Details of a benchmark. Parts that are not known are empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BenchmarkDetails {
    /// The metric of all costs.
    pub metric: Option<EventKind>,
    /// Causes of the change.
    pub explanation: Option<Explanation>,
    /// Frames of both sides.
    pub frames: Option<MergedTree>,
    /// Functions with own and inclusive costs.
    pub functions: Vec<ComparedFunction>,
    /// Lines of the user with costs.
    pub lines: Vec<FunctionLines>,
    /// Machine code of the functions that differ and cost most.
    pub code: InstructionTables,
    /// Reasons why parts are missing.
    pub notes: Vec<String>,
}

/// Parts of details that take long to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WantedDetails {
    /// Lines of the user.
    pub lines: bool,
    /// Machine code.
    pub code: bool,
}

/// Whoever knows the details of benchmarks. Threads ask for those of several at a time.
pub trait DetailSource: fmt::Debug + Send + Sync {
    /// The details of the benchmark of a row, for the metric of the row if that can be explained.
    fn details(&self, row: &ReportRow, wanted: WantedDetails) -> BenchmarkDetails;
}

/// The details of both sides of a comparison, or of one.
#[derive(Debug)]
pub struct SideDetails {
    /// The results that the new ones are compared with. `None`: new results are shown alone.
    pub old: Option<Arc<ResultSide>>,
    /// The new results.
    pub new: Arc<ResultSide>,
}

impl DetailSource for SideDetails {
    fn details(&self, row: &ReportRow, wanted: WantedDetails) -> BenchmarkDetails {
        let identity = recorded::identity(row);
        let mut details = BenchmarkDetails {
            metric: Some(metric(row)),
            ..BenchmarkDetails::default()
        };
        let mut digest = |side: Option<&ResultSide>| match recorded::digest(side?, &identity) {
            Ok(digest) => digest,
            Err(note) => {
                details.notes.push(note);
                None
            }
        };
        let old = digest(self.old.as_deref());
        let new = digest(Some(&self.new));
        match (&old, &new) {
            (None, None) => of_records::add(&mut details, self, &identity),
            (old, new) => of_digests::add(&mut details, [old.as_ref(), new.as_ref()], wanted),
        }
        details
    }
}

/// The metric of a row if it is a sum of what Callgrind counts, else instructions.
fn metric(row: &ReportRow) -> EventKind {
    let of_callgrind = row.tool.as_deref() == Some(Tool::Callgrind.id());
    let metric = row.metric.as_ref().filter(|_| of_callgrind);
    let kind = metric.and_then(|metric| metric.kind.parse::<EventKind>().ok());
    let is_sum = |kind: &EventKind| {
        let kind = MetricKind::from(*kind);
        !kind.is_rate() && !kind.is_time()
    };
    kind.filter(is_sum).unwrap_or(EventKind::Ir)
}
