//! Properties of every format.

use clap::ValueEnum;
use serde_json::{json, Value};

use super::ComparisonFormat;
use super::ComparisonWriter;
use crate::Styles;
use records::{RecordInput, RecordReader};
use verdict::sides::{
    compare_sides, sample, ComparisonOptions, ComparisonOutcome, ComparisonReport, NothingAgreed,
    ResultSide, SideOptions,
};
use verdict::RowClass;

fn written(report: &ComparisonReport, format: ComparisonFormat) -> String {
    let mut out = Vec::new();
    let writer = ComparisonWriter::default();
    writer.write(report, format, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn every_format_says_something_of_every_report() {
    let one_side = ComparisonReport {
        old: None,
        ..sample::many(RowClass::New, 0)
    };
    for format in ComparisonFormat::value_variants() {
        for report in [&sample::report(), &sample::hostile(), &one_side] {
            let text = written(report, *format);
            assert!(text.ends_with('\n'), "{format:?}");
        }
    }
}

/// A log is searched by line; a terminal has lines of its width.
#[test]
fn notes_and_the_result_fit_into_the_terminal() {
    let report = ComparisonReport {
        notes: vec!["a note of many words, ".repeat(8)],
        ..sample::report()
    };
    let last_lines = |width| {
        let mut out = Vec::new();
        let writer = ComparisonWriter {
            styles: Styles {
                width,
                ..Styles::default()
            },
            ..ComparisonWriter::default()
        };
        let format = ComparisonFormat::Text;
        writer.write(&report, format, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        text[text.find("note: ").unwrap()..].to_owned()
    };
    let note = |text: &str| text.lines().next().unwrap().chars().count();
    assert!(note(&last_lines(None)) > 160);
    let narrow = last_lines(Some(80));
    assert!((60..=80).contains(&note(&narrow)), "{narrow}");
    let result = narrow.lines().find(|line| line.contains(" result: "));
    assert!(result.unwrap().chars().count() <= 80, "{narrow}");
}

/// As a run says it.
#[test]
fn without_limits_a_change_for_the_worse_has_its_causes_and_is_not_ok() {
    let mut report = sample::report();
    report.limits.clear();
    report.outcome = ComparisonOutcome::Ok;
    for row in &mut report.rows {
        if row.class == RowClass::Regressed {
            row.class = RowClass::Changed;
        }
    }
    let text = written(&report, ComparisonFormat::Text);
    assert!(text.contains("\nChanged ("), "{text}");
    assert!(
        text.contains("  Why  Instructions +1,382 (+9.21%)"),
        "{text}"
    );
    assert!(text.contains("result: Changed. "), "{text}");
    report.rows.retain(|row| row.class != RowClass::Changed);
    let text = written(&report, ComparisonFormat::Text);
    assert!(text.contains("result: Ok. "), "{text}");
}

/// A page or a test report may be printed in a job as well.
#[test]
fn in_a_job_no_format_has_a_command_of_others() {
    let is_command = |line: &&str| line.trim_start().starts_with("::") || line.contains("##[");
    let writer = ComparisonWriter {
        styles: Styles {
            is_log_of_github: true,
            ..Styles::default()
        },
        ..ComparisonWriter::default()
    };
    let formats = ComparisonFormat::value_variants().iter();
    for format in formats.filter(|format| **format != ComparisonFormat::Github) {
        let mut out = Vec::new();
        writer.write(&sample::hostile(), *format, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let commands: Vec<&str> = text.lines().filter(is_command).collect();
        assert!(commands.is_empty(), "{format:?}: {commands:#?}");
    }
}

/// Whatever is printed in a job of GitHub may be read as a command.
#[test]
fn no_line_is_a_command_of_others() {
    let is_command = |line: &&str| line.trim_start().starts_with("::") || line.contains("##[");
    let text = written(&sample::hostile(), ComparisonFormat::Github);
    let commands: Vec<&str> = text.lines().filter(is_command).collect();
    assert_eq!(commands.len(), 6, "{commands:#?}");
    let is_ours = |line: &&str| line.starts_with("::error ") || line.starts_with("::warning ");
    assert!(commands.iter().all(is_ours), "{commands:#?}");
    assert!(text.starts_with("old "), "{text}");
}

/// The places of all numbers of a value.
fn numbers(value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::Number(_) => found.push(place.to_owned()),
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                numbers(value, &format!("{place}/{index}"), found);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                numbers(value, &format!("{place}/{name}"), found);
            }
        }
        _ => {}
    }
}

/// A record is data of a stranger: whatever number is in a field, it is refused, or each format is
/// what its readers can read.
#[test]
fn any_number_is_refused_or_written_in_every_format() {
    let side = |text: &str| {
        let mut reader = RecordReader::default();
        let name = "x.jsonl".to_owned();
        reader.read(RecordInput { name }, text.as_bytes()).ok()?;
        Some(ResultSide::of(reader.finish(), &SideOptions::default()))
    };
    let mut places = Vec::new();
    let text = records::sample::run(|_| {});
    let records: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    numbers(&Value::Array(records), "", &mut places);
    assert!(places.len() > 20, "{places:?}");
    let known = side(&text).unwrap();
    let ends = [
        json!(u64::MAX),
        json!(i64::MIN),
        json!((1_u64 << 53) + 1),
        json!(-1),
        json!(0),
        json!(1e308),
        json!(-1e308),
        json!(1e20),
        json!(1e-320),
    ];
    let mut compared = 0;
    for place in &places {
        for number in &ends {
            let text = records::sample::run(|all| {
                *all.pointer_mut(place).unwrap() = number.clone();
            });
            let Some(other) = side(&text) else { continue };
            let options = ComparisonOptions::default();
            for (old, new) in [(&known, &other), (&other, &known)] {
                let report = compare_sides(Some(old), new, &options, &NothingAgreed);
                for format in ComparisonFormat::value_variants() {
                    let text = written(&report, *format);
                    assert!(text.ends_with('\n'), "{place} {number} {format:?}");
                    if matches!(
                        format,
                        ComparisonFormat::Json
                            | ComparisonFormat::Gitlab
                            | ComparisonFormat::Bmf
                            | ComparisonFormat::GithubActionBenchmark
                    ) {
                        let read = serde_json::from_str::<Value>(&text);
                        assert!(read.is_ok(), "{place} {number} {format:?}: {text}");
                    }
                }
                compared += 1;
            }
        }
    }
    assert!(compared > places.len(), "{compared}");
}
