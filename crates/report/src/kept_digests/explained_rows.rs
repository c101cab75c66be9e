//! Causes of the regressions of a comparison, where both sides have the digests that tell them.

use iai_callgrind::protocol::EventKind;

use crate::kept_digests::recorded;
use base::tool::Tool;
use explain::{self, Explanation};
use records::summary::Number;
use verdict::sides::{ComparisonReport, ReportRow, ResultSide, RowMetric};
use verdict::RowClass;

/// The most rows that are explained. Reports of more have other questions first.
const MOST: usize = 50;

/// Explains the regressions whose digests exist on both sides.
pub fn explain_rows(report: &mut ComparisonReport, old: &ResultSide, new: &ResultSide) {
    let regressed = report.rows.iter_mut();
    let regressed = regressed.filter(|row| row.class == RowClass::Regressed);
    for row in regressed.take(MOST) {
        row.explanation = explanation(row, old, new).map(Box::new);
    }
}

fn explanation(row: &ReportRow, old: &ResultSide, new: &ResultSide) -> Option<Explanation> {
    let metric = row.metric.as_ref()?;
    let tool: Tool = row.tool.as_deref()?.parse().ok()?;
    let kind: EventKind = metric
        .kind
        .parse()
        .ok()
        .filter(|_| tool == Tool::Callgrind)?;
    let identity = recorded::identity(row);
    let digest = |side: &ResultSide| recorded::digest(side, &identity).ok().flatten();
    let found = explain::explain(&digest(old)?, &digest(new)?, kind).ok()?;
    is_of(&found, metric).then_some(found)
}

/// Does the explanation speak of these values, and is there something to say?
fn is_of(explanation: &Explanation, metric: &RowMetric) -> bool {
    let values = [metric.old, metric.new];
    let explained = [explanation.old, explanation.new];
    !explanation.causes.is_empty() && values == explained.map(|value| Some(Number::Count(value)))
}
