//! A number as it is measured and as it is printed.

use std::fmt;

use base::counted::grouped;

use super::perf::PerfFigure;

/// The value of a metric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MetricValue {
    /// A count.
    Int(u64),
    /// A percentage, or a count per unit of the throughput.
    Float(f64),
    /// A figure of perf.
    Perf(PerfFigure),
}

impl MetricValue {
    /// Value for ratios; counts above 2^53 are rounded. Figures of perf are in the smallest unit of
    /// their family.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Int(count) => count as f64,
            Self::Float(rate) => rate,
            Self::Perf(figure) => figure.base(),
        }
    }

    /// For people: `16,387`, `99.2500`. [`fmt::Display`] writes counts without commas, for programs.
    #[must_use]
    pub fn grouped(self) -> String {
        match self {
            Self::Int(count) => grouped(count),
            rate => rate.to_string(),
        }
    }

    /// Are the numbers the same? The number of samples does not matter.
    #[must_use]
    pub fn equals(self, other: Self) -> bool {
        match (self, other) {
            (Self::Perf(_), Self::Perf(_)) => self.as_f64() == other.as_f64(),
            _ => self == other,
        }
    }

    /// Can the two be compared? Figures of different units cannot.
    #[must_use]
    pub fn is_comparable(self, other: Self) -> bool {
        match (self, other) {
            (Self::Perf(one), Self::Perf(other)) => one.family() == other.family(),
            _ => true,
        }
    }

    /// `self - other`, exact for counts until the difference is above 2^53.
    #[must_use]
    pub fn minus(self, other: Self) -> f64 {
        match (self, other) {
            // Rounded to 53 bits first, two large counts that differ by one would be equal.
            (Self::Int(left), Self::Int(right)) => (i128::from(left) - i128::from(right)) as f64,
            _ => self.as_f64() - other.as_f64(),
        }
    }
}

/// Counts as plain digits, rates by [`decimals`].
impl fmt::Display for MetricValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Numbers stand at the left of a width, as texts do.
            Self::Int(count) if f.width().is_some() => f.pad(&count.to_string()),
            Self::Int(count) => write!(f, "{count}"),
            Self::Float(rate) => f.pad(&format!("{rate:.*}", decimals(*rate))),
            Self::Perf(figure) => figure.fmt(f),
        }
    }
}

/// The number of decimals that a number is printed with, so that all take about the same room.
#[must_use]
pub fn decimals(number: f64) -> usize {
    const BOUNDS: [f64; 5] = [10.0, 100.0, 1000.0, 10_000.0, 100_000.0];
    BOUNDS
        .iter()
        .rev()
        .take_while(|bound| number.abs() < **bound)
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: MetricValue, expected: &str) {
        assert_eq!(value.to_string(), expected);
    }

    #[test]
    fn rates_have_decimals_by_magnitude() {
        check(MetricValue::Int(u64::MAX), "18446744073709551615");
        check(MetricValue::Int(0), "0");
        check(MetricValue::Float(0.0), "0.00000");
        check(MetricValue::Float(0.643_781), "0.64378");
        check(MetricValue::Float(99.479_16), "99.4792");
        check(MetricValue::Float(100.0), "100.000");
        check(MetricValue::Float(1234.567), "1234.57");
        check(MetricValue::Float(12345.67), "12345.7");
        check(MetricValue::Float(123_456.7), "123457");
    }

    #[test]
    fn differences_of_large_counts_are_exact() {
        assert_eq!(
            MetricValue::Int(u64::MAX).minus(MetricValue::Int(u64::MAX - 1)),
            1.0
        );
        assert_eq!(MetricValue::Int(1).minus(MetricValue::Int(3)), -2.0);
        assert_eq!(MetricValue::Float(1.5).minus(MetricValue::Float(1.0)), 0.5);
    }
}
