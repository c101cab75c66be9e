//! Reads the JSON output of runs, and `summary.json`.

use std::str::FromStr;

use serde_json::Value;
use thiserror::Error;

use super::{Record, VERSION};

/// Reason why a text is no record.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The text is no JSON, or has not the shape of its version.
    #[error("cannot read the result of a benchmark")]
    Format(#[from] serde_json::Error),
    /// The text is damaged: it is not UTF-8.
    #[error("the record is damaged: it has bytes that are no UTF-8")]
    NoText,
    /// The JSON has no number `version`: it is of something else.
    #[error("this is no result of iai-callgrind: it has no number `version`")]
    NoVersion,
    /// The record has another version of the format.
    #[error(
        "the result has version {found} of the format, but this is a reader of version {VERSION}\n  \
         hint: use the version of iai-callgrind-runner that wrote it"
    )]
    Version {
        /// The version of the format.
        found: u64,
    },
}

/// The records of a text, whatever is between them: the JSON output of one or several runs, compact or
/// pretty, or the content of `summary.json`. Types of records that later versions may add are passed
/// over.
///
/// ```
/// use iai_callgrind_records::summary::{self, Record, Status};
///
/// # let text = r#"{"type":"benchmark","version":1,"status":"ok",
/// #   "benchmark":{"path":"my_bench::group::sort","kind":"library","package":"my-crate",
/// #     "file":"my_bench","group":"group","function":"sort"},
/// #   "baselines":{},"started_at":"2026-01-31T12:00:00.000Z","duration_ns":1,"failures":[],
/// #   "comparisons":[],"directory":"my-crate/my_bench/group/sort",
/// #   "profiles":[{"tool":"callgrind","mode":"fork","parts":[],"regressions":[],"errors":[],
/// #     "notes":[],"out_files":[],"log_files":[],
/// #     "environment":{"valgrind_args":[],"caches":[]},
/// #     "metrics":[{"kind":"Ir","label":"Instructions","shown":true,"new":1365}]}],
/// #   "files":{"workspace":"/w","package_dir":"/w","bench_file":"/w/b.rs","executable":"/w/e",
/// #     "home":"/w/target/iai"},
/// #   "system":{"runner":"0.17.0","cpu_features":[]}}"#;
/// // text: what `cargo bench -- --output-format=json` printed
/// for record in summary::read(text) {
///     match record? {
///         Record::Benchmark(summary) => {
///             assert_eq!(summary.status, Status::Ok);
///             let profile = &summary.profiles[0];
///             let instructions = profile.metrics.iter().find(|metric| metric.kind == "Ir");
///             let count = instructions.and_then(|metric| metric.new).map(|new| new.as_f64());
///             assert_eq!(count, Some(1365.0));
///         }
///         Record::Run(run) => println!("{} benchmarks failed", run.counts.failed),
///     }
/// }
/// # Ok::<(), summary::ReadError>(())
/// ```
///
/// # Errors
///
/// An item for each object that is no record of this version; after text that is no JSON the
/// iterator ends.
pub fn read(text: &str) -> impl Iterator<Item = Result<Record, ReadError>> + use<'_> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let mut ended = false;
    std::iter::from_fn(move || loop {
        let value = match values.next() {
            Some(Ok(value)) if !ended => value,
            // The deserializer would give the same error for ever.
            Some(Err(error)) if !ended => {
                ended = true;
                return Some(Err(error.into()));
            }
            _ => return None,
        };
        if let Some(record) = record(value).transpose() {
            return Some(record);
        }
    })
}

/// One record, such as the content of `summary.json`.
impl FromStr for Record {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        match record(serde_json::from_str(text)?)? {
            Some(record) => Ok(record),
            None => {
                let error = serde::de::Error::custom("a record of an unknown type");
                Err(ReadError::Format(error))
            }
        }
    }
}

/// `None`: the record has an unknown type. The version is checked before anything else.
fn record(value: Value) -> Result<Option<Record>, ReadError> {
    match value["version"].as_u64() {
        None => Err(ReadError::NoVersion),
        Some(found) if found != u64::from(VERSION) => Err(ReadError::Version { found }),
        // An object without a type goes on, so that serde names the missing field.
        Some(_) => match value["type"].as_str() {
            Some(kind) if kind != "benchmark" && kind != "run" => Ok(None),
            _ => Ok(Some(serde_json::from_value(value)?)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_record_says_so() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            let error = text.parse::<Record>().unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        check("", "cannot read the result of a benchmark");
        check("{", "cannot read the result of a benchmark");
        check("[]", "has no number `version`");
        check("{}", "has no number `version`");
        check(r#"{"version":"6"}"#, "has no number `version`");
        check(
            r#"{"version":2,"type":"benchmark"}"#,
            "has version 2 of the format, but this is a reader of version 1\n  hint:",
        );
        check(r#"{"version":1}"#, "cannot read");
        check(r#"{"version":1,"type":"benchmark"}"#, "cannot read");
        check(r#"{"version":1,"type":"new"}"#, "cannot read");
    }

    #[test]
    fn unknown_types_are_passed_over_and_damage_ends_the_text() {
        let all = |text| read(text).map(|record| record.is_ok()).collect::<Vec<_>>();
        assert!(all("").is_empty());
        assert!(all("\n\n").is_empty());
        assert!(all(r#"{"version":1,"type":"new","x":[1]}"#).is_empty());
        assert_eq!(all(r#"{"version":2} {"version":3}"#), [false, false]);
        assert_eq!(all(r#"{"version":2} oops {"version":3}"#), [false, false]);
    }
}
