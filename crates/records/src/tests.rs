//! Texts to records.

use serde_json::json;

use super::sample::{benchmark, set};
use super::text::RecordText;
use super::*;
use crate::summary::ReadError;

#[test]
fn pretty_records_are_read_as_well_and_kept_on_one_line() {
    let pretty = serde_json::to_string_pretty(&benchmark("a", 1)).unwrap();
    let set = set(&[&pretty]);
    let text = set.benchmarks[0].text.as_deref().unwrap();
    assert_eq!(text, benchmark("a", 1).to_string());
}

#[test]
fn other_versions_and_damaged_records_are_errors_and_other_objects_are_not() {
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut reader = RecordReader::default();
        let input = RecordInput {
            name: "x".to_owned(),
        };
        let error = reader.read(input, text.as_bytes()).unwrap_err();
        let error = base::causes::with_causes(&error);
        assert!(error.contains(expected), "{error}");
    }
    check(
        r#"{"type":"benchmark","version":2}"#,
        "line 1 of `x`\ncaused by: the result has version 2",
    );
    check(
        "\n{\"type\":\"run\",\"version\":1}",
        "cannot read line 2 of `x`",
    );
    let good = r#"{"type":"benchmark","version":1,"a":2"#;
    for (damaged, reason) in [
        (format!("{good},}}"), "trailing comma"),
        (format!("{good} \"b\":3}}"), "expected `,`"),
        (format!("{good},\"b\":NaN}}"), "expected value"),
        (
            format!("{good},\"version\":1}}"),
            "duplicate field `version`",
        ),
        (good.replace(":1", ":-1") + "}", "no number `version`"),
        (good.replace(":1", ":\"1\"") + "}", "no number `version`"),
        (r#"{"type":"run"}"#.to_owned(), "no number `version`"),
        (
            "{\n  \"type\": \"run\",\n  oops\n}".to_owned(),
            "key must be a string",
        ),
    ] {
        check(&damaged, reason);
    }
    for foreign in [
        r#"{"version":"6","x":1}"#,
        r#"{"type":"runner"}"#,
        r#"{"type":"runner",oops}"#,
        r#"{"type":"ru"}"#,
        r#"{"type":["run"],"version":1}"#,
        r#"{oops}"#,
        r#"{"type":"of later","version":1}"#,
        r#"{"type":"of later","version":3}"#,
        r#"{"reason":"compiler-artifact","version":1}"#,
    ] {
        assert!(set(&[foreign]).is_empty(), "{foreign}");
    }
}

#[test]
fn a_damaged_part_is_an_error_where_it_is_needed() {
    let mut damaged = benchmark("a", 100);
    damaged["system"] = json!(3);
    let text = damaged.to_string();
    let record = RecordText::of(&text).unwrap();
    assert_eq!(record.baseline().unwrap(), None);
    assert_eq!(record.name().unwrap().path, "app::g::a");
    assert_eq!(record.profiles().unwrap()[0].tool, "callgrind");
    let input = RecordInput {
        name: "x".to_owned(),
    };
    let error = RecordReader::default()
        .read(input, format!("\n{text}\n").as_bytes())
        .unwrap_err();
    // The place is that in the record, and not that in its part.
    let column = text.find("\"system\":3").unwrap() + "\"system\":3".len();
    let expected = format!(
        "cannot read line 2 of `x`\ncaused by: cannot read the result of a benchmark\ncaused by: invalid type: \
         integer `3`, expected struct System at line 1 column {column}"
    );
    assert_eq!(base::causes::with_causes(&error), expected);
    damaged["version"] = json!(2);
    let later = damaged.to_string();
    let error = RecordText::of(&later).unwrap_err();
    assert!(matches!(error, ReadError::Version { found: 2 }), "{error}");
}

/// Left out, it would be judged as if there was no limit.
#[test]
fn a_limit_that_this_version_does_not_know_is_an_error() {
    for (field, value, expected) in [
        ("type", "median", "does not know"),
        ("kind", "IrX", "a limit is on `IrX`"),
    ] {
        let mut later = benchmark("a", 100);
        later["profiles"][0]["limits"][0][field] = json!(value);
        let text = later.to_string();
        let input = RecordInput {
            name: "x".to_owned(),
        };
        let error = RecordReader::default().read(input, text.as_bytes());
        let reason = base::causes::with_causes(&error.unwrap_err());
        assert!(reason.contains(expected), "{reason}");
    }
}

#[test]
fn bytes_that_are_no_text_are_an_error_in_a_record_only() {
    let read = |bytes: &[u8]| {
        let mut reader = RecordReader::default();
        let name = "x".to_owned();
        let read = reader.read(RecordInput { name }, bytes);
        read.map_err(|error| base::causes::with_causes(&error))
    };
    let error = read(b"\n{\"type\":\"benchmark\",\"kind\":\"libr\xffry\"}\n").unwrap_err();
    assert_eq!(
        error,
        "cannot read line 2 of `x`\ncaused by: the record is damaged: it has bytes that are no UTF-8"
    );
    read(b"{ \"type\": \"run\",\n\"\xff\": 1}").unwrap_err();
    assert_eq!(read(b"\xff\n{\"type\":\"\xff\"}\n{\"a\":\"\xff\n"), Ok(()));
}
