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

use explain::{ComparedFunction, Explanation, FunctionLines, InstructionTables};
use flamegraph::MergedTree;
use verdict::sides::{event, ExplainedChange, ReportRow, ResultSide, RowDigests};

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
        let old = self.old.as_deref();
        let mut details = BenchmarkDetails {
            metric: Some(event(row).unwrap_or(EventKind::Ir)),
            ..BenchmarkDetails::default()
        };
        let digests = RowDigests::read(row, old, &self.new);
        match (&digests.old, &digests.new) {
            (None, None) => of_records::add(&mut details, self, row),
            _ => of_digests::add(&mut details, &digests, self, row, wanted),
        }
        let has_both = digests.old.is_some() && digests.new.is_some();
        if old.is_some() && !has_both && details.explanation.is_none() {
            // First, as it is why other parts are missing.
            details.notes.insert(0, digests.missing());
        } else {
            details.notes.extend(digests.faults);
        }
        details
    }
}

impl SideDetails {
    /// The change that a row tells of, in this metric.
    fn change(&self, row: &ReportRow, metric: EventKind) -> ExplainedChange<'_> {
        ExplainedChange::of(row, metric, self.old.as_deref(), &self.new)
    }
}
