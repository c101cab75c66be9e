//! Explanations in the JSON output of `cargo bench`.

use std::collections::HashMap;

use anyhow::{ensure, Context, Result};
use serde_json::Value;

/// The change of a benchmark, as it is explained.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ExplainedChange {
    pub(super) old: u64,
    pub(super) diff: i64,
    /// The function of the first row, and all of the row as the terminal has it.
    pub(super) first: Option<FirstRow>,
    /// Mistake in the sums, if there is one.
    pub(super) sums: Option<String>,
    pub(super) notes: Vec<String>,
}

/// The first row of an explanation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FirstRow {
    pub(super) function: String,
    pub(super) place: String,
    pub(super) text: String,
    pub(super) diff: i64,
}

impl ExplainedChange {
    /// Share of the first row in the whole change, in percent.
    pub(super) fn share(&self) -> f64 {
        let first = self.first.as_ref().map_or(0, |row| row.diff);
        match self.diff {
            0 => 0.0,
            diff => 100.0 * first as f64 / diff as f64,
        }
    }
}

/// The changes by the function of their benchmark.
pub(super) fn read(output: &str) -> Result<HashMap<String, ExplainedChange>> {
    let mut changes = HashMap::new();
    for line in output.lines() {
        let record: Value = serde_json::from_str(line)
            .with_context(|| format!("the runner wrote what is no JSON: `{line}`"))?;
        if record["type"] != "benchmark" {
            continue;
        }
        let function = record["benchmark"]["function"].as_str();
        let function = function.context("a record without a function")?;
        ensure!(record["status"] == "ok", "`{function}` failed: {record}");
        changes.insert(function.to_owned(), change(&record["profiles"][0]));
    }
    Ok(changes)
}

fn change(profile: &Value) -> ExplainedChange {
    let metrics = profile["metrics"].as_array();
    let mut metrics = metrics.into_iter().flatten();
    let counted = metrics.find(|metric| metric["kind"] == "Ir");
    let count = |side: &str| counted.and_then(|metric| metric[side].as_u64());
    let (new, old) = (
        count("new").unwrap_or(0),
        count("old").or(count("new")).unwrap_or(0),
    );
    let explanation = &profile["explanation"];
    let diff = new as i64 - old as i64;
    let notes = explanation["notes"].as_array().into_iter().flatten();
    ExplainedChange {
        old,
        diff,
        first: first(explanation),
        sums: wrong_sums(explanation, diff),
        notes: notes
            .filter_map(|note| note.as_str().map(str::to_owned))
            .collect(),
    }
}

fn first(explanation: &Value) -> Option<FirstRow> {
    let row = explanation["causes"].get(0)?;
    let text = |field: &str| row[field].as_str().unwrap_or_default().to_owned();
    let place = match (row["file"].as_str(), row["line"].as_u64()) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        (Some(file), None) => file.to_owned(),
        (None, _) => String::new(),
    };
    Some(FirstRow {
        function: text("function"),
        place,
        text: text("text"),
        diff: row["diff"].as_i64()?,
    })
}

/// Says which rows do not add up to the change.
fn wrong_sums(explanation: &Value, diff: i64) -> Option<String> {
    if explanation.is_null() {
        return None;
    }
    let basis = explanation["basis"].as_str().unwrap_or_default();
    let lists = match basis {
        "functions" => &["where", "origins"][..],
        _ => &["causes", "where", "origins"],
    };
    let wrong = lists.iter().find_map(|list| {
        let rows = explanation[*list].as_array().into_iter().flatten();
        let sum: i64 = rows.filter_map(|row| row["diff"].as_i64()).sum();
        (sum != diff).then(|| format!("`{list}` adds up to {sum} and not to {diff}"))
    });
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = r#"{"type":"benchmark","status":"ok","benchmark":{"function":"f"},"profiles":[{
        "metrics":[{"kind":"Ir","new":30,"old":10}],
        "explanation":{"basis":"instructions","notes":["n"],"where":[{"diff":20}],"origins":[{"diff":20}],
        "causes":[{"diff":15,"function":"lab::f","file":"src/lib.rs","line":3,"text":"own code"},{"rest":2,"diff":5}]}}]}"#;

    #[test]
    fn the_first_row_of_a_change_is_read() {
        let read = read(&RECORD.replace('\n', "")).unwrap();
        let change = &read["f"];
        let first = change.first.as_ref().unwrap();
        assert_eq!((change.old, change.diff, change.share()), (10, 20, 75.0));
        assert_eq!(
            (&*first.function, &*first.place, &*first.text),
            ("lab::f", "src/lib.rs:3", "own code")
        );
        assert_eq!(
            (&change.notes[..], &change.sums),
            (&["n".to_owned()][..], &None)
        );
    }

    #[test]
    fn sums_that_are_wrong_are_found() {
        for (from, to, list) in [
            (r#""rest":2,"diff":5"#, r#""rest":2,"diff":6"#, "causes"),
            (r#""where":[{"diff":20"#, r#""where":[{"diff":21"#, "where"),
        ] {
            let record = RECORD.replace('\n', "").replace(from, to);
            let sums = read(&record).unwrap()["f"].sums.clone().unwrap();
            assert!(sums.contains(list), "{sums}");
        }
        let failed = RECORD.replace('\n', "").replace("\"ok\"", "\"failed\"");
        read(&failed).unwrap_err();
    }
}
