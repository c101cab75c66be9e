//! A history as CSV (RFC 4180): a row for each commit and metric.

use crate::history::{History, HistoryPoint, HistorySeries};
use crate::summary::Number;

const COLUMNS: &str =
    "label,target,package,path,tool,metric,committed_at,commit,value,diff_pct,changed,own,others,circumstances";

/// The rows of a history, with the names of the columns before them.
pub(super) fn history_csv(history: &History) -> String {
    let mut csv = format!("{COLUMNS}\r\n");
    for series in &history.series {
        for point in &series.points {
            let fields: Vec<String> = row(history, series, point)
                .iter()
                .map(|field| quoted(field))
                .collect();
            csv += &fields.join(",");
            csv += "\r\n";
        }
    }
    csv
}

fn row(history: &History, series: &HistorySeries, point: &HistoryPoint) -> [String; 14] {
    let commit = &history.commits[point.commit];
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let others: Vec<String> = point.others.iter().map(Number::to_string).collect();
    [
        text(&series.label),
        text(&series.target),
        series.package.clone(),
        series.path.clone(),
        series.tool.clone(),
        series.kind.clone(),
        text(&commit.committed_at),
        text(&commit.commit),
        point.value.to_string(),
        point.diff_pct.map(|it| it.to_string()).unwrap_or_default(),
        point.changed.to_string(),
        point.own.map(|own| own.new.to_string()).unwrap_or_default(),
        others.join(" "),
        point.circumstances.join("; "),
    ]
}

fn quoted(field: &str) -> String {
    match field.contains([',', '"', '\r', '\n']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}
