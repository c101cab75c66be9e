//! All counts of a text with records, by benchmark, tool and metric.

use std::collections::BTreeMap;

use anyhow::{ensure, Context, Result};
use serde_json::Value;

/// Counts by `path tool metric`.
pub(super) type Counts = BTreeMap<String, String>;

/// Reads the counts of all records of benchmarks.
pub(super) fn read(text: &str) -> Result<Counts> {
    let mut counts = Counts::new();
    for line in text.lines().filter(|line| line.starts_with('{')) {
        let record: Value = serde_json::from_str(line).context("a line is no record")?;
        let path = record["benchmark"]["path"].as_str().unwrap_or_default();
        for profile in list(&record["profiles"]) {
            for metric in list(&profile["metrics"]) {
                let names = [&profile["tool"], &metric["kind"]]
                    .map(|name| name.as_str().unwrap_or_default());
                let key = format!("{path} {}", names.join(" "));
                let old = counts.insert(key.clone(), metric["new"].to_string());
                ensure!(old.is_none(), "`{key}` is there twice");
            }
        }
    }
    Ok(counts)
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Fails unless both are the same.
pub(super) fn compare(whole: &Counts, merged: &Counts) -> Result<()> {
    for (key, count) in whole {
        let found = merged
            .get(key)
            .with_context(|| format!("`{key}` is missing"))?;
        ensure!(found == count, "`{key}` is {found} instead of {count}");
    }
    let other = merged.keys().find(|key| !whole.contains_key(*key));
    ensure!(
        other.is_none(),
        "`{}` is not in the whole run",
        other.map_or("", |key| key)
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORDS: &str = r#"
{"type":"benchmark","benchmark":{"path":"a::b"},"profiles":[{"tool":"callgrind","metrics":[{"kind":"Ir","new":7}]}]}
{"type":"run"}
"#;

    #[test]
    fn counts_are_compared_one_by_one() {
        let counts = read(RECORDS).unwrap();
        assert_eq!(counts["a::b callgrind Ir"], "7");
        assert!(compare(&counts, &counts).is_ok());
        let other = read(&RECORDS.replace('7', "8")).unwrap();
        assert!(compare(&counts, &other).is_err());
        assert!(compare(&counts, &Counts::new()).is_err());
        assert!(compare(&Counts::new(), &counts).is_err());
        assert!(read(&RECORDS.repeat(2)).is_err());
    }
}
