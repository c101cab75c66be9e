//! The order of metrics without a table: that of the files of the tool (perf).

use super::{ComparisonRow, MetricsComparison};
use metrics::{CounterSet, MetricKind};

/// Puts the metrics into the order in which the tool wrote them, those of the old side only last in
/// each event set. Returns all metrics in this order.
pub fn in_order_of_files(total: &mut MetricsComparison, sets: &[CounterSet]) -> Vec<MetricKind> {
    // Stable, so that metrics with a table, which all have the same key, keep their order.
    total.rows.sort_by_key(|row| place(row, sets));
    total.rows.iter().map(|row| row.kind).collect()
}

/// The event set of a metric, and its place among the events of this set.
fn place(row: &ComparisonRow, sets: &[CounterSet]) -> (u32, usize) {
    let MetricKind::Perf(perf) = row.kind else {
        return (0, 0);
    };
    let of_part = |set: &&CounterSet| set.part == Some(perf.part.into());
    let same = |(event, _): &(String, _)| event == perf.event.as_str();
    let set = sets.iter().find(of_part);
    let place = set.and_then(|set| set.figures.iter().position(same));
    (perf.part, place.unwrap_or(usize::MAX))
}
