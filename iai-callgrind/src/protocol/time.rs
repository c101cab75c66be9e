//! The settings of wall time.

use std::time::Duration;

use super::json::described;
use super::Over;

described! {
    /// Settings of wall time at one level.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub struct Time {
        /// Measure it, also without being asked by the command line; `true` if nothing is said.
        pub enable: Option<bool>,
        /// The time for a benchmark, both executables together; [`Time::DURATION`] if nothing is
        /// said.
        pub duration: Option<Duration>,
        /// Measure only where counts or code changed.
        pub only_changed: Option<bool>,
        /// Limit of the change, in percent.
        pub limit: Option<f64>,
        /// Changes within this percentage are none, where the runner would tell smaller ones.
        pub noise: Option<f64>,
        /// The most time for calls of a process before its first sample.
        pub warm_up: Option<Duration>,
        /// Calls of a sample.
        pub calls: Option<u32>,
    }
}

impl Time {
    /// Time for a benchmark without a duration in any configuration.
    pub const DURATION: Duration = Duration::from_millis(500);
}

impl Over for Time {
    #[inline]
    fn over(self, below: Self) -> Self {
        Self {
            enable: self.enable.or(below.enable),
            duration: self.duration.or(below.duration),
            only_changed: self.only_changed.or(below.only_changed),
            limit: self.limit.or(below.limit),
            noise: self.noise.or(below.noise),
            warm_up: self.warm_up.or(below.warm_up),
            calls: self.calls.or(below.calls),
        }
    }
}
