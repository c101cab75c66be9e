//! A history for people: for each benchmark the commits at which its count changed.

use super::paint::Ink;
use super::rows::with_unit;
use super::Style;
use crate::compare::{Difference, Trend};
use crate::history::{History, HistoryCommit, HistoryPoint, HistorySeries};
use crate::metrics::{MetricKind, MetricValue};
use crate::summary::Number;

/// The text of a history. `all` shows commits at which nothing changed as well.
pub(super) fn text(history: &History, all: bool, style: Style) -> String {
    let mut text = String::new();
    let mut unchanged = 0;
    for series in &history.series {
        let is_of_interest = |point: &HistoryPoint| point.changed || !point.others.is_empty();
        if !all && !series.points.iter().any(is_of_interest) {
            unchanged += 1;
            continue;
        }
        text += &headline(history, series, style);
        for (index, point) in series.points.iter().enumerate() {
            if all || index == 0 || is_of_interest(point) {
                let before = index.checked_sub(1).map(|before| &series.points[before]);
                text += &line(history, series, before, point, style);
            }
        }
    }
    if unchanged > 0 {
        let commits = history.commits.len();
        text += &format!("{unchanged} unchanged at {}\n", counted(commits, "commit"));
    }
    text
}

fn headline(history: &History, series: &HistorySeries, style: Style) -> String {
    let path = style.paint(Ink::Path, &series.path);
    let label = series.label.as_ref().map(|label| format!(" ({label})"));
    let several_targets = history
        .series
        .iter()
        .any(|other| other.target != series.target);
    let target = series.target.as_ref().filter(|_| several_targets);
    let target = target.map(|target| format!(" on {target}"));
    let tool = series.tool.parse().ok().map(crate::tool::row);
    let tool = tool.filter(|_| series.tool != "callgrind");
    let tool = tool.map(|row| format!("{} ", row.title));
    let dates = [series.points.first(), series.points.last()];
    let dates = dates.map(|point| point.map(|point| date(&history.commits[point.commit])));
    let dates = match dates {
        [Some(first), Some(last)] if first != last => format!("{first} to {last}"),
        [first, _] => first.unwrap_or_default().to_owned(),
    };
    format!(
        "{} {path}{}{}  {}{}, {dates}, {}\n",
        series.package,
        label.unwrap_or_default(),
        target.unwrap_or_default(),
        tool.unwrap_or_default(),
        series.metric,
        counted(series.measured, "commit")
    )
}

fn line(
    history: &History,
    series: &HistorySeries,
    before: Option<&HistoryPoint>,
    point: &HistoryPoint,
    style: Style,
) -> String {
    let commit = &history.commits[point.commit];
    let mut remarks = Vec::new();
    if let Some(own) = point.own {
        remarks.push(format!("own {} -> {}", own.old, own.new));
    }
    remarks.extend(point.circumstances.iter().cloned());
    if let Some(before) = before.filter(|_| point.commits_since > 1) {
        let last = short(&history.commits[before.commit]);
        remarks.push(format!("{} commits after {last}", point.commits_since));
    }
    if !point.others.is_empty() {
        let others: Vec<String> = point.others.iter().copied().map(shown).collect();
        remarks.push(format!("not deterministic: also {}", others.join(", ")));
    }
    if commit.dirty {
        remarks.push("with changed files".to_owned());
    }
    let line = format!(
        "  {:<10}  {:<7}  {:>12}  {}  {}",
        date(commit),
        short(commit),
        shown(point.value),
        percent(series, before, point, style),
        remarks.join("; ")
    );
    line.trim_end().to_owned() + "\n"
}

/// The change against the value before, in ten characters.
fn percent(
    series: &HistorySeries,
    before: Option<&HistoryPoint>,
    point: &HistoryPoint,
    style: Style,
) -> String {
    let Some(before) = before.filter(|_| point.changed) else {
        return " ".repeat(10);
    };
    let [new, old] = match point.own {
        Some(own) => [own.new, own.old].map(MetricValue::Int),
        None => [point.value, before.value].map(value),
    };
    let difference = Difference::between(new, old);
    let text = format!("{:>10}", with_unit(difference.percent, '%'));
    let tool = series.tool.parse().ok();
    let kind = tool.and_then(|tool| MetricKind::named(tool, &series.kind));
    match kind.and_then(|kind| difference.trend(kind.direction())) {
        Some(Trend::Better) => style.paint(Ink::Better, &text),
        Some(Trend::Worse) => style.paint(Ink::Worse, &text),
        None => text,
    }
}

fn value(number: Number) -> MetricValue {
    match number {
        Number::Count(count) => MetricValue::Int(count),
        Number::Rate(rate) => MetricValue::Float(rate),
    }
}

fn shown(number: Number) -> String {
    value(number).to_string()
}

/// The day of a commit, in the time zone of its author.
fn date(commit: &HistoryCommit) -> &str {
    let time = commit.time().unwrap_or("no date");
    time.split('T').next().unwrap_or_default()
}

fn short(commit: &HistoryCommit) -> String {
    let hash = commit.commit.as_deref().unwrap_or("-");
    hash.chars().take(7).collect()
}

fn counted(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}
