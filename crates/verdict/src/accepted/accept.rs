//! Regressions, or all counts, to lines of the file.

use std::collections::{BTreeMap, BTreeSet};

use iai_callgrind::protocol::Filter;

use super::document::AcceptedDocument;
use super::line::{benchmark_line, header};
use super::measured::{by_name, libc, own, snapshot, ResultsByName};
use super::model::{AcceptedBenchmark, AcceptedCount, AcceptedFacts, AcceptedName, AcceptedPlace};
use super::spent::spent;
use crate::sides::{ComparisonReport, JudgedLimit, ReportRow, ResultSide, RowMetric};
use crate::{Difference, RowClass, Trend};
use base::tool::{is_of_hardware, Tool};
use metrics::MetricKind;
use records::summary::Number;

/// The changes of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AcceptedChanges {
    /// The lines that differ, by benchmark.
    pub lines: Vec<ChangedLine>,
    /// Reasons why something was not accepted.
    pub refused: Vec<String>,
}

/// A line of the file before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedLine {
    /// The head of the table that the line belongs to.
    pub table: String,
    /// The line before; absent if it is new.
    pub old: Option<String>,
    /// The line now; absent if it was removed.
    pub new: Option<String>,
}

/// Benchmarks and their counts, before and after something was accepted.
type AcceptedByName = BTreeMap<AcceptedName, AcceptedBenchmark>;

/// Accepts what regressed. `conflicts` are the benchmarks that stood between conflict markers.
pub fn accept_regressions(
    document: &mut AcceptedDocument,
    conflicts: &AcceptedByName,
    report: &ComparisonReport,
    new: &ResultSide,
    reason: Option<&str>,
) -> AcceptedChanges {
    let mut before = document.counts().benchmarks.clone();
    // Lines between markers were in the file too: their reasons stay, and changes show them as old.
    before.extend(conflicts.clone());
    let results = by_name(new);
    let mut refused = Vec::new();
    let mut accepted = AcceptedByName::new();
    for row in &report.rows {
        match acceptable(row) {
            Ok(None) => {}
            Ok(Some(count)) => {
                let name = name(row);
                let old_reason = before.get(&name).and_then(|old| old.reason.clone());
                let is_instructions = count.tool == Tool::Callgrind && count.kind == "Ir";
                // It is a part of the instructions.
                let own = || results.get(&name).and_then(|results| own(results));
                let new_own = is_instructions.then(own);
                let libc = results.get(&name).and_then(|results| libc(results));
                let of_place = document.counts().facts.get(&name.place);
                let of_place = of_place.and_then(|facts| facts.libc.as_deref());
                // In the line and not in the table of the place: facts there make the file the old
                // side of a report.
                let libc_of_line = libc.filter(|libc| of_place != Some(*libc));
                // Accepted counts of other metrics stay in the line.
                let benchmark = accepted.entry(name).or_insert_with_key(|name| {
                    let known = document.counts().benchmark(name).cloned();
                    known.unwrap_or_default()
                });
                benchmark.own = new_own.unwrap_or(benchmark.own);
                if is_instructions {
                    benchmark.libc = libc_of_line.map(str::to_owned);
                }
                benchmark.set(count);
                benchmark.reason = reason.map(str::to_owned).or(old_reason);
            }
            Err(reason) => refused.push(reason),
        }
    }
    // All at once: each call goes through all sections of the file.
    document.set(accepted);
    changes(document, &before, refused)
}

/// Accepts all counts of a side that no layout of code moves, with the facts that they were made
/// with. Benchmarks that the side would have if they existed are removed, as far as they are
/// selected.
pub fn accept_all(
    document: &mut AcceptedDocument,
    new: &ResultSide,
    only: &Filter,
    reason: Option<&str>,
) -> AcceptedChanges {
    let before = document.counts().benchmarks.clone();
    let results = by_name(new);
    let mut refused = Vec::new();
    let mut places: BTreeMap<AcceptedPlace, AcceptedFacts> = BTreeMap::new();
    let mut accepted = AcceptedByName::new();
    for (name, results) in &results {
        let failures = results.iter().flat_map(|benchmark| &benchmark.failures);
        refused.extend(failures.map(|failure| failed(&name.to_string(), &failure.message)));
        let mut benchmark = snapshot(results);
        if benchmark.counts.is_empty() {
            continue;
        }
        let old = before.get(name).and_then(|old| old.reason.clone());
        benchmark.reason = reason.map(str::to_owned).or(old);
        accepted.insert(name.clone(), benchmark);
        for result in results.iter().flat_map(|benchmark| &benchmark.tools) {
            let facts = || AcceptedFacts::of(&result.circumstances);
            places.entry(name.place.clone()).or_insert_with(facts);
        }
    }
    document.set(accepted);
    let mut gone = gone(&before, &results, new);
    // Others were not looked at.
    gone.retain(|name| only.selects(&name.path));
    document.remove(&gone);
    for (place, facts) in places {
        document.set_facts(&place, facts);
    }
    changes(document, &before, refused)
}

/// Removes the lines that have no effect any more.
pub fn prune(document: &mut AcceptedDocument, old: &ResultSide) -> AcceptedChanges {
    let before = document.counts().benchmarks.clone();
    let spent = spent(document.counts(), old);
    document.remove(&spent.into_iter().collect());
    changes(document, &before, Vec::new())
}

/// Did the value get worse that was judged: own code where that alone is, since the total may have
/// fallen with the other C library?
fn is_worse(tool: Tool, row: &ReportRow, metric: &RowMetric) -> bool {
    let direction = MetricKind::named(tool, &metric.kind).map(MetricKind::direction);
    let values = match row.own {
        Some(own) => [Some(Number::Count(own.old)), Some(Number::Count(own.new))],
        None => [metric.old, metric.new],
    };
    let (Some(direction), [Some(old), Some(new)]) = (direction, values) else {
        return true;
    };
    Difference::between(new.into(), old.into()).trend(direction) != Some(Trend::Better)
}

/// The count of a row that can be accepted, or why a row cannot be.
fn acceptable(row: &ReportRow) -> Result<Option<AcceptedCount>, String> {
    let name = name(row);
    match (row.class, &row.limit, &row.metric) {
        (RowClass::Failed, ..) => {
            let message = row.failure.as_ref().map(|failure| failure.message.as_str());
            Err(failed(&name.to_string(), message.unwrap_or_default()))
        }
        (RowClass::NotJudged, _, Some(metric)) => Err(format!(
            "{} of {name} is not accepted: it was not judged, since the conditions differ",
            metric.label
        )),
        (RowClass::Regressed, Some(JudgedLimit::Hard { .. }), Some(metric)) => Err(format!(
            "{} of {name} is not accepted: it exceeds a limit on the count itself, which is raised where it stands",
            metric.label
        )),
        // Without a limit it is an expectation of the source, which no count changes.
        (RowClass::Regressed, None, Some(metric)) => Err(format!(
            "{} of {name} is not accepted: it does not meet what its source says: {}",
            metric.label,
            row.remarks.join("; ")
        )),
        (RowClass::Regressed, _, Some(metric)) => {
            let tool = row.tool.as_deref().and_then(|tool| tool.parse().ok());
            match (tool, metric.new) {
                (Some(tool), _) if is_of_hardware(tool) => Err(format!(
                    "{} of {name} is not accepted: figures of perf are never the same twice",
                    metric.label
                )),
                // An accepted count stands for the old one where it is worse.
                (Some(tool), Some(_)) if !is_worse(tool, row, metric) => Err(format!(
                    "{} of {name} is not accepted: it did not get worse, and its limit is changed where it stands",
                    metric.label
                )),
                (Some(tool), Some(count)) => Ok(Some(AcceptedCount {
                    tool,
                    kind: metric.kind.clone(),
                    count,
                })),
                _ => Ok(None),
            }
        }
        _ => Ok(None),
    }
}

fn failed(name: &str, message: &str) -> String {
    let first = message.lines().next().unwrap_or_default();
    format!("{name} is not accepted: it failed: {first}")
}

fn name(row: &ReportRow) -> AcceptedName {
    let (target, label) = (row.target.as_deref(), row.label.as_deref());
    AcceptedName::new(target, label, &row.package, &row.path)
}

/// The benchmarks of bench files that the side has whole runs of, without a result.
fn gone(
    before: &AcceptedByName,
    results: &ResultsByName<'_>,
    new: &ResultSide,
) -> BTreeSet<AcceptedName> {
    let whole = new
        .runs
        .iter()
        .filter(|run| run.run.filters.is_empty() && run.run.skip.is_empty());
    let whole: BTreeSet<(AcceptedPlace, &str, &str)> = whole
        .map(|run| {
            let target = run.bench_target();
            let place = AcceptedPlace::new(target.target, target.label);
            (place, target.package, target.file)
        })
        .collect();
    let is_gone = |name: &&AcceptedName| {
        let file = name.path.split("::").next().unwrap_or_default();
        let ran = whole.contains(&(name.place.clone(), &name.package, file));
        // With an error results may be missing, and good lines would go.
        ran && new.errors.is_empty() && !results.contains_key(*name)
    };
    before.keys().filter(is_gone).cloned().collect()
}

/// The lines that changed.
fn changes(
    document: &AcceptedDocument,
    before: &AcceptedByName,
    refused: Vec<String>,
) -> AcceptedChanges {
    let now = &document.counts().benchmarks;
    let names: BTreeSet<&AcceptedName> = before.keys().chain(now.keys()).collect();
    let lines = names.into_iter().filter_map(|name| {
        let line = |all: &AcceptedByName| {
            all.get(name)
                .map(|benchmark| benchmark_line(&name.path, benchmark))
        };
        let (old, new) = (line(before), line(now));
        (old != new).then(|| ChangedLine {
            table: header(&name.place, Some(&name.package)),
            old,
            new,
        })
    });
    AcceptedChanges {
        lines: lines.collect(),
        refused,
    }
}
