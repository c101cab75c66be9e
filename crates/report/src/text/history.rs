//! A history for people: for each benchmark the commits at which its count changed.

use super::paint::Ink;
use super::sparkline::{Bar, Sparklines};
use super::Style;
use crate::numbers;
use crate::visible::one_line;
use base::counted::{counted, grouped};
use metrics::{MetricKind, MetricValue};
use records::summary::short_commit;
use verdict::history::{History, HistoryCommit, HistoryPoint, HistorySeries};
use verdict::{Difference, Trend};

/// A history on its way to text.
struct ShownHistory<'a> {
    history: &'a History,
    style: Style,
    /// Are there several targets, of which each series names its own?
    has_targets: bool,
    /// Are there runs with changed files beside commits?
    has_runs: bool,
}

/// The text of a history. `all` shows commits at which nothing changed as well.
pub fn text(history: &History, all: bool, sparklines: Option<Sparklines>, style: Style) -> String {
    let mut targets = history.series.iter().map(|series| &series.target);
    let first = targets.next();
    let shown = ShownHistory {
        history,
        style,
        has_targets: targets.any(|target| Some(target) != first),
        has_runs: history.commits.iter().any(HistoryCommit::is_of_a_run),
    };
    let mut text = String::new();
    let mut unchanged = 0;
    for series in &history.series {
        let is_of_interest = |point: &HistoryPoint| {
            point.changed || point.other_arguments || !point.others.is_empty()
        };
        if !all && !series.points.iter().any(is_of_interest) {
            unchanged += 1;
            continue;
        }
        text += &shown.headline(series);
        if let Some(look) = sparklines {
            text += &shown.drawn(series, look);
        }
        for (index, point) in series.points.iter().enumerate() {
            // Also the first one, from which the changes start.
            if all || index == 0 || is_of_interest(point) {
                let before = index.checked_sub(1).map(|before| &series.points[before]);
                text += &line(history, series, before, point, style);
            }
        }
    }
    if unchanged > 0 {
        let commits = shown.commits(history.commits.len());
        text += &format!("{unchanged} unchanged at {commits}\n");
    }
    text
}

impl ShownHistory<'_> {
    fn headline(&self, series: &HistorySeries) -> String {
        let path = self.style.paint(Ink::Path, &one_line(&series.path));
        let label = series.label.as_deref().map(one_line);
        let label = label.map(|label| format!(" ({label})"));
        let target = series.target.as_ref().filter(|_| self.has_targets);
        let target = target.map(|target| format!(" on {}", one_line(target)));
        let tool = series.tool.parse().ok().map(base::tool::row);
        let tool = tool.filter(|_| series.tool != "callgrind");
        let tool = tool.map(|row| format!("{} ", row.title));
        let dates = [series.points.first(), series.points.last()];
        let dates = dates
            .map(|point| point.map(|point| one_line(date(&self.history.commits[point.commit]))));
        let dates = match dates {
            [Some(first), Some(last)] if first != last => format!("{first} to {last}"),
            [first, _] => first.unwrap_or_default().into_owned(),
        };
        format!(
            "{} {path}{}{}  {}{}, {dates}, {}\n",
            one_line(&series.package),
            label.unwrap_or_default(),
            target.unwrap_or_default(),
            tool.unwrap_or_default(),
            series.metric,
            self.commits(series.measured)
        )
    }

    /// `4 commits`
    fn commits(&self, number: usize) -> String {
        match self.has_runs {
            true if number == 1 => "1 commit or run".to_owned(),
            true => format!("{number} commits and runs"),
            false => counted(number as u64, "commit"),
        }
    }

    /// The values as bars, and the programs that changed behind them.
    fn drawn(&self, series: &HistorySeries, look: Sparklines) -> String {
        let mut bars = Vec::new();
        let mut programs = Vec::new();
        let mut before: Option<&HistoryCommit> = None;
        for point in &series.points {
            let commit = &self.history.commits[point.commit];
            let changed = before.map(|before| commit.programs_since(before));
            let changed = changed.unwrap_or_default();
            bars.push(Bar {
                value: point.value.as_f64(),
                is_marked: !changed.is_empty(),
            });
            programs.extend(changed);
            before = Some(commit);
        }
        let bars = look.bars(&bars);
        let legend = match programs.is_empty() {
            true => String::new(),
            false => format!("  {} {}", look.mark(), one_line(&programs.join(", "))),
        };
        // Left out where it does not fit: rows name the programs as well, where a count changed.
        let left = look.width.saturating_sub(2 + bars.chars().count());
        let legend = match legend.chars().count() <= left && !legend.is_empty() {
            true => self.style.paint(Ink::Faint, &legend),
            false => String::new(),
        };
        format!("  {bars}{legend}\n")
    }
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
        remarks.push(format!("own {} -> {}", grouped(own.old), grouped(own.new)));
    }
    remarks.extend(point.circumstances.iter().cloned());
    // Those in between were not measured, and each of them may have changed it.
    if let Some(before) = before.filter(|_| point.commits_since > 1) {
        let last = short(&history.commits[before.commit]);
        remarks.push(format!("{} commits after {last}", point.commits_since));
    }
    if !point.others.is_empty() {
        let others: Vec<String> = point.others.iter().copied().map(numbers::number).collect();
        remarks.push(format!("not deterministic: also {}", others.join(", ")));
    }
    if commit.dirty {
        remarks.push("with changed files".to_owned());
    }
    let line = format!(
        "  {:<10}  {:<7}  {:>12}  {}  {}",
        one_line(date(commit)),
        one_line(&short(commit)),
        numbers::number(point.value),
        percent(series, before, point, style),
        one_line(&remarks.join("; "))
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
        None => [point.value, before.value].map(MetricValue::from),
    };
    let difference = Difference::between(new, old);
    let text = format!("{:>10}", numbers::percent(difference.percent));
    let tool = series.tool.parse().ok();
    let kind = tool.and_then(|tool| MetricKind::named(tool, &series.kind));
    match kind.and_then(|kind| difference.trend(kind.direction())) {
        Some(Trend::Better) => style.paint(Ink::Better, &text),
        Some(Trend::Worse) => style.paint(Ink::Worse, &text),
        None => text,
    }
}

/// The day of a commit, in the time zone of its author.
fn date(commit: &HistoryCommit) -> &str {
    let time = commit.time().unwrap_or("no date");
    time.split('T').next().unwrap_or_default()
}

fn short(commit: &HistoryCommit) -> String {
    short_commit(commit.commit.as_deref().unwrap_or("-"))
}
