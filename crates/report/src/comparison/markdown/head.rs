//! The first lines: the marker, the numbers of rows, both sides and the limits.

use super::super::super::markdown::{code, escaped};
use super::super::super::visible::short;
use super::super::words::class_words;
use super::table::number;
use verdict::sides::{ComparisonReport, JudgedLimit, ReportSide, RowCounts};
use verdict::RowClass;

/// Limits that are named at most.
const LIMITS: usize = 10;
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

/// The labels of the rows, by which a comment is found again.
fn marker(report: &ComparisonReport) -> String {
    let mut labels: Vec<String> = Vec::new();
    for row in &report.rows {
        let label = row
            .label
            .as_deref()
            .map_or_else(|| "default".to_owned(), of_label);
        if !labels.contains(&label) && labels.len() < LIMITS {
            labels.push(label);
        }
    }
    // The next run finds its comment by the same text.
    labels.sort();
    match labels.is_empty() {
        true => "default".to_owned(),
        false => labels.join(","),
    }
}

/// A label with the characters that it may have, and not more of them than one would write.
fn of_label(label: &str) -> String {
    // Among others no `>`, which would end the comment of HTML.
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
        JudgedLimit::Soft { label, limit, .. } => format!("{} {limit:+} %", name(label)),
        JudgedLimit::Hard { label, limit, .. } => format!("{} {}", name(label), number(*limit)),
    }
}
