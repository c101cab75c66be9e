//! The report as a table, as RFC 4180 has it: one line for each row, also for those that did not
//! change. Texts stay on their line, so that nothing in a name begins a line of a log.

use std::io::{self, Write};

use super::super::csv_table;
use super::words::class_words;
use records::summary::Number;
use verdict::sides::{ComparisonReport, JudgedLimit, ReportRow};
use verdict::OwnCounts;

const HEAD: [&str; 14] = [
    "label",
    "target",
    "package",
    "path",
    "tool",
    "metric",
    "old",
    "new",
    "diff_pct",
    "class",
    "limit",
    "own_old",
    "own_new",
    "own_diff_pct",
];

pub(super) fn write(report: &ComparisonReport, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(csv_table::line(&HEAD).as_bytes())?;
    for row in &report.rows {
        out.write_all(csv_table::line(&fields(row)).as_bytes())?;
    }
    Ok(())
}

fn fields(row: &ReportRow) -> [String; 14] {
    let text = |text: &Option<String>| text.as_deref().map(csv_table::text).unwrap_or_default();
    let metric = row.metric.as_ref();
    let value = |value: Option<Number>| value.map(|it| it.to_string()).unwrap_or_default();
    let percent = |percent: Option<f64>| percent.map(|it| it.to_string()).unwrap_or_default();
    let own = |count: fn(&OwnCounts) -> u64| {
        let count = row.own.as_ref().map(count);
        count.map(|count| count.to_string()).unwrap_or_default()
    };
    [
        text(&row.label),
        text(&row.target),
        csv_table::text(&row.package),
        csv_table::text(&row.path),
        text(&row.tool),
        metric
            .map(|metric| csv_table::text(&metric.kind))
            .unwrap_or_default(),
        value(metric.and_then(|metric| metric.old)),
        value(metric.and_then(|metric| metric.new)),
        percent(metric.and_then(|metric| metric.diff_pct)),
        class_words(row.class).replace(' ', "_"),
        row.limit.as_ref().map(limit).unwrap_or_default(),
        own(|own| own.old),
        own(|own| own.new),
        percent(row.own.and_then(|own| own.diff_pct)),
    ]
}

/// A limit as it is written on the command line: `5%`, `4096`.
fn limit(limit: &JudgedLimit) -> String {
    match limit {
        JudgedLimit::Soft { limit, .. } => format!("{limit}%"),
        JudgedLimit::Hard { limit, .. } => limit.to_string(),
    }
}
