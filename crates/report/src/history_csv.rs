//! A history as CSV (RFC 4180): a row for each commit and metric. Texts stay on their line, so that
//! nothing in a name begins a line of a log.

use super::csv_table;
use records::summary::Number;
use verdict::history::{History, HistoryPoint, HistorySeries};

const HEAD: [&str; 14] = [
    "label",
    "target",
    "package",
    "path",
    "tool",
    "metric",
    "committed_at",
    "commit",
    "value",
    "diff_pct",
    "changed",
    "own",
    "others",
    "circumstances",
];

/// The rows of a history, with the names of the columns before them.
pub fn history_csv(history: &History) -> String {
    let mut table = csv_table::line(&HEAD);
    for series in &history.series {
        for point in &series.points {
            table += &csv_table::line(&row(history, series, point));
        }
    }
    table
}

fn row(history: &History, series: &HistorySeries, point: &HistoryPoint) -> [String; 14] {
    let commit = &history.commits[point.commit];
    let text = |text: &Option<String>| text.as_deref().map(csv_table::text).unwrap_or_default();
    let others: Vec<String> = point.others.iter().map(Number::to_string).collect();
    [
        text(&series.label),
        text(&series.target),
        csv_table::text(&series.package),
        csv_table::text(&series.path),
        csv_table::text(&series.tool),
        csv_table::text(&series.kind),
        text(&commit.committed_at),
        text(&commit.commit),
        point.value.to_string(),
        point.diff_pct.map(|it| it.to_string()).unwrap_or_default(),
        point.changed.to_string(),
        point.own.map(|own| own.new.to_string()).unwrap_or_default(),
        others.join(" "),
        csv_table::text(&point.circumstances.join("; ")),
    ]
}
