//! Options of an attribute, and how those of groups and benchmarks lie over each other.

use std::time::Duration;

use crate::counter::{Counters, IntoCounter};

/// Options of one attribute.
#[derive(Debug, Clone, Default)]
pub struct Options {
    pub(crate) ignore: Option<bool>,
    pub(crate) counters: Counters,
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
    pub fn sample_size(self, _size: u32) -> Self {
        self.nothing("sample_size")
    }

    #[must_use]
    pub fn threads<T>(self, _threads: T) -> Self {
        self.nothing("threads")
    }

    #[must_use]
    pub fn min_time(self, _time: impl IntoTime) -> Self {
        self.nothing("min_time")
    }

    #[must_use]
    pub fn max_time(self, _time: impl IntoTime) -> Self {
        self.nothing("max_time")
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
            without_effect: [below.without_effect, self.without_effect].concat(),
        }
    }
}

/// A time: a number of seconds, or a `Duration`.
pub trait IntoTime {}

impl IntoTime for u64 {}
impl IntoTime for f64 {}
impl IntoTime for Duration {}
