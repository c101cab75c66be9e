//! Metrics of perf. They are in no table: their names are those of the requested events.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use iai_callgrind::protocol::Unit;

/// Text that is stored once, as cheap to copy and compare as a variant of an enum. Texts are in the order
/// in which they were seen first.
///
/// There are as many as there are names of events in a run, and they stay until its end. With a counted
/// reference instead no metric of any tool could be copied any more, and metrics of perf would lose their
/// order, in which the old ones of a comparison are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InternedText(u32, &'static str);

static TEXTS: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());

impl From<&str> for InternedText {
    fn from(text: &str) -> Self {
        // A poisoned lock is no harm: each change is complete in itself.
        let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
        let index = texts.iter().position(|known| *known == text);
        let index = index.unwrap_or_else(|| {
            texts.push(Box::leak(text.into()));
            texts.len() - 1
        });
        Self(index as u32, texts[index])
    }
}

impl InternedText {
    /// The text.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.1
    }
}

impl fmt::Display for InternedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.1)
    }
}

/// A metric of perf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PerfMetricKind {
    /// The number of the event set, from 1.
    pub part: u32,
    /// The name of the event.
    pub event: InternedText,
}

/// The figure of an event: one value, or the mean of several.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PerfFigure {
    /// Value, in `unit`.
    pub value: f64,
    /// The unit as perf writes it; empty for counts.
    pub unit: InternedText,
    /// Number of samples behind the mean.
    pub n: u64,
    /// The standard error of the mean, relative to the mean; 0 with one sample.
    pub rse: f64,
    /// The time that the counter ran, in nanoseconds; the mean of all samples.
    pub runtime: Option<f64>,
    /// Share of the time that the counter ran, in percent; the mean of all samples.
    pub running: Option<f64>,
}

impl PerfFigure {
    /// A value without error.
    #[must_use]
    pub fn exact(value: f64, unit: InternedText) -> Self {
        Self {
            value,
            unit,
            n: 1,
            rse: 0.0,
            runtime: None,
            running: None,
        }
    }

    /// Unit; `None` for counts.
    #[must_use]
    pub fn unit(&self) -> Option<Unit> {
        Some(self.unit.as_str())
            .filter(|unit| !unit.is_empty())
            .map(Unit::from)
    }

    /// Is the figure a whole number without unit?
    #[must_use]
    pub fn is_count(&self) -> bool {
        self.unit().is_none() && (self.n == 1 || self.value.fract() == 0.0)
    }

    /// Smallest unit of its family; figures of one family can be compared.
    #[must_use]
    pub fn family(&self) -> String {
        self.unit().map_or_else(String::new, |unit| unit.base().0)
    }

    /// The value in the smallest unit of its family.
    #[must_use]
    pub fn base(&self) -> f64 {
        self.value * self.unit().map_or(1.0, |unit| unit.base().1)
    }

    /// A value in the smallest unit of the family, converted to the unit of this figure.
    #[must_use]
    pub fn of_base(&self, base: f64) -> f64 {
        base / self.unit().map_or(1.0, |unit| unit.base().1)
    }

    /// The standard error of the mean in the smallest unit of its family.
    #[must_use]
    pub fn error(&self) -> f64 {
        (self.rse * self.base()).abs()
    }

    /// Unit in which the figure reads best; `None` for counts.
    #[must_use]
    pub fn best_unit(&self) -> Option<Unit> {
        self.unit().map(|unit| unit.scaled(self.value).0)
    }

    /// The figure as text, in this unit of its family.
    #[must_use]
    pub fn text_in(&self, unit: Option<&Unit>) -> String {
        match unit {
            // The mean of counts need not be a whole number.
            None if self.is_count() => format!("{:.0}", count(self.value)),
            None => format!("{:.*}", super::decimals(self.value), self.value),
            Some(unit) => {
                let value = self.base() / unit.base().1;
                // 99.9999 may read as 100.000.
                let decimals = super::decimals(value);
                let size = 10_f64.powi(decimals as i32);
                let decimals = super::decimals((value * size).round() / size);
                format!("{value:.decimals$} {unit}")
            }
        }
    }
}

impl fmt::Display for PerfFigure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text_in(self.best_unit().as_ref()))
    }
}

/// A count as a whole number; one half is rounded down.
#[must_use]
pub fn count(value: f64) -> f64 {
    // The addition turns -0 into 0.
    (value - 0.5).ceil() + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_kept_once() {
        let (one, two) = (
            InternedText::from("metrics::perf one"),
            InternedText::from("metrics::perf two"),
        );
        assert_eq!(InternedText::from("metrics::perf one"), one);
        assert!(one < two);
        assert_eq!(two.as_str(), "metrics::perf two");
    }

    #[test]
    fn figures_are_shown_in_the_unit_that_suits_them() {
        #[track_caller]
        fn check(value: f64, unit: &str, expected: &str) {
            assert_eq!(PerfFigure::exact(value, unit.into()).to_string(), expected);
        }
        check(4.685202, "msec", "4.68520 ms");
        check(0.542707, "msec", "542.707 us");
        check(1500.0, "msec", "1.50000 s");
        check(48.5, "", "48");
        check(48.6, "", "49");
        let mean = PerfFigure {
            n: 2,
            ..PerfFigure::exact(48.5, "".into())
        };
        assert_eq!(mean.to_string(), "48.5000");
        check(0.0, "", "0");
        check(1e15, "", "1000000000000000");
        check(7.0, "furlongs", "7.00000 furlongs");
        check(0.099_999_999_999_999_98, "msec", "100.000 us");
    }
}
