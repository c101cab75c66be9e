//! The significance of a difference of two means: Welch's t-test, which takes different variances
//! and numbers of samples.
//!
//! With standard errors `a` and `b` of the means of `n` and `m` samples, a difference is significant
//! on the level alpha if it is above `t * sqrt(a² + b²)`, where `t` is the quantile `1 - alpha / 2` of
//! Student's distribution with `(a² + b²)² / (a⁴ / (n - 1) + b⁴ / (m - 1))` degrees of freedom
//! (B. L. Welch, "The generalization of Student's problem", Biometrika 34, 1947).

use statrs::distribution::{ContinuousCDF, StudentsT};

use metrics::perf::PerfFigure;

/// The significance of a difference of two means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WelchTest {
    /// The smallest change that would be significant, in percent of the old mean.
    pub threshold: f64,
    /// The change as a multiple of the smallest significant one.
    pub factor: f64,
}

impl WelchTest {
    /// `None`: one of the sides has too few samples to say anything.
    pub(super) fn of(new: &PerfFigure, old: &PerfFigure, alpha: f64) -> Option<Self> {
        // One sample has no variance, and zero degrees of freedom would divide by 0. Units of two
        // families, such as counts and times, have no base in common.
        if new.n < 2 || old.n < 2 || new.family() != old.family() {
            return None;
        }
        let difference = (new.base() - old.base()).abs();
        let (a, b) = (new.error().powi(2), old.error().powi(2));
        let variance = a + b;
        // Means without any error differ or do not.
        if variance == 0.0 {
            let factor = if difference == 0.0 {
                0.0
            } else {
                f64::INFINITY
            };
            return Some(Self {
                threshold: 0.0,
                factor,
            });
        }
        let (n, m) = (new.n as f64 - 1.0, old.n as f64 - 1.0);
        let freedom = variance.powi(2) / (a.powi(2) / n + b.powi(2) / m);
        let student = StudentsT::new(0.0, 1.0, freedom).ok()?;
        let least = student.inverse_cdf(1.0 - alpha / 2.0) * variance.sqrt();
        // Infinite for an old mean of 0; JSON leaves it out.
        Some(Self {
            threshold: least / old.base() * 100.0,
            factor: difference / least,
        })
    }

    /// Is the change more than chance would make?
    #[must_use]
    pub fn is_significant(&self) -> bool {
        self.factor > 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(value: f64, error: f64, n: u64) -> PerfFigure {
        PerfFigure {
            n,
            rse: error / value,
            ..PerfFigure::exact(value, "".into())
        }
    }

    #[track_caller]
    fn check(new: &PerfFigure, old: &PerfFigure, alpha: f64, threshold: f64, factor: f64) {
        let found = WelchTest::of(new, old, alpha).unwrap();
        let close = |left: f64, right: f64| (left - right).abs() < 1e-3 * right.abs();
        assert!(close(found.threshold, threshold), "{found:?}");
        assert!(close(found.factor, factor), "{found:?}");
    }

    /// Quantiles from printed tables of Student's distribution.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (n, alpha, t) in [
            (2, 0.05, 4.302_65),  // 2 degrees of freedom
            (6, 0.05, 2.228_14),  // 10
            (16, 0.05, 2.042_27), // 30
            (6, 0.01, 3.169_27),  // 10
            (61, 0.10, 1.657_65), // 120
        ] {
            // Equal errors and numbers: the degrees of freedom are 2 (n - 1).
            let (new, old) = (figure(101.0, 1.0, n), figure(100.0, 1.0, n));
            let least = t * 2.0_f64.sqrt();
            check(&new, &old, alpha, least, 1.0 / least);
        }
    }

    /// The degrees of freedom of Welch's own formula: errors 3 and 4 with 5 and 10 samples give
    /// 625 / (81 / 4 + 256 / 9) = 12.84, for which t is between 2.1604 (13) and 2.1788 (12).
    #[test]
    fn errors_and_numbers_may_differ() {
        let found = WelchTest::of(&figure(120.0, 3.0, 5), &figure(100.0, 4.0, 10), 0.05).unwrap();
        assert!(
            (5.0 * 2.1604..5.0 * 2.1788).contains(&found.threshold),
            "{found:?}"
        );
        assert!(found.is_significant());
        assert!((found.factor - 20.0 / found.threshold).abs() < 1e-9);
    }

    #[test]
    fn without_samples_nothing_can_be_said() {
        let one = figure(100.0, 0.0, 1);
        let many = figure(100.0, 1.0, 10);
        assert_eq!(WelchTest::of(&one, &many, 0.05), None);
        assert_eq!(WelchTest::of(&many, &one, 0.05), None);
    }

    #[test]
    fn without_any_error_every_change_is_significant() {
        let (new, old) = (figure(101.0, 0.0, 5), figure(100.0, 0.0, 5));
        assert!(WelchTest::of(&new, &old, 0.05).unwrap().is_significant());
        assert!(!WelchTest::of(&old, &old, 0.05).unwrap().is_significant());
    }
}
