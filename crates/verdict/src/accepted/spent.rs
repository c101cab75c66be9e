//! Accepted counts without an effect: results have reached them, or their benchmark does not exist
//! any more.

use std::collections::BTreeSet;

use iai_callgrind::protocol::Filter;

use super::measured::{by_name, count, is_other, libc, own, ResultsByName};
use super::model::{AcceptedBenchmark, AcceptedCount, AcceptedCounts, AcceptedName, AcceptedPlace};
use crate::sides::ResultSide;
use crate::{Difference, Trend};
use base::tool::Tool;
use metrics::MetricKind;
use records::summary::Number;

/// The benchmarks whose accepted counts are not worse than those of the old side, from which limits
/// are measured.
#[must_use]
pub fn spent(counts: &AcceptedCounts, old: &ResultSide) -> Vec<AcceptedName> {
    let results = by_name(old);
    let all = counts.benchmarks.iter();
    all.filter(|(name, accepted)| is_spent(name, accepted, counts.libc(name), &results))
        .map(|(name, _)| name.clone())
        .collect()
}

/// Notes on lines of a file without an effect, for the report of a comparison.
#[must_use]
pub fn notes(
    counts: &AcceptedCounts,
    file: &str,
    old: Option<&ResultSide>,
    new: &ResultSide,
    only: &Filter,
) -> Vec<String> {
    let mut notes = Vec::new();
    let spent = old.map(|old| spent(counts, old)).unwrap_or_default();
    if !spent.is_empty() {
        notes.push(format!(
            "{} in `{file}` without an effect, since the old results have reached the accepted counts; \
             `iai-callgrind-runner accept --prune OLD` removes them: {}",
            lines(spent.len()),
            named(counts, &spent)
        ));
    }
    let mut unknown = unknown(counts, old, new);
    unknown.retain(|name| only.selects(&name.path));
    if !unknown.is_empty() {
        notes.push(format!(
            "{} in `{file}` about benchmarks that neither side has: {}",
            lines(unknown.len()),
            named(counts, &unknown)
        ));
    }
    notes
}

/// The most lines that a note names.
const MOST_NAMED: usize = 5;

fn named(counts: &AcceptedCounts, names: &[AcceptedName]) -> String {
    let shown = names.iter().take(MOST_NAMED).map(|name| {
        let line = counts.benchmark(name).map_or(0, |benchmark| benchmark.line);
        format!("{} (line {line})", name)
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST_NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn lines(number: usize) -> String {
    match number {
        1 => "1 line".to_owned(),
        number => format!("{number} lines"),
    }
}

fn is_spent(
    name: &AcceptedName,
    accepted: &AcceptedBenchmark,
    accepted_libc: Option<&str>,
    old: &ResultsByName<'_>,
) -> bool {
    let Some(results) = old.get(name) else {
        return false;
    };
    let is_reached = |tool: Tool, kind: &str, accepted: Number, old: Option<Number>| {
        let direction = MetricKind::named(tool, kind).map(MetricKind::direction);
        let (Some(old), Some(direction)) = (old, direction) else {
            return false;
        };
        let difference = Difference::between(accepted.into(), old.into());
        difference.trend(direction) != Some(Trend::Worse)
    };
    // With another C library, own code alone tells of the instructions.
    let is_elsewhere = is_other(accepted_libc, libc(results)) && accepted.own.is_some();
    let is_told = |it: &&AcceptedCount| !(is_elsewhere && it.tool == Tool::Callgrind);
    let mut all = accepted.counts.iter().filter(is_told);
    let counts = all.all(|it| {
        let old = count(results, it.tool, &it.kind);
        is_reached(it.tool, &it.kind, it.count, old)
    });
    // Where own code is judged, it is what counts.
    let own = match (accepted.own, own(results)) {
        (Some(accepted), Some(old)) => accepted <= old,
        _ => true,
    };
    counts && own
}

/// The benchmarks that neither side has, where the new side is of everything in its place.
fn unknown(
    counts: &AcceptedCounts,
    old: Option<&ResultSide>,
    new: &ResultSide,
) -> Vec<AcceptedName> {
    let is_part = |run: &records::summary::Run| !run.filters.is_empty() || !run.skip.is_empty();
    let is_incomplete = !new.errors.is_empty() || new.runs.iter().any(|run| is_part(&run.run));
    if counts.is_empty() || is_incomplete {
        return Vec::new();
    }
    let there = by_name(new);
    let before = old.map(by_name).unwrap_or_default();
    let places: BTreeSet<&AcceptedPlace> = there.keys().map(|name| &name.place).collect();
    let is_unknown = |name: &&AcceptedName| {
        places.contains(&name.place) && !there.contains_key(*name) && !before.contains_key(*name)
    };
    counts
        .benchmarks
        .keys()
        .filter(is_unknown)
        .cloned()
        .collect()
}
