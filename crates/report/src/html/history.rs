//! The history of a page: its points, and the values of metrics at them.

use std::collections::HashMap;

use serde::Serialize;

use super::texts::name;
use records::summary::Number;
use verdict::history::{History, HistorySeries};
use verdict::sides::{ComparisonReport, ReportRow};

/// Identity of a series: label, target, package, path, tool and metric.
type SeriesKey = (
    Option<String>,
    Option<String>,
    String,
    String,
    String,
    String,
);

/// Earlier results.
#[derive(Debug, Default)]
pub(super) struct PageHistory {
    /// The oldest first.
    pub points: Vec<PagePoint>,
    /// Notes about results that were left out.
    pub notes: Vec<String>,
    series: HashMap<SeriesKey, Vec<(usize, Option<Number>)>>,
}

/// A point of the history.
#[derive(Debug, Serialize)]
pub(super) struct PagePoint {
    at: Option<String>,
    commit: Option<String>,
    dirty: bool,
    rustc: Option<String>,
    valgrind: Option<String>,
    libc: Option<String>,
}

impl PageHistory {
    /// The series of the benchmarks of a report.
    pub(super) fn new(history: &History, report: &ComparisonReport) -> Self {
        let shown: std::collections::HashSet<(&str, &str)> = report
            .rows
            .iter()
            .map(|row| (&*row.package, &*row.path))
            .collect();
        let points = history.commits.iter().map(|commit| PagePoint {
            at: commit.time().map(name),
            commit: commit.commit.as_deref().map(name),
            dirty: commit.dirty,
            rustc: commit.rustc.as_deref().map(name),
            valgrind: commit.valgrind.as_deref().map(name),
            libc: commit.libc.as_deref().map(name),
        });
        let series = history.series.iter();
        let series = series.filter(|series| shown.contains(&(&*series.package, &*series.path)));
        let series = series.map(|series| (key_of(series), values(series)));
        Self {
            points: points.collect(),
            notes: history.notes.clone(),
            series: series.collect(),
        }
    }

    /// Values of the metric of a row; those that differ from the one before only, where nothing more is asked for.
    pub(super) fn of_row(&self, row: &ReportRow, changes: bool) -> Vec<(usize, Option<Number>)> {
        let key = |row: &ReportRow| {
            let metric = row.metric.as_ref()?;
            Some((
                row.label.clone(),
                row.target.clone(),
                row.package.clone(),
                row.path.clone(),
                row.tool.clone()?,
                metric.kind.clone(),
            ))
        };
        let known = key(row).and_then(|key| self.series.get(&key));
        let mut values = known.cloned().unwrap_or_default();
        if changes {
            values.dedup_by_key(|(_, value)| *value);
        }
        values
    }
}

fn key_of(series: &HistorySeries) -> SeriesKey {
    (
        series.label.clone(),
        series.target.clone(),
        series.package.clone(),
        series.path.clone(),
        series.tool.clone(),
        series.kind.clone(),
    )
}

fn values(series: &HistorySeries) -> Vec<(usize, Option<Number>)> {
    let points = series.points.iter();
    points
        .map(|point| (point.commit, Some(point.value)))
        .collect()
}
