//! Options of an attribute, and how those of groups and benchmarks lie over each other.

use std::time::Duration;

use crate::counter::{Counters, IntoCounter};
use crate::timing::Timing;

/// Options of one attribute.
#[derive(Debug, Clone, Default)]
pub struct Options {
    pub(crate) ignore: Option<bool>,
    pub(crate) counters: Counters,
    pub(crate) timing: Timing,
    /// Names of the options that mean nothing here.
    pub(crate) without_effect: Vec<&'static str>,
}

impl Options {
    #[must_use]
    pub fn ignore(mut self, ignore: bool) -> Self {
        self.ignore = Some(ignore);
        self
    }

    #[must_use]
    pub fn counter(mut self, counter: impl IntoCounter) -> Self {
        self.counters.set(counter);
        self
    }

    #[must_use]
    pub fn sample_count(self, _count: u32) -> Self {
        self.nothing("sample_count")
    }

    #[must_use]
    pub fn sample_size(mut self, size: u32) -> Self {
        self.timing.calls = Some(size);
        self
    }

    #[must_use]
    pub fn threads<T>(self, _threads: T) -> Self {
        self.nothing("threads")
    }

    #[must_use]
    pub fn min_time(mut self, time: impl IntoTime) -> Self {
        self.timing.min = time.time();
        self
    }

    #[must_use]
    pub fn max_time(mut self, time: impl IntoTime) -> Self {
        self.timing.max = time.time();
        self
    }

    #[must_use]
    pub fn skip_ext_time(self, _skip: bool) -> Self {
        self.nothing("skip_ext_time")
    }

    fn nothing(mut self, name: &'static str) -> Self {
        self.without_effect.push(name);
        self
    }

    /// These options over those of an outer level.
    pub(crate) fn over(self, below: Self) -> Self {
        Self {
            ignore: self.ignore.or(below.ignore),
            counters: self.counters.over(below.counters),
            timing: self.timing.over(below.timing),
            without_effect: [below.without_effect, self.without_effect].concat(),
        }
    }
}

/// A time: a number of seconds, or a `Duration`.
pub trait IntoTime {
    /// `None`: it is negative, or no number.
    fn time(self) -> Option<Duration>;
}

impl IntoTime for u64 {
    fn time(self) -> Option<Duration> {
        Some(Duration::from_secs(self))
    }
}

impl IntoTime for f64 {
    fn time(self) -> Option<Duration> {
        Duration::try_from_secs_f64(self).ok()
    }
}

impl IntoTime for Duration {
    fn time(self) -> Option<Duration> {
        Some(self)
    }
}
