//! The first lines: the marker, the numbers of rows, both sides and the limits.

use std::collections::BTreeSet;

use super::super::super::markdown::{code, escaped};
use super::super::super::visible::short;
use super::super::words::class_words;
use crate::numbers::number;
use verdict::sides::{ComparisonReport, JudgedLimit, ReportRow, ReportSide, RowCounts};
use verdict::RowClass;

/// The most limits that are named.
const LIMITS: usize = 10;
/// The most labels in the marker.
const LABELS: usize = 10;
/// Characters of the name of a limit at most.
const LIMIT_NAME: usize = 80;
/// Characters of a commit.
const COMMIT: usize = 7;

/// The lines before the first section.
pub(super) fn text(report: &ComparisonReport) -> String {
    let counts = counts(&report.counts);
    let counts = match counts.is_empty() {
        true => "no results".to_owned(),
        false => counts.join(", "),
    };
    let new = side(&report.new);
    let sides = match &report.old {
        Some(old) => format!("{} → {new}", side(old)),
        None => new,
    };
    format!(
        "<!-- iai-callgrind: {} -->\n### Benchmarks: {counts}\n\n{sides} · {}\n\n",
        marker(report),
        limits(&report.limits)
    )
}

/// The labels of the rows: the next run finds its comment by them.
fn marker(report: &ComparisonReport) -> String {
    let label = |row: &ReportRow| match &row.label {
        Some(label) => marker_label(label),
        None => "default".to_owned(),
    };
    // In their order before the cut: rows are in another order in each run.
    let labels: BTreeSet<String> = report.rows.iter().map(label).collect();
    match labels.is_empty() {
        true => "default".to_owned(),
        false => Vec::from_iter(labels.into_iter().take(LABELS)).join(","),
    }
}

/// A label with `_` for each character that is not allowed, cut after 100.
fn marker_label(label: &str) -> String {
    // `>`, for one, would end the HTML comment.
    let allowed = |character: char| match character {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '.' | '+' | '-' => character,
        _ => '_',
    };
    label.chars().take(100).map(allowed).collect()
}

/// `2 regressed`, `10 unchanged`
fn counts(counts: &RowCounts) -> Vec<String> {
    let all = [
        (RowClass::Failed, counts.failed),
        (RowClass::Regressed, counts.regressed),
        (RowClass::Improved, counts.improved),
        (RowClass::Accepted, counts.accepted),
        (RowClass::NotJudged, counts.not_judged),
        (RowClass::NotDeterministic, counts.not_deterministic),
        (
            RowClass::ChangedOutsideOwnCode,
            counts.changed_outside_own_code,
        ),
        (RowClass::Changed, counts.changed),
        (RowClass::Noise, counts.noise),
        (RowClass::Same, counts.same),
        (RowClass::New, counts.new),
        (RowClass::NotCompared, counts.not_compared),
        (RowClass::Gone, counts.gone),
        (RowClass::NotRun, counts.not_run),
    ];
    let there = all.into_iter().filter(|(_, number)| *number > 0);
    there
        .map(|(class, number)| format!("{number} {}", class_words(class)))
        .collect()
}

/// `` `3e3457e` (`main`) ``
fn side(side: &ReportSide) -> String {
    let name = match &side.commit {
        Some(commit) => commit.chars().take(COMMIT).collect(),
        None => side
            .names()
            .first()
            .map_or_else(String::new, |name| (*name).to_owned()),
    };
    let mut text = code(&name);
    if let Some(branch) = &side.branch {
        text += &format!(" ({})", code(branch));
    }
    if side.dirty == Some(true) {
        text += " with changes that are not committed";
    }
    text
}

/// `limit: Instructions +5 %`
fn limits(limits: &[JudgedLimit]) -> String {
    let words: Vec<String> = limits.iter().take(LIMITS).map(limit).collect();
    match (limits.len(), words.join(", ")) {
        (0, _) => "no limits".to_owned(),
        (1, words) => format!("limit: {words}"),
        (all, words) if all > LIMITS => format!("limits: {words} and {} more", all - LIMITS),
        (_, words) => format!("limits: {words}"),
    }
}

fn limit(limit: &JudgedLimit) -> String {
    let name = |label: &str| escaped(&short(label, LIMIT_NAME));
    match limit {
        JudgedLimit::Soft { label, limit, .. } => format!("{} {limit:+}%", name(label)),
        JudgedLimit::Hard { label, limit, .. } => format!("{} {}", name(label), number(*limit)),
    }
}
