//! Details from the digests of both sides, or of one.

use iai_callgrind::protocol::EventKind;

use super::{BenchmarkDetails, SideDetails, WantedDetails};
use explain::digest::Digest;
use explain::{self, ComparedDigests, ExplainError, FunctionPairs};
use flamegraph;
use verdict::sides::{ReportRow, RowDigests};

/// Frames with less than this part of the costs of both sides, in percent, are one.
const CUT: f64 = 0.1;

/// The most instructions of all functions of a benchmark. More are of no use to readers, and take
/// long to align.
const MOST_INSTRUCTIONS: usize = 600;

/// Adds all details of digests. At least one side has one.
pub(super) fn add(
    details: &mut BenchmarkDetails,
    digests: &RowDigests,
    sides: &SideDetails,
    row: &ReportRow,
    wanted: WantedDetails,
) {
    let [old, new] = [digests.old.as_ref(), digests.new.as_ref()];
    let nothing = match (old, new) {
        (Some(_), Some(_)) => Digest::default(),
        // For a missing side: the other one without costs, so that one way serves both.
        (one, other) => one.or(other).map(Digest::without_costs).unwrap_or_default(),
    };
    let [old_or_nothing, new_or_nothing] = [old, new].map(|side| side.unwrap_or(&nothing));
    let asked = details.metric.unwrap_or(EventKind::Ir);
    let metric = match collects(old_or_nothing, new_or_nothing, asked) {
        true => asked,
        false => EventKind::Ir,
    };
    details.metric = Some(metric);
    let mut missing = |what: &str, reason: String| {
        details.notes.push(format!("no {what}: {reason}"));
    };
    match flamegraph::merged_tree(old_or_nothing, new_or_nothing, metric, CUT) {
        Ok(frames) => details.frames = Some(frames),
        Err(error) => missing("flamegraph", error.to_string()),
    }
    // Found once, as causes, functions and lines compare the same two digests.
    let pairs = FunctionPairs::find(old_or_nothing, new_or_nothing);
    match ComparedDigests::new(old_or_nothing, new_or_nothing, &pairs, metric) {
        Ok(compared) => {
            let compared_both = Some(&compared).filter(|_| old.is_some() && new.is_some());
            details.explanation = sides.change(row, metric).causes(compared_both);
            details.functions = explain::function_table(&compared);
            if wanted.lines {
                details.lines = explain::line_costs(&compared).functions;
            }
        }
        Err(error) => missing("causes, functions and lines", error.to_string()),
    }
    if wanted.code {
        match explain::all_instructions(old_or_nothing, new_or_nothing, MOST_INSTRUCTIONS) {
            Ok(code) => details.code = code,
            Err(error) => missing("machine code", error.to_string()),
        }
    }
    for (digest, side) in [(old, "old"), (new, "new")] {
        if digest.is_none() {
            let note = format!("costs are of one side: the {side} result has no digest");
            details.notes.push(note);
        }
    }
}

/// Have both sides the metric?
fn collects(old: &Digest, new: &Digest, metric: EventKind) -> bool {
    !matches!(
        explain::is_collected(old, metric).and(explain::is_collected(new, metric)),
        Err(ExplainError::NotCollected(_) | ExplainError::NoSum(_))
    )
}
