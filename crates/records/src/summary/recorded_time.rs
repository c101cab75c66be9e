//! The types of the JSON output: wall time of a benchmark.

use std::fmt;

use serde::de::{Error, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::RecordedThroughput;

use time::{PairedTimes, TimeBasis, TimeClass, TimeJudgement, LEVEL, MOST_STARTS};

/// Wall time of a benchmark, measured in pairs with an old executable where there is one. Times of
/// different records must not be compared: only `ratio` is about the same moment and machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordedTime {
    /// Clock of all times.
    pub basis: TimeBasis,
    /// Shortest time of a call over all starts of the new executable, in nanoseconds; `null` if
    /// nothing was measured.
    pub min_ns: Option<f64>,
    /// Median time of a call over all starts of the new executable, in nanoseconds; `null` if
    /// nothing was measured.
    pub median_ns: Option<f64>,
    /// Shortest time of a call of the old executable, in the same run; `null` without one.
    pub old_min_ns: Option<f64>,
    /// Median time of a call of the old executable, in the same run; `null` without one.
    pub old_median_ns: Option<f64>,
    /// Estimate of new / old; `null` without old executable, or with fewer than 12 starts.
    pub ratio: Option<f64>,
    /// Lower bound of the confidence interval of `ratio`.
    pub ratio_low: Option<f64>,
    /// Upper bound of the confidence interval of `ratio`.
    pub ratio_high: Option<f64>,
    /// Confidence level of the interval.
    pub level: f64,
    /// Processes that were started of each executable.
    pub starts: u64,
    /// Ratio new / old of each start, in their order, with five significant digits: at most 512
    /// positive numbers. Absent without an old executable.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "start_ratios"
    )]
    pub start_ratios: Vec<f64>,
    /// Pairs of samples in each start.
    pub pairs: u64,
    /// Calls of a sample.
    pub calls: u32,
    /// Share of the samples during which the benchmark lost its processor, from 0 to 1.
    pub preempted: f64,
    /// Share of the processors' time that other virtual machines took, from 0 to 1.
    pub steal: f64,
    /// The meaning of the difference.
    pub class: TimeClass,
    /// Reason of the classes `not_judged` and `no_old`, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The limit of `--time-limits` in percent, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
    /// The limit of `--time-limits` in percent, if it is exceeded: the status is `regressed` then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exceeded_limit: Option<f64>,
    /// Amounts that a call handles, if they are configured. The old side is absent if the times are
    /// not those of the old result's executable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throughput: Option<RecordedThroughput>,
    /// Hashes of the new and of the old executable, by which copies are kept; `null`: none is kept.
    pub executables: [Option<String>; 2],
}

impl RecordedTime {
    /// Reason of the first run, which a row says in place of a change.
    pub const NEVER_KEPT: &'static str = "no old executable";

    /// Reason why an old executable is of no use: its benchmark of this name is another one. A row
    /// says it as well.
    pub const DIFFERENT_INPUT: &'static str = "different input";

    /// The record of a measurement, judged by a limit in percent. Without times nothing was
    /// measured.
    #[must_use]
    pub fn of(
        times: Option<&PairedTimes>,
        judgement: Option<TimeJudgement>,
        limit: Option<f64>,
        executables: [Option<String>; 2],
    ) -> Self {
        let change = judgement.and_then(|judgement| judgement.change);
        let old = times.and_then(|times| times.old);
        let exceeded = |limit: &f64| judgement.is_some_and(|judgement| judgement.exceeds(*limit));
        Self {
            basis: times.map_or(TimeBasis::Wall, |times| times.basis),
            min_ns: times.map(|times| times.new.min),
            median_ns: times.map(|times| times.new.median),
            old_min_ns: old.map(|old| old.min),
            old_median_ns: old.map(|old| old.median),
            // A change is a share such as 0.02, and the record has ratios.
            ratio: change.map(|change| 1.0 + change.estimate),
            ratio_low: change.map(|change| 1.0 + change.low),
            ratio_high: change.map(|change| 1.0 + change.high),
            level: LEVEL,
            starts: times.map_or(0, |times| times.starts as u64),
            start_ratios: times.map_or_else(Vec::new, |times| {
                let ratios = times.ratios.iter().map(|log| rounded(log.exp()));
                ratios.filter(is_ratio).collect()
            }),
            pairs: times.map_or(0, |times| times.pairs as u64),
            calls: times.map_or(0, |times| times.calls),
            preempted: times.map_or(0.0, |times| times.preempted),
            steal: times.map_or(0.0, |times| times.steal),
            class: judgement.map_or(TimeClass::NotJudged, |judgement| judgement.class),
            reason: None,
            limit,
            exceeded_limit: limit.filter(exceeded),
            throughput: None,
            executables,
        }
    }

    /// Is it proven that one executable is slower, and that this is no matter of code placement?
    #[must_use]
    pub fn is_proven(&self) -> bool {
        matches!(self.class, TimeClass::Slower | TimeClass::Faster)
    }

    /// The reason why a difference is not judged, if it is not.
    #[must_use]
    pub fn doubt(&self) -> Option<&str> {
        let is_open = matches!(self.class, TimeClass::NotJudged);
        self.reason.as_deref().filter(|_| is_open)
    }

    /// Was it measured against this executable? Copies are kept by their hash.
    #[must_use]
    pub fn is_against(&self, old: &Self) -> bool {
        let ([_, against], [of_old, _]) = (&self.executables, &old.executables);
        against.is_some() && against == of_old
    }
}

/// Five significant digits: a hundredth of a percent, which is far below the spread of starts.
fn rounded(ratio: f64) -> f64 {
    format!("{ratio:.4e}").parse().unwrap_or(ratio)
}

/// Is it the ratio of two times? A record of others may have any number.
fn is_ratio(ratio: &f64) -> bool {
    ratio.is_finite() && *ratio > 0.0
}

/// Reads the ratios of starts. The list ends at its bound, so that a record of a stranger takes no
/// more memory than one of ours.
fn start_ratios<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
    struct Ratios;
    impl<'de> Visitor<'de> for Ratios {
        type Value = Vec<f64>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "at most {MOST_STARTS} positive numbers")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Vec<f64>, A::Error> {
            let mut ratios = Vec::new();
            while let Some(ratio) = all.next_element::<f64>()? {
                if !is_ratio(&ratio) {
                    return Err(Error::invalid_value(Unexpected::Float(ratio), &self));
                }
                if ratios.len() == MOST_STARTS {
                    return Err(Error::invalid_length(MOST_STARTS + 1, &self));
                }
                ratios.push(ratio);
            }
            Ok(ratios)
        }
    }
    deserializer.deserialize_seq(Ratios)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use time::{SignInterval, TimedSubject, TimesOfSide};

    fn times(ratios: Vec<f64>) -> PairedTimes {
        let side = TimesOfSide {
            min: 100.0,
            median: 100.0,
        };
        PairedTimes {
            subject: TimedSubject::Call,
            basis: TimeBasis::Wall,
            new: side,
            old: Some(side),
            interval: SignInterval::of(&ratios),
            starts: ratios.len(),
            ratios,
            pairs: 12,
            calls: 1,
            preempted: 0.0,
            steal: 0.0,
            throttled: 0.0,
            changing: false,
            threads: false,
        }
    }

    fn record(ratios: Vec<f64>) -> RecordedTime {
        RecordedTime::of(Some(&times(ratios)), None, None, [None, None])
    }

    #[test]
    fn ratios_of_starts_are_short_and_in_their_order() {
        // A time of 0 has no logarithm that is a number.
        let logs = vec![
            1.012_345_6_f64.ln(),
            0.98_f64.ln(),
            f64::NEG_INFINITY,
            f64::NAN,
        ];
        let text = serde_json::to_string(&record(logs)).unwrap();
        assert!(text.contains(r#""start_ratios":[1.0123,0.98],"#), "{text}");
        let read: RecordedTime = serde_json::from_str(&text).unwrap();
        assert_eq!(read.start_ratios, [1.0123, 0.98]);
    }

    #[test]
    fn records_without_ratios_of_starts_are_read_and_written_as_before() {
        let record = record(Vec::new());
        let value = serde_json::to_value(&record).unwrap();
        assert_eq!(value.get("start_ratios"), None);
        assert_eq!(
            serde_json::from_value::<RecordedTime>(value).unwrap(),
            record
        );
    }

    #[test]
    fn ratios_of_strangers_are_bounded() {
        let read = |ratios: serde_json::Value| {
            let mut value = serde_json::to_value(record(Vec::new())).unwrap();
            value["start_ratios"] = ratios;
            serde_json::from_str::<RecordedTime>(&value.to_string())
        };
        assert_eq!(read(json!(vec![1.5; 512])).unwrap().start_ratios.len(), 512);
        for (ratios, expected) in [
            (
                json!(vec![1.5; 513]),
                "invalid length 513, expected at most 512 positive numbers",
            ),
            (
                json!([1.0, 0.0]),
                "invalid value: floating point `0.0`, expected at most 512",
            ),
            (json!([-1.0]), "invalid value: floating point `-1.0`"),
            (json!([null]), "invalid type: null"),
            (json!("1"), "expected at most 512 positive numbers"),
        ] {
            let error = read(ratios).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
