//! The types of the JSON output: wall time of a benchmark.

use serde::{Deserialize, Serialize};

use super::RecordedThroughput;

use time::{PairedTimes, TimeBasis, TimeClass, TimeJudgement, LEVEL};

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
    /// Pairs of samples in each start.
    pub pairs: u64,
    /// Calls of a sample.
    pub calls: u32,
    /// Share of the samples during which the benchmark lost its processor, from 0 to 1.
    pub preempted: f64,
    /// Share of the processors' time that other virtual machines took, from 0 to 1.
    pub steal: f64,
    /// What the difference means.
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
            ratio: change.map(|change| 1.0 + change.estimate),
            ratio_low: change.map(|change| 1.0 + change.low),
            ratio_high: change.map(|change| 1.0 + change.high),
            level: LEVEL,
            starts: times.map_or(0, |times| times.starts as u64),
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
