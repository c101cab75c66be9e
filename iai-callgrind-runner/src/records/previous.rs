//! The old side of the last run: the results that it was compared with, as its own records tell them.
//!
//! The records of the run before are replaced by those of the last one, which have its figures beside their own. They
//! say nothing of its circumstances and its source, so these count as equal; where they differed, the notes of the run
//! said so.

use std::io::Cursor;
use std::num::NonZero;
use std::thread;

use serde_json::{Map, Value};

use super::benchmark::RecordedBenchmark;
use super::reader::{RecordError, RecordReader};
use super::set::RecordInput;
use super::side::ResultSide;
use crate::store::{FileName, Slot};

/// Name of the results of the run before the last one, which no argument names.
pub const PREVIOUS: &str = "the run before";

/// The results that those of a side were compared with, by the texts of its records. Benchmarks that were not compared
/// have none.
///
/// # Errors
///
/// None is known: the records were read before.
pub fn previous_side(new: &ResultSide) -> Result<ResultSide, RecordError> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let part = new.benchmarks.len().div_ceil(threads).max(1);
    // Each record is read once more, which takes as long as all else on many of them.
    let parts: Vec<Result<_, _>> = thread::scope(|scope| {
        let parts = new.benchmarks.chunks(part);
        let threads: Vec<_> = parts
            .map(|part| scope.spawn(move || previous_benchmarks(part, &new.inputs)))
            .collect();
        let ended = threads.into_iter().map(|thread| {
            let ended = thread.join();
            ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        ended.collect()
    });
    let mut benchmarks = Vec::with_capacity(new.benchmarks.len());
    let mut slots: Vec<Slot> = Vec::new();
    for part in parts {
        for (slot, benchmark) in part? {
            if !slots.contains(&slot) {
                slots.push(slot);
            }
            benchmarks.push(benchmark);
        }
    }
    let name = |slot: &Slot| match slot {
        Slot::Last => PREVIOUS.to_owned(),
        Slot::Named(baseline) => format!("@{baseline}"),
    };
    Ok(ResultSide {
        arguments: slots.iter().map(name).collect(),
        benchmarks,
        inputs: new.inputs.clone(),
        ..ResultSide::default()
    })
}

/// The results that some benchmarks were compared with, and their slots.
fn previous_benchmarks(
    benchmarks: &[RecordedBenchmark],
    inputs: &[RecordInput],
) -> Result<Vec<(Slot, RecordedBenchmark)>, RecordError> {
    let mut found = Vec::with_capacity(benchmarks.len());
    for benchmark in benchmarks {
        let text = benchmark.text.as_deref().unwrap_or_default();
        let Some((previous, slot)) = previous_record(text) else {
            continue;
        };
        let mut reader = RecordReader::default();
        let input = inputs.get(benchmark.read_from as usize);
        let input = input.cloned().unwrap_or(RecordInput {
            name: PREVIOUS.to_owned(),
        });
        reader.read(input, Cursor::new(previous.to_string()))?;
        let read = reader.finish().benchmarks.into_iter();
        found.extend(read.map(|previous| {
            let previous = RecordedBenchmark {
                // The directory of its files is found by the text that the record was in.
                read_from: benchmark.read_from,
                ..previous
            };
            (slot.clone(), previous)
        }));
    }
    Ok(found)
}

/// The record of the other result, and its slot. `None`: there was none.
fn previous_record(text: &str) -> Option<(Value, Slot)> {
    let mut record: Value = serde_json::from_str(text).ok()?;
    let slot = match record["baselines"]["old"].as_str() {
        Some(baseline) => Slot::Named(baseline.to_owned()),
        None => Slot::Last,
    };
    let profiles = record["profiles"].as_array_mut()?;
    let is_by_chance = profiles
        .iter()
        .any(|profile| profile["by_chance"] == Value::Bool(true));
    profiles.retain_mut(|profile| match profile.as_object_mut() {
        Some(profile) => {
            // Of the new result, which was of the same code only if the run found that.
            let environment = profile
                .get_mut("environment")
                .and_then(Value::as_object_mut);
            if let Some(environment) = environment.filter(|_| !is_by_chance) {
                environment.remove("code");
                environment.remove("fingerprint");
            }
            previous_profile(profile, &slot)
        }
        None => false,
    });
    if profiles.is_empty() {
        return None;
    }
    record["failures"] = Value::Array(Vec::new());
    let source = record["source"].take();
    if is_by_chance {
        // The run found that both were of the same executable.
        record["source"] = serde_json::json!({"code": source["code"]});
    } else {
        record["source"] = Value::Object(Map::new());
    }
    Some((record, slot))
}

/// Puts the old values in place of the new ones. Is there any?
fn previous_profile(profile: &mut Map<String, Value>, slot: &Slot) -> bool {
    let metrics = profile.get_mut("metrics").and_then(Value::as_array_mut);
    let Some(metrics) = metrics else { return false };
    for metric in metrics.iter_mut().filter_map(Value::as_object_mut) {
        for (old, new) in [("old", "new"), ("old_samples", "new_samples")] {
            let value = metric.remove(old).unwrap_or_default();
            metric.insert(new.to_owned(), value);
        }
    }
    metrics.retain(|metric| !metric["new"].is_null());
    let is_there = !metrics.is_empty();
    // Those of the new result.
    for part in ["objects", "functions", "events", "explanation", "limits"] {
        profile.remove(part);
    }
    if let Some(Value::String(digest)) = profile.get_mut("digest") {
        *digest = match slot {
            Slot::Last => FileName::old(digest),
            named => named.file(digest),
        };
    }
    is_there
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn record(old: &Value, baseline: &Value, by_chance: bool) -> Value {
        json!({
            "baselines": {"old": baseline},
            "source": {"commit": "1234567", "code": "abc"},
            "failures": [{"tool": "dhat"}],
            "profiles": [{
                "tool": "callgrind", "by_chance": by_chance, "digest": "callgrind.f.digest", "objects": [1],
                "environment": {"code": "2e", "fingerprint": "1f"},
                "metrics": [
                    {"kind": "Ir", "new": 7, "old": old},
                    {"kind": "Dr", "new": 3, "old": null},
                ],
            }],
        })
    }

    #[test]
    fn old_values_are_those_of_the_record() {
        let previous = |old: Value, baseline: Value| {
            previous_record(&record(&old, &baseline, false).to_string()).map(|found| found.0)
        };
        let found = previous(json!(5), Value::Null).unwrap();
        let profile = &found["profiles"][0];
        assert_eq!(
            profile["metrics"],
            json!([{"kind": "Ir", "new": 5, "new_samples": null}])
        );
        assert_eq!(profile["digest"], "callgrind.f.digest.old");
        assert_eq!(profile["objects"], Value::Null);
        assert_eq!(profile["environment"], json!({}));
        assert_eq!(
            (&found["failures"], &found["source"]),
            (&json!([]), &json!({}))
        );
        let found = previous(json!(5), json!("main")).unwrap();
        let digest = &found["profiles"][0]["digest"];
        assert_eq!(*digest, "callgrind.f.digest.base@main");
        assert_eq!(previous(Value::Null, Value::Null), None);
        assert_eq!(previous_record("{}"), None);
        assert_eq!(previous_record("damaged"), None);
    }

    #[test]
    fn changes_by_chance_are_of_the_same_executable() {
        let found = record(&json!(5), &Value::Null, true).to_string();
        let previous = previous_record(&found).unwrap().0;
        assert_eq!(previous["source"], json!({"code": "abc"}));
        let environment = &previous["profiles"][0]["environment"];
        assert_eq!(*environment, json!({"code": "2e", "fingerprint": "1f"}));
    }
}
