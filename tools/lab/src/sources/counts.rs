//! Reads the counts of a run out of its records.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde_json::Value;

/// Counts of each benchmark by its path.
pub(super) type Counts = BTreeMap<String, Counted>;

/// The counts of a benchmark by event, or the reason why there are none.
pub(super) type Counted = std::result::Result<BTreeMap<String, u64>, String>;

/// The event that is compared first.
pub(super) const INSTRUCTIONS: &str = "Ir";

/// The counts in the output of the runner.
pub(super) fn read(output: &str) -> Result<Counts> {
    let mut counts = Counts::new();
    for line in output.lines() {
        let record: Value = serde_json::from_str(line)
            .with_context(|| format!("the runner wrote what is no JSON: `{line}`"))?;
        if record["type"] != "benchmark" {
            continue;
        }
        let path = record["benchmark"]["path"].as_str();
        let path = path.context("a record without a path")?;
        let counted = counted(&record).with_context(|| format!("the record of `{path}`"))?;
        counts.insert(path.to_owned(), counted);
    }
    Ok(counts)
}

fn counted(record: &Value) -> Result<Counted> {
    if let Some(failure) = record["failures"].get(0) {
        let output = failure["output"].as_str().unwrap_or_default();
        let reason = output.lines().find_map(|line| line.strip_prefix("error: "));
        let reason = reason.or(failure["message"].as_str());
        return Ok(Err(reason
            .context("a failure without a reason")?
            .to_owned()));
    }
    let metrics = record["profiles"][0]["metrics"].as_array();
    let metrics = metrics.context("no metrics")?.iter();
    let events: BTreeMap<String, u64> = metrics
        .filter_map(|metric| Some((metric["kind"].as_str()?.to_owned(), metric["new"].as_u64()?)))
        .collect();
    anyhow::ensure!(events.contains_key(INSTRUCTIONS), "no instructions");
    Ok(Ok(events))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_reasons_are_read() {
        let output = r#"{"type":"benchmark","benchmark":{"path":"b::g::f"},"profiles":[{"metrics":[{"kind":"Ir","new":7},{"kind":"x","new":0.5}]}]}
{"type":"benchmark","benchmark":{"path":"b::g::h"},"failures":[{"message":"ended","output":"x\nerror: no routine\n"}]}
{"type":"benchmark","benchmark":{"path":"b::g::i"},"failures":[{"message":"ended","output":""}]}
{"type":"run"}"#;
        let counts = read(output).unwrap();
        assert_eq!(
            counts["b::g::f"],
            Ok(BTreeMap::from([("Ir".to_owned(), 7)]))
        );
        assert_eq!(counts["b::g::h"], Err("no routine".to_owned()));
        assert_eq!(counts["b::g::i"], Err("ended".to_owned()));
        let error =
            read(r#"{"type":"benchmark","benchmark":{"path":"b"},"profiles":[]}"#).unwrap_err();
        assert_eq!(format!("{error:#}"), "the record of `b`: no metrics");
    }
}
