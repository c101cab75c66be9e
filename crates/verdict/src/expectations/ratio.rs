//! Ratios of the counts of two benchmarks: the limit of one is the count of the other times a
//! number.
//!
//! Counts are compared in whole numbers, with the number as it is written; a ratio that is exactly
//! reached is kept.

use crate::limits::WrittenDecimal;
use metrics::MetricKind;

/// A ratio that counts may reach at most.
#[derive(Debug, Clone, PartialEq)]
pub struct CountRatio {
    written: String,
    decimal: WrittenDecimal,
}

/// Two counts; the first is too large.
#[derive(Debug, Clone, PartialEq)]
pub struct ExceededRatio {
    /// The metric.
    pub kind: MetricKind,
    /// The benchmark that counts too much.
    pub limited: CountedBenchmark,
    /// The ratio.
    pub ratio: CountRatio,
    /// The benchmark with which it is compared.
    pub of: CountedBenchmark,
}

/// A benchmark with its count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedBenchmark {
    /// Whole name of the benchmark.
    pub path: String,
    /// Function and id.
    pub name: String,
    /// The count.
    pub count: u64,
}

impl CountRatio {
    /// Reads a decimal above 0. `None`: it is none.
    #[must_use]
    pub fn read(written: &str) -> Option<Self> {
        let decimal = WrittenDecimal::read(written).filter(|decimal| decimal.digits > 0)?;
        Some(Self {
            written: written.to_owned(),
            decimal,
        })
    }

    /// The number as it is written.
    #[must_use]
    pub fn written(&self) -> &str {
        &self.written
    }

    /// Is the first count at most the ratio times the other one?
    #[must_use]
    pub fn holds(&self, limited: u64, of: u64) -> bool {
        limited <= self.most(of)
    }

    /// The largest count that keeps the ratio. More than a count can be is all of them.
    #[must_use]
    pub fn most(&self, of: u64) -> u64 {
        let product = self.decimal.digits.checked_mul(i128::from(of));
        let scale = 10_i128.checked_pow(self.decimal.decimals);
        match (product, scale) {
            // Rounded down: a whole count is at most a number if it is at most that number's whole
            // part.
            (Some(product), Some(scale)) => u64::try_from(product / scale).unwrap_or(u64::MAX),
            // Of so many digits the last ones decide nothing that can be counted.
            (None, _) => {
                let ratio = self.decimal.digits as f64 / 10_f64.powi(self.decimal.decimals as i32);
                (ratio * of as f64) as u64
            }
            // The product fits in 128 bits and the scale, 10^39 or more, does not: the quotient is
            // below 1.
            (_, None) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ratio: &str, of: u64, most: u64) {
        let ratio = CountRatio::read(ratio).unwrap();
        assert_eq!(ratio.most(of), most);
        assert!(ratio.holds(most, of));
        if most < u64::MAX {
            assert!(!ratio.holds(most + 1, of));
        }
    }

    #[test]
    fn a_ratio_that_is_exactly_reached_is_kept() {
        check("0.5", 200, 100);
        check("0.5", 201, 100);
        check("0.50000000000000000000000000000000000", 1 << 40, 1 << 39);
        check("1", 7, 7);
        check("1.05", 100, 105);
        // Floating-point products would be 0.30000000000000004 and 28.999999999999996.
        check("0.1", 3, 0);
        check("0.29", 100, 29);
        check("0.07", 100, 7);
        check("100", 0, 0);
        check("0.5", 0, 0);
        check("0.5", u64::MAX, u64::MAX / 2);
        check("999999999999999", u64::MAX, u64::MAX);
        check("0.00000000000001", 10_u64.pow(15), 10);
    }

    /// A second method: `limited * 10^k <= digits * of`, for each limit in steps of 0.1 % up to 200
    /// %.
    #[test]
    fn all_ratios_with_three_decimals_agree_with_a_multiplication() {
        for thousandths in 1..=2000_u64 {
            let text = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
            let ratio = CountRatio::read(&text).unwrap();
            for of in [0, 1, 3, 999, 1000, 1001, 1365] {
                let most = ratio.most(of);
                for limited in most.saturating_sub(1)..=most + 1 {
                    let expected = limited * 1000 <= thousandths * of;
                    assert_eq!(ratio.holds(limited, of), expected, "{limited} {text} {of}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_decimal_above_zero_is_no_ratio() {
        for text in ["", "0", "0.0", "-1", "x", "1e3", "NaN"] {
            assert_eq!(CountRatio::read(text), None, "{text}");
        }
    }
}
