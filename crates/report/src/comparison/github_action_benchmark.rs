//! The action `github-action-benchmark`: new values for its tool `customSmallerIsBetter`.

use std::io::{self, Write};

use iai_callgrind::protocol::Direction;
use serde::Serialize;

use super::circumstances;
use super::words::RowNames;
use crate::visible::visible_json;
use base::tool::Tool;
use metrics::MetricKind;
use records::summary::Number;
use verdict::sides::{ComparisonReport, ReportRow, RowMetric};

/// One value.
#[derive(Serialize)]
struct ActionValue {
    name: String,
    unit: String,
    value: Number,
    #[serde(skip_serializing_if = "String::is_empty")]
    extra: String,
}

/// Writes the new values, except for the metrics that [`left_out`] names.
pub(super) fn write(report: &ComparisonReport, out: &mut dyn Write) -> io::Result<()> {
    // The action keeps series by these names, so they must not depend on what else is compared.
    let names = RowNames::of_identities(report);
    let extra = circumstances::words(&report.new).join("\n");
    let rows = report.rows.iter();
    let values: Vec<ActionValue> = rows
        .filter_map(|row| {
            // A time without a tool is there in some comparisons only, and of no other run.
            let metric = row.metric.as_ref().filter(|_| row.tool.is_some())?;
            is_smaller_better(row, metric).then_some(())?;
            Some(ActionValue {
                name: name(row, metric, names),
                // The action takes no value without a unit, and a count has none.
                unit: metric.unit.as_ref().unwrap_or(&metric.label).clone(),
                value: metric.new?,
                extra: extra.clone(),
            })
        })
        .collect();
    out.write_all(&visible_json(&serde_json::to_vec_pretty(&values)?))?;
    writeln!(out)
}

/// The note on metrics for which more is better; `None`: there is none.
pub(super) fn left_out(report: &ComparisonReport) -> Option<String> {
    let mut labels: Vec<&str> = Vec::new();
    for row in &report.rows {
        let Some(metric) = &row.metric else { continue };
        if !is_smaller_better(row, metric) && !labels.contains(&metric.label.as_str()) {
            labels.push(&metric.label);
        }
    }
    let labels = labels.join(", ");
    (!labels.is_empty()).then(|| {
        format!(
            "more is better of these metrics, so `github-action-benchmark` is not told: {labels}"
        )
    })
}

/// The package and the path; with the metric, but for Callgrind's instructions.
fn name(row: &ReportRow, metric: &RowMetric, names: RowNames) -> String {
    let name = names.name(row);
    match (row.tool.as_deref(), metric.kind.as_str()) {
        (Some("callgrind"), "Ir") => name,
        _ => format!("{name}: {}", metric.label),
    }
}

fn is_smaller_better(row: &ReportRow, metric: &RowMetric) -> bool {
    let tool = row
        .tool
        .as_deref()
        .and_then(|tool| tool.parse::<Tool>().ok());
    let kind = tool.and_then(|tool| MetricKind::named(tool, &metric.kind));
    kind.is_none_or(|kind| kind.direction() == Direction::Lower)
}

#[cfg(test)]
mod tests {
    use serde_json::{json, Value};

    use super::*;
    use verdict::sides::sample;

    fn written(report: &ComparisonReport) -> Value {
        let mut out = Vec::new();
        write(report, &mut out).unwrap();
        serde_json::from_slice(&out).unwrap()
    }

    #[test]
    fn values_of_which_less_is_better() {
        let report = sample::report();
        let found = written(&report);
        let all = found.as_array().unwrap();
        assert_eq!(all.len(), 11);
        assert_eq!(
            all[1],
            json!({
                "name": "exp1 app::g::json_write::n_0",
                "unit": "Instructions",
                "value": 16387,
                "extra": "rustc 1.95.0\nglibc 2.36\nx86_64-unknown-linux-gnu\nValgrind 3.19.0",
            })
        );
        assert_eq!(all[2]["name"], "exp1 app::g::json_write::n_0: Total bytes");
        let note = left_out(&report).unwrap();
        assert!(note.ends_with("not told: L1 Hit Rate"), "{note}");
        assert_eq!(left_out(&sample::many(verdict::RowClass::New, 1)), None);
    }

    #[test]
    fn hostile_texts_stay_texts() {
        let found = written(&sample::hostile());
        assert_eq!(found.as_array().unwrap().len(), 11);
        assert!(found[0]["name"].as_str().unwrap().contains(sample::HOSTILE));
    }
}
