//! The types of the JSON output: what later judges of a result need beside its figures.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use iai_callgrind::protocol::Limit;

use super::Number;
use crate::metrics::MetricKind;

/// A limit of a metric, whether it was exceeded or not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RecordedLimit {
    /// The largest change.
    Soft {
        /// The metric's name in the configuration.
        kind: String,
        /// The limit in percent, with the sign of the changes that it forbids.
        limit: f64,
    },
    /// The largest value.
    Hard {
        /// The metric's name in the configuration.
        kind: String,
        /// The limit.
        limit: Number,
    },
    /// A kind of limit that later versions may add.
    #[serde(other)]
    Other,
}

impl RecordedLimit {
    /// Soft and hard limits, in this order.
    pub(crate) fn all(soft: &[(MetricKind, f64)], hard: &[(MetricKind, Limit)]) -> Vec<Self> {
        let soft = soft.iter().map(|(kind, limit)| Self::Soft {
            kind: kind.name().to_owned(),
            limit: *limit,
        });
        let hard = hard.iter().map(|(kind, limit)| Self::Hard {
            kind: kind.name().to_owned(),
            limit: match *limit {
                Limit::Int(limit) => Number::Count(limit),
                Limit::Float(limit) => Number::Rate(limit),
            },
        });
        soft.chain(hard).collect()
    }
}

/// Costs of the instructions of one executable or library.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ObjectCosts {
    /// The name of the file, without its directory and cargo's hash: `libc.so.6`.
    pub name: String,
    /// Is it code of the project: the benchmark executable, or a library below the workspace or the target
    /// directory?
    pub own: bool,
    /// The counters of the tool by name: `"Ir": 12904`.
    #[serde(flatten, deserialize_with = "counts")]
    pub counts: BTreeMap<String, u64>,
}

/// The fields that are counts. Others are those of later versions.
fn counts<'de, D: Deserializer<'de>>(fields: D) -> Result<BTreeMap<String, u64>, D::Error> {
    let fields = BTreeMap::<String, Value>::deserialize(fields)?;
    let fields = fields.into_iter();
    let counts = fields.filter_map(|(name, value)| Some((name, value.as_u64()?)));
    Ok(counts.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_flat_and_other_fields_are_passed_over() {
        let object = ObjectCosts {
            name: "libc.so.6".to_owned(),
            own: false,
            counts: BTreeMap::from([("Ir".to_owned(), 2101)]),
        };
        let json = serde_json::to_string(&object).unwrap();
        assert_eq!(json, r#"{"name":"libc.so.6","own":false,"Ir":2101}"#);
        let newer = json.replacen('{', r#"{"path":"/lib/libc.so.6","share":0.5,"#, 1);
        assert_eq!(serde_json::from_str::<ObjectCosts>(&newer).unwrap(), object);
    }

    #[test]
    fn limits_name_their_metric() {
        #[track_caller]
        fn check(json: &str, expected: RecordedLimit) {
            let limit: RecordedLimit = serde_json::from_str(json).unwrap();
            assert_eq!(limit, expected);
        }
        let kind = || "Ir".to_owned();
        check(
            r#"{"type":"soft","kind":"Ir","limit":5.0}"#,
            RecordedLimit::Soft {
                kind: kind(),
                limit: 5.0,
            },
        );
        check(
            r#"{"kind":"Ir","type":"hard","limit":4096}"#,
            RecordedLimit::Hard {
                kind: kind(),
                limit: Number::Count(4096),
            },
        );
        check(r#"{"type":"of later","kind":"Ir"}"#, RecordedLimit::Other);
    }
}
