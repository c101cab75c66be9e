//! GitLab: a report on code quality, which marks lines of a merge request.

use std::io::{self, Write};

use iai_callgrind::shared::hash::hash;
use serde::Serialize;

use super::super::markdown::on_one_line;
use super::source_places::SourcePlaces;
use super::words::{cause_lines, change_words, RowNames};
use verdict::sides::{ComparisonReport, ReportRow};
use verdict::RowClass;

/// The file of problems without a known source: every workspace has it.
const UNKNOWN_SOURCE: &str = "Cargo.toml";

/// One problem.
#[derive(Serialize)]
struct CodeQualityIssue {
    description: String,
    check_name: String,
    fingerprint: String,
    severity: &'static str,
    location: CodeQualityLocation,
}

#[derive(Serialize)]
struct CodeQualityLocation {
    path: String,
    lines: CodeQualityLines,
}

#[derive(Serialize)]
struct CodeQualityLines {
    begin: u32,
}

/// Writes one problem for each row that regressed or failed.
pub(super) fn write(
    report: &ComparisonReport,
    places: &SourcePlaces,
    out: &mut dyn Write,
) -> io::Result<()> {
    let names = RowNames::of(report);
    let errors = report.errors.iter();
    let mut issues: Vec<CodeQualityIssue> = errors.map(|error| of_comparison(error)).collect();
    let rows = report.rows.iter();
    issues.extend(rows.filter_map(|row| of_row(row, names, places)));
    serde_json::to_writer_pretty(&mut *out, &issues)?;
    writeln!(out)
}

fn of_row(row: &ReportRow, names: RowNames, places: &SourcePlaces) -> Option<CodeQualityIssue> {
    let severity = match row.class {
        RowClass::Failed => "critical",
        RowClass::Regressed => "major",
        _ => return None,
    };
    let kind = row.metric.as_ref().map(|metric| metric.kind.as_str());
    Some(CodeQualityIssue {
        description: description(row, names),
        check_name: format!("iai-callgrind/{}", on_one_line(kind.unwrap_or("failed"))),
        fingerprint: fingerprint(row),
        severity,
        location: location(places.path(row), row.line),
    })
}

fn description(row: &ReportRow, names: RowNames) -> String {
    // Of a failure all lines.
    let change = format!("{}: {}", names.name(row), change_words(row));
    let all = std::iter::once(change).chain(cause_lines(row));
    on_one_line(&all.collect::<Vec<_>>().join("; "))
}

fn of_comparison(error: &str) -> CodeQualityIssue {
    CodeQualityIssue {
        description: on_one_line(error),
        check_name: "iai-callgrind/results".to_owned(),
        fingerprint: format!("{:016x}", hash(error.as_bytes())),
        severity: "critical",
        location: location(None, None),
    }
}

fn location(path: Option<String>, line: Option<u32>) -> CodeQualityLocation {
    // A line of an unknown file is none of `UNKNOWN_SOURCE`.
    let begin = line.filter(|_| path.is_some()).unwrap_or(1);
    CodeQualityLocation {
        path: path.unwrap_or_else(|| UNKNOWN_SOURCE.to_owned()),
        lines: CodeQualityLines { begin },
    }
}

/// A hash of the row's identity, without values: the same problem in two pipelines is the same.
fn fingerprint(row: &ReportRow) -> String {
    let text = |part: &Option<String>| part.clone().unwrap_or_default();
    let kind = row.metric.as_ref().map(|metric| metric.kind.clone());
    let parts = [
        text(&row.label),
        text(&row.target),
        row.package.clone(),
        row.path.clone(),
        text(&row.tool),
        text(&kind),
    ];
    // By a character that no name has: two identities never join to the same text.
    format!("{:016x}", hash(parts.join("\0").as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{json, Value};

    use super::*;
    use verdict::sides::sample;

    fn written(report: &ComparisonReport) -> Value {
        let mut out = Vec::new();
        write(report, &SourcePlaces::default(), &mut out).unwrap();
        serde_json::from_slice(&out).unwrap()
    }

    /// Schema of the report, after GitLab's documentation.
    fn schema() -> Value {
        json!({
            "type": "array",
            "items": {
                "type": "object",
                "required": ["description", "check_name", "fingerprint", "severity", "location"],
                "additionalProperties": false,
                "properties": {
                    "description": {"type": "string", "minLength": 1},
                    "check_name": {"type": "string", "minLength": 1},
                    "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
                    "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
                    "location": {
                        "type": "object",
                        "required": ["path", "lines"],
                        "properties": {
                            "path": {"type": "string", "minLength": 1, "pattern": "^[^./]"},
                            "lines": {
                                "type": "object",
                                "required": ["begin"],
                                "properties": {"begin": {"type": "integer", "minimum": 1}}
                            }
                        }
                    }
                }
            }
        })
    }

    #[test]
    fn rows_are_problems_at_their_lines() {
        let found = written(&sample::report());
        assert!(jsonschema::is_valid(&schema(), &found), "{found:#}");
        assert_eq!(found.as_array().unwrap().len(), 4);
        assert_eq!(found[0]["severity"], "critical");
        assert_eq!(
            found[2],
            json!({
                "description": "app::g::json_write::n_0: Instructions 15,005 -> 16,387 (+9.21%), own code 12,000 -> 13,762 (+14.7%, limit +5%); \
                    +1,300 (+8.66%) realloc: 100 -> 1,400; +82 (+0.55%) 2 more places",
                "check_name": "iai-callgrind/Ir",
                "fingerprint": found[2]["fingerprint"],
                "severity": "major",
                "location": {"path": "benches/app.rs", "lines": {"begin": 31}},
            })
        );
    }

    #[test]
    fn fingerprints_depend_on_the_identity_alone() {
        let report = sample::report();
        let mut other = report.clone();
        let found = |report| {
            let found = written(report);
            let found = found.as_array().unwrap().iter();
            found
                .map(|issue| issue["fingerprint"].as_str().unwrap().to_owned())
                .collect::<BTreeSet<_>>()
        };
        for row in &mut other.rows {
            (row.line, row.duration_ns) = (Some(1), None);
            if let Some(metric) = &mut row.metric {
                metric.new = None;
            }
        }
        assert_eq!(found(&report), found(&other));
        assert_eq!(found(&report).len(), 4);
    }

    #[test]
    fn hostile_texts_stay_texts() {
        let mut report = sample::hostile();
        report.rows[0].source_file = None;
        let found = written(&report);
        assert!(jsonschema::is_valid(&schema(), &found), "{found:#}");
        assert_eq!(found.as_array().unwrap().len(), 5);
        assert_eq!(found[1]["location"]["path"], UNKNOWN_SOURCE);
        assert_eq!(found[1]["location"]["lines"]["begin"], 1);
    }
}
