//! The settings of Linux perf.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::json::described;
use super::over::set;
use super::tool::General;
use super::{Limit, Limits, Over, Unit};

described! {
    /// Settings of perf at one level.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Perf {
        /// Run the tool; `true` if nothing is said.
        pub enable: Option<bool>,
        /// Arguments for `perf stat`, in the order in which they were given.
        pub args: Vec<String>,
        /// Lists of events, each for a run of its own; [`Perf::EVENTS`] if nothing is said.
        pub event_sets: Option<Vec<String>>,
        /// Treatment of the cost of the measurement itself.
        pub run_mode: Option<PerfRunMode>,
        /// Repeat the benchmark for this time; zero: run it once.
        pub sample_duration: Option<Duration>,
        /// The level of significance; [`Perf::ALPHA`] if nothing is said.
        pub alpha: Option<f64>,
        /// Limits of metrics.
        pub limits: PerfLimits,
        /// Patterns of events that cannot be 0; [`Perf::NON_ZERO`] if nothing is said.
        pub non_zero_metrics: Option<Vec<String>>,
        /// The least share of the time that a counter has to run, in percent; [`Perf::MIN_RUNNING`]
        /// if nothing is said.
        pub min_pcnt_running: Option<f64>,
        /// Run `perf record` as well.
        pub record: Option<bool>,
        /// Arguments for `perf record`.
        pub record_args: Vec<String>,
        /// Count only between `perf_enable!` and `perf_disable!`.
        pub disable_entry_point: Option<bool>,
        /// Stop the run at the first exceeded limit.
        pub fail_fast: Option<bool>,
    }
}

impl Perf {
    /// Events of a benchmark with no event set in any configuration.
    pub const EVENTS: &'static str = "instructions:u,cycles:u,task-clock,cpu-clock,faults,\
        context-switches,branch-misses,cache-misses";

    /// Default level of significance.
    pub const ALPHA: f64 = 0.05;

    /// Patterns of events that cannot be 0 for a benchmark that ran.
    pub const NON_ZERO: [&'static str; 3] = ["task-clock*", "cpu-clock*", "*instructions*"];

    /// Counters that did not run all the time are estimates.
    pub const MIN_RUNNING: f64 = 100.0;

    pub(super) fn general(&self) -> General<'_> {
        General {
            enable: self.enable,
            args: &self.args,
            fail_fast: self.fail_fast,
        }
    }
}

impl Over for Perf {
    #[inline]
    fn over(self, below: Self) -> Self {
        Self {
            enable: self.enable.or(below.enable),
            args: [below.args, self.args].concat(),
            event_sets: self.event_sets.or(below.event_sets),
            run_mode: self.run_mode.or(below.run_mode),
            sample_duration: self.sample_duration.or(below.sample_duration),
            alpha: self.alpha.or(below.alpha),
            limits: self.limits.over(below.limits),
            non_zero_metrics: self.non_zero_metrics.or(below.non_zero_metrics),
            min_pcnt_running: self.min_pcnt_running.or(below.min_pcnt_running),
            record: self.record.or(below.record),
            record_args: [below.record_args, self.record_args].concat(),
            disable_entry_point: self.disable_entry_point.or(below.disable_entry_point),
            fail_fast: self.fail_fast.or(below.fail_fast),
        }
    }
}

described! {
    /// Treatment of the cost of the measurement itself: the way from the switch of the counters to the
    /// benchmark function and back.
    ///
    /// On the command line it is `direct`, `calibrate` or `calibrate=<duration>`.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use iai_callgrind::PerfRunMode;
    ///
    /// let second = Duration::from_secs(1);
    /// assert_eq!(PerfRunMode::Direct.calibration(), None);
    /// assert_eq!(PerfRunMode::DefaultCalibrate.calibration(), Some(second));
    /// ```
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum PerfRunMode {
        /// The cost is in the figures.
        #[default]
        Direct,
        /// Calibrates like [`PerfRunMode::Calibrate`], for one second.
        DefaultCalibrate,
        /// An empty benchmark is measured for this time before, and the mean of its figures is
        /// subtracted. Has no meaning for binary benchmarks, whose whole program counts.
        Calibrate(Duration),
    }
}

impl PerfRunMode {
    /// Default duration of the measurement of an empty benchmark.
    pub const CALIBRATION: Duration = Duration::from_secs(1);

    /// Duration of the measurement of an empty benchmark, if there is one.
    #[must_use]
    pub fn calibration(self) -> Option<Duration> {
        match self {
            Self::Direct => None,
            Self::DefaultCalibrate => Some(Self::CALIBRATION),
            Self::Calibrate(duration) => Some(duration),
        }
    }
}

/// A metric of perf: the name of an event, such as `task-clock`. In limits it is a pattern.
///
/// In a pattern `*` stands for any text, `?` for one character and `[ab]` for one of several; `\`
/// takes the next character as it is. Case does not matter, and `:` and `/` are equal.
///
/// ```
/// use iai_callgrind::{Perf, PerfMetric};
///
/// Perf::default().soft_limits([(PerfMetric::from("instructions*"), 5.0)]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct PerfMetric(pub String);

impl<T: Into<String>> From<T> for PerfMetric {
    fn from(name: T) -> Self {
        Self(name.into())
    }
}

impl fmt::Display for PerfMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for PerfMetric {
    type Err = Infallible;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Ok(name.into())
    }
}

/// The limits of perf. A hard one without unit is a number in the unit of the metric.
pub type PerfLimits = Limits<PerfMetric, (Option<Unit>, Limit)>;

impl PerfLimits {
    /// Sets the soft limit of a metric.
    #[inline]
    pub fn set_soft(&mut self, metric: PerfMetric, percent: f64) {
        set(&mut self.soft, metric, percent);
    }

    /// Sets the hard limit of a metric.
    #[inline]
    pub fn set_hard(&mut self, metric: PerfMetric, unit: Option<Unit>, limit: Limit) {
        set(&mut self.hard, metric, (unit, limit));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_appended_and_the_rest_is_replaced() {
        let outer = Perf {
            args: vec!["-d".into()],
            event_sets: Some(vec!["faults".into()]),
            alpha: Some(0.1),
            ..Perf::default()
        };
        let inner = Perf {
            args: vec!["--no-scale".into()],
            event_sets: Some(vec!["cycles".into()]),
            ..Perf::default()
        };
        let merged = inner.over(outer);
        assert_eq!(merged.args, ["-d", "--no-scale"]);
        assert_eq!(merged.event_sets, Some(vec!["cycles".to_owned()]));
        assert_eq!(merged.alpha, Some(0.1));
    }

    #[test]
    fn limits_merge_by_pattern() {
        let limits = |clear, percent| PerfLimits {
            clear,
            soft: vec![("task-clock".into(), percent)],
            hard: vec![("faults".into(), (None, Limit::Int(1)))],
        };
        let merged = limits(false, 2.0).over(limits(false, 1.0));
        assert_eq!(merged, limits(false, 2.0));
        let cleared = PerfLimits {
            clear: true,
            ..PerfLimits::default()
        };
        assert_eq!(cleared.clone().over(limits(false, 1.0)), cleared);
    }

    #[test]
    fn an_empty_benchmark_is_measured_for_a_second_by_default() {
        assert_eq!(PerfRunMode::Direct.calibration(), None);
        let second = Some(Duration::from_secs(1));
        assert_eq!(PerfRunMode::DefaultCalibrate.calibration(), second);
    }
}
