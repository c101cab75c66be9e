//! The types of the JSON output: limits of a result.

use serde::{Deserialize, Serialize};

use iai_callgrind::protocol::Limit;

use super::Number;
use metrics::MetricKind;

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

impl From<Limit> for Number {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::Int(count) => Self::Count(count),
            Limit::Float(rate) => Self::Rate(rate),
        }
    }
}

impl From<Number> for Limit {
    fn from(number: Number) -> Self {
        match number {
            Number::Count(count) => Self::Int(count),
            Number::Rate(rate) => Self::Float(rate),
        }
    }
}

impl RecordedLimit {
    /// Soft and hard limits, in this order.
    pub fn all(soft: &[(MetricKind, f64)], hard: &[(MetricKind, Limit)]) -> Vec<Self> {
        let soft = soft.iter().map(|(kind, limit)| Self::Soft {
            kind: kind.name().to_owned(),
            limit: *limit,
        });
        let hard = hard.iter().map(|(kind, limit)| Self::Hard {
            kind: kind.name().to_owned(),
            limit: (*limit).into(),
        });
        soft.chain(hard).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
