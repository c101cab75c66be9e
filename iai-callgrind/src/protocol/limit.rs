//! Limits: how far a metric may move (soft) and what it may reach (hard).

use super::json::described;
use super::over::{by_metric, set};
use super::{Over, ToolMetric};

described! {
    /// The limits of one tool.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Limits<M, L = Limit> {
        /// Drop the limits of outer levels.
        pub clear: bool,
        /// Largest change against the old run, in percent. A negative limit is exceeded below it.
        pub soft: Vec<(M, f64)>,
        /// Largest value.
        pub hard: Vec<(M, L)>,
    }
}

// Not derived: a metric has no default.
impl<M, L> Default for Limits<M, L> {
    fn default() -> Self {
        Self {
            clear: false,
            soft: Vec::new(),
            hard: Vec::new(),
        }
    }
}

impl Limits<ToolMetric> {
    /// Sets a soft limit for a metric.
    #[inline]
    pub fn set_soft(&mut self, metric: ToolMetric, percent: Percent) {
        set(&mut self.soft, metric, percent.0);
    }

    /// Sets a hard limit for a metric.
    #[inline]
    pub fn set_hard(&mut self, metric: ToolMetric, limit: Limit) {
        set(&mut self.hard, metric, limit);
    }
}

impl<M: PartialEq, L> Over for Limits<M, L> {
    #[inline]
    fn over(self, below: Self) -> Self {
        // `clear` stays, so that a further level below is cleared as well.
        let below = match self.clear {
            true => Self {
                clear: true,
                ..Self::default()
            },
            false => below,
        };
        Self {
            clear: below.clear,
            soft: by_metric(self.soft, below.soft),
            hard: by_metric(self.hard, below.hard),
        }
    }
}

described! {
    /// A hard limit: the largest value that a metric may have.
    ///
    /// Whole numbers are for counters, fractions for rates. A literal converts by itself; for a
    /// variable of another integer type than `u64` there is [`Limit::int`].
    ///
    /// # Examples
    ///
    /// ```
    /// use iai_callgrind::Limit;
    ///
    /// assert_eq!(Limit::from(10), Limit::Int(10));
    /// assert_eq!(Limit::from(99.5), Limit::Float(99.5));
    /// assert_eq!(Limit::int(usize::from(10_u8)), Limit::Int(10));
    /// ```
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub enum Limit {
        /// For counters.
        Int(u64),
        /// For rates.
        Float(f64),
    }
}

impl Limit {
    /// A limit for counters from any integer type.
    ///
    /// # Panics
    ///
    /// If the number is negative or larger than `u64::MAX`: no counter can be compared with it.
    #[must_use]
    #[track_caller]
    pub fn int<T: TryInto<u64>>(limit: T) -> Self {
        match limit.try_into() {
            Ok(limit) => Self::Int(limit),
            Err(_) => panic!("a limit must be a whole number from 0 to {}", u64::MAX),
        }
    }
}

/// Reason why a number is no limit: nothing exceeds it, or not what was meant. Continues "a limit".
#[must_use]
pub fn mistake(limit: f64) -> Option<&'static str> {
    if limit.is_nan() {
        return Some("must be a number, and `NaN` is none: nothing would exceed it");
    }
    if limit.is_infinite() {
        return Some("must be finite: nothing would exceed an infinite one");
    }
    let is_negative_zero = limit == 0.0 && limit.is_sign_negative();
    is_negative_zero.then_some("must not be `-0`: write `0`, or a number below it")
}

impl From<u64> for Limit {
    fn from(value: u64) -> Self {
        Self::Int(value)
    }
}

impl From<f64> for Limit {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

/// The percentage of a soft limit: `5.0` or `5`.
///
/// ```
/// use iai_callgrind::{Callgrind, EventKind, Percent};
///
/// assert_eq!(Percent::from(5), Percent(5.0));
/// Callgrind::default().soft_limits([(EventKind::Ir, Percent(5.0))]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Percent(pub f64);

impl From<f64> for Percent {
    fn from(percent: f64) -> Self {
        Self(percent)
    }
}

impl From<i32> for Percent {
    fn from(percent: i32) -> Self {
        Self(percent.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::ErrorMetric;

    const CONTEXTS: ToolMetric = ToolMetric::Error(ErrorMetric::Contexts);
    const ERRORS: ToolMetric = ToolMetric::Error(ErrorMetric::Errors);

    fn limits(clear: bool, errors: f64) -> Limits<ToolMetric> {
        Limits {
            clear,
            soft: vec![(ERRORS, errors)],
            hard: vec![(ERRORS, Limit::from(errors))],
        }
    }

    #[test]
    fn limits_merge_by_metric() {
        let outer = Limits {
            clear: false,
            soft: vec![(CONTEXTS, 1.0), (ERRORS, 2.0)],
            hard: vec![(CONTEXTS, Limit::Int(1))],
        };
        let merged = limits(false, 3.0).over(outer);
        assert_eq!(merged.soft, [(CONTEXTS, 1.0), (ERRORS, 3.0)]);
        assert_eq!(
            merged.hard,
            [(CONTEXTS, Limit::Int(1)), (ERRORS, Limit::Float(3.0))]
        );
    }

    #[test]
    fn cleared_limits_stay_cleared_at_every_outer_level() {
        let [main, group, bench] = [limits(false, 1.0), Limits::default(), limits(true, 3.0)];
        let expected = limits(true, 3.0);
        assert_eq!(
            bench.clone().over(group.clone()).over(main.clone()),
            expected
        );
        assert_eq!(bench.over(group.over(main)), expected);
        let nothing = Limits {
            clear: true,
            ..Limits::default()
        };
        assert_eq!(nothing.clone().over(limits(false, 1.0)), nothing);
    }

    #[test]
    fn numbers_that_nothing_exceeds_are_no_limits() {
        for limit in [f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0] {
            assert!(mistake(limit).is_some(), "{limit:?}");
        }
        for limit in [0.0, 5.0, -5.0, f64::MAX, f64::MIN_POSITIVE] {
            assert_eq!(mistake(limit), None, "{limit:?}");
        }
    }

    #[test]
    fn limits_below_zero_are_refused() {
        assert_eq!(Limit::int(7_i8), Limit::Int(7));
        let refused = std::panic::catch_unwind(|| Limit::int(-1));
        assert!(refused.is_err());
    }
}
