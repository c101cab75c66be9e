//! Growth of counts with the size of the input: the model that describes them best, and whether
//! they grow as stated.
//!
//! In: counts of the same function for several sizes. Out: for each model its best fit, and a
//! verdict.
//!
//! A fit is a constant part, which is not negative, and a multiple of the model. Without that bound
//! a smaller model with a negative constant could pass for a larger one. Residuals are those of the
//! logarithms of the counts, so that the smallest size weighs as much as the largest one, whose
//! count may be a million times as large, and half of a count is as wrong as twice the count.

use super::growth_fit::{least_squares, LinearFit, WeightedRow};
use super::growth_steps::{rising_cost, RisingCost};

/// Counts that are described this well are described exactly: error of the logarithms, root mean
/// square. The simplest model that does so is the best.
const EXACT: f64 = 0.001;

/// A model that is worse than the best by this factor is still as good: counts have small
/// irregularities.
const AS_GOOD: f64 = 1.5;

/// Up to this error a model describes the counts; a formula with a larger one would mislead.
const DESCRIBES: f64 = 0.25;

/// Up to this error the stated growth holds, even if a faster one describes the counts exactly.
const HOLDS: f64 = 0.1;

/// The most rounds of a fit, each of which comes nearer to the best one.
const ROUNDS: usize = 30;

/// The largest size for which 2ⁿ is tried: no count of 64 bits grows so to a larger one.
const MOST_OF_EXPONENTIAL: u64 = 128;

/// Fewest different sizes of a verdict. Two numbers of a fit go through any two points.
pub const FEWEST_SIZES: usize = 3;

/// Model of a growth, ordered by growth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GrowthModel {
    /// Independent of the size.
    Constant,
    /// With the binary logarithm.
    Logarithmic,
    /// With the square root.
    SquareRoot,
    /// With the size.
    Linear,
    /// With the size times its binary logarithm.
    Linearithmic,
    /// With the size times its square root.
    Sesquilinear,
    /// With the square.
    Quadratic,
    /// With the cube.
    Cubic,
    /// With the power of two.
    Exponential,
}

/// Count for one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizedCount {
    /// Size of the input.
    pub size: u64,
    /// The count.
    pub count: u64,
}

/// Best fit of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GrowthFit {
    /// The model.
    pub model: GrowthModel,
    /// The constant part; not negative.
    pub constant: f64,
    /// Factor of the model; not negative. 0 for [`GrowthModel::Constant`].
    pub factor: f64,
    /// Root mean square of the errors of the logarithms: 0.1 is some 10 % too much or too little.
    pub error: f64,
    /// Coefficient of determination of the logarithms; absent for [`GrowthModel::Constant`], and
    /// where all counts are the same.
    pub r_squared: Option<f64>,
}

/// The growth of counts.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredGrowth {
    /// Sizes and counts, ascending by size.
    pub points: Vec<SizedCount>,
    /// Fits of all models, in their order; without [`GrowthModel::Exponential`] where a size is too
    /// large for it.
    pub fits: Vec<GrowthFit>,
    /// The simplest of the best fits.
    pub best: GrowthFit,
}

impl GrowthModel {
    /// All models, in their order.
    pub const ALL: [Self; 9] = [
        Self::Constant,
        Self::Logarithmic,
        Self::SquareRoot,
        Self::Linear,
        Self::Linearithmic,
        Self::Sesquilinear,
        Self::Quadratic,
        Self::Cubic,
        Self::Exponential,
    ];

    /// Name of the model, as in `scaling` of `#[benches]` where it can be stated there.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Logarithmic => "log n",
            Self::SquareRoot => "n^0.5",
            Self::Linear => "n",
            Self::Linearithmic => "n log n",
            Self::Sesquilinear => "n^1.5",
            Self::Quadratic => "n^2",
            Self::Cubic => "n^3",
            Self::Exponential => "2^n",
        }
    }

    /// The model of a name. `None`: no growth is stated.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|model| model.name() == name)
    }

    /// Value of the model for a size. The logarithms of sizes below 1 are 0.
    #[must_use]
    pub fn value(self, size: u64) -> f64 {
        let n = size as f64;
        let log = n.max(1.0).log2();
        match self {
            Self::Constant => 0.0,
            Self::Logarithmic => log,
            Self::SquareRoot => n.sqrt(),
            Self::Linear => n,
            Self::Linearithmic => n * log,
            Self::Sesquilinear => n * n.sqrt(),
            Self::Quadratic => n * n,
            Self::Cubic => n * n * n,
            Self::Exponential => n.exp2(),
        }
    }
}

impl MeasuredGrowth {
    /// The growth of counts. `None`: there are fewer than [`FEWEST_SIZES`] different sizes.
    #[must_use]
    pub fn of(mut points: Vec<SizedCount>) -> Option<Self> {
        // `dedup` and the steps compare neighbours.
        points.sort_by_key(|point| (point.size, point.count));
        let mut sizes: Vec<u64> = points.iter().map(|point| point.size).collect();
        sizes.dedup();
        if sizes.len() < FEWEST_SIZES {
            return None;
        }
        let largest = sizes.last().copied().unwrap_or_default();
        let is_possible = |model: &GrowthModel| {
            *model != GrowthModel::Exponential || largest <= MOST_OF_EXPONENTIAL
        };
        let models = GrowthModel::ALL.into_iter().filter(is_possible);
        let constant = log_fit(&points, |_| [1.0, 0.0]);
        let fits = models.map(|model| fit(model, &points, constant));
        let fits: Vec<GrowthFit> = fits.collect();
        let least = least_error(&fits);
        let bound = EXACT.max(least * AS_GOOD);
        // In the order of growth: an irregular count must not make a larger model of a smaller one.
        let best = *fits.iter().find(|fit| fit.error <= bound)?;
        Some(Self { points, fits, best })
    }

    /// The best fit, if it describes the counts.
    #[must_use]
    pub fn described(&self) -> Option<GrowthFit> {
        Some(self.best).filter(|best| best.error <= DESCRIBES)
    }

    /// The growth of the counts, if it is faster than this.
    #[must_use]
    pub fn faster_than(&self, stated: GrowthModel) -> Option<FasterGrowth> {
        // Over a narrow range the cost of a unit hardly rises: of n and n log n from 1000 to 4000
        // only the exact fit tells.
        let smaller = self.fits.iter().filter(|fit| fit.model <= stated);
        let is_exact = self.best.error <= EXACT && least_error(smaller) > HOLDS;
        let rising = rising_cost(&self.points, stated);
        let found = self.described().filter(|best| best.model > stated);
        match (found, rising) {
            (Some(found), Some(_)) => Some(FasterGrowth::Like(found)),
            (Some(found), None) if is_exact => Some(FasterGrowth::Like(found)),
            (None, Some(rising)) => Some(FasterGrowth::Rising(rising)),
            (_, None) => None,
        }
    }
}

/// A growth that is faster than stated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FasterGrowth {
    /// They grow like this model.
    Like(GrowthFit),
    /// Faster from this step on; no model describes them, or only one that grows no faster.
    Rising(RisingCost),
}

fn least_error<'a>(fits: impl IntoIterator<Item = &'a GrowthFit>) -> f64 {
    let errors = fits.into_iter().map(|fit| fit.error);
    errors.fold(f64::INFINITY, f64::min)
}

/// The best fit of a model. `of_constant` is that of a constant.
fn fit(model: GrowthModel, points: &[SizedCount], of_constant: LinearFit) -> GrowthFit {
    let LinearFit {
        coefficients: [constant, factor],
        squares,
    } = match model {
        GrowthModel::Constant => of_constant,
        _ => log_fit(points, |point| [1.0, model.value(point.size)]),
    };
    let total = of_constant.squares;
    // Sums of squares have the precision of the numbers that were added: what is below that is 0.
    let varies = total > 1e-18;
    GrowthFit {
        model,
        constant,
        factor,
        error: (squares / points.len() as f64).sqrt(),
        r_squared: (model != GrowthModel::Constant && varies).then(|| 1.0 - squares / total),
    }
}

/// The fit with the least squares of the errors of the logarithms. A weighted fit whose weights are
/// the errors of the last one, `ln(fit / count) / (fit / count - 1)`, comes nearer to it with each
/// round.
fn log_fit(points: &[SizedCount], row: impl Fn(&SizedCount) -> [f64; 2]) -> LinearFit {
    // 0 has no logarithm: the least count is 1 here, and the least value of a fit half a count.
    let count = |point: &SizedCount| point.count.max(1) as f64;
    let value = |fit: &LinearFit, point: &SizedCount| {
        let [one, model] = row(point);
        (one * fit.coefficients[0] + model * fit.coefficients[1]).max(0.5)
    };
    let weighted = |weight: &dyn Fn(&SizedCount) -> f64| {
        let rows: Vec<WeightedRow> = points
            .iter()
            .map(|point| WeightedRow {
                columns: row(point).map(|column| column / count(point)),
                weight: weight(point),
            })
            .collect();
        least_squares(&rows)
    };
    let with_squares = |fit: LinearFit| LinearFit {
        squares: points
            .iter()
            .map(|point| (value(&fit, point) / count(point)).ln().powi(2))
            .sum(),
        ..fit
    };
    let mut best = with_squares(weighted(&|_| 1.0));
    let mut last = best;
    // No round is sure to be better than the one before, so the best is kept and not the last.
    for _ in 0..ROUNDS {
        let next = with_squares(weighted(&|point| {
            let ratio = value(&last, point) / count(point);
            // Near 1 both parts vanish, and the quotient is 1.
            match (ratio - 1.0).abs() < 1e-6 {
                true => 1.0,
                false => ratio.ln() / (ratio - 1.0),
            }
        }));
        // From here on all weights would be NaN.
        if !next.squares.is_finite() {
            break;
        }
        if next.squares < best.squares {
            best = next;
        }
        last = next;
    }
    best
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn points(of: impl Fn(f64) -> f64, sizes: &[u64]) -> Vec<SizedCount> {
        let point = |size: &u64| SizedCount {
            size: *size,
            count: of(*size as f64).round() as u64,
        };
        sizes.iter().map(point).collect()
    }

    fn measured(of: impl Fn(f64) -> f64, sizes: &[u64]) -> MeasuredGrowth {
        MeasuredGrowth::of(points(of, sizes)).unwrap()
    }

    /// Sizes that are at least 8 apart, as the first and a ratio.
    fn sizes() -> impl Strategy<Value = Vec<u64>> {
        (4_u64..50, 2_u64..6, 4_usize..8).prop_map(|(first, ratio, count)| {
            // The counts of larger ones would not fit into 64 bits.
            let next = |size: &u64| Some(size * ratio).filter(|size| *size < 100_000);
            std::iter::successors(Some(first), next)
                .take(count)
                .collect()
        })
    }

    proptest! {
        #[test]
        fn every_model_recovers_itself(
            model in 0..8_usize,
            factor in 50.0..5000.0_f64,
            constant in 0.0..3.0_f64,
            sizes in sizes(),
        ) {
            let model = GrowthModel::ALL[model];
            // A multiple of the smallest count: a larger constant part hides the growth.
            let constant = constant * factor * model.value(sizes[0]).max(1.0);
            let value = |n: f64| constant + factor * model.value(n as u64).max(f64::from(model == GrowthModel::Constant));
            let found = measured(value, &sizes);
            prop_assert_eq!(found.best.model, model, "{:?}", found);
            for stated in GrowthModel::ALL {
                let holds = stated >= model || is_near(&found, stated);
                prop_assert_eq!(found.faster_than(stated).is_none(), holds, "{:?} {:?}", stated, found);
            }
            if model != GrowthModel::Constant {
                prop_assert!((found.best.factor / factor - 1.0).abs() < 0.05, "{:?}", found);
            }
        }

        #[test]
        fn noise_of_ten_percent_makes_no_stated_growth_fail(
            model in 0..8_usize,
            noise in proptest::collection::vec(-0.1..0.1_f64, 8),
            first in 1_u64..50,
            between in proptest::collection::vec(1.02..1000.0_f64, 2..7),
            factor in 1.0..2000.0_f64,
            constant in 0.0..2000.0_f64,
        ) {
            let model = GrowthModel::ALL[model];
            let mut sizes: Vec<u64> = between.iter().map(|between| (first as f64 * between) as u64).collect();
            sizes.push(first);
            let different: std::collections::BTreeSet<u64> = sizes.iter().copied().collect();
            prop_assume!(different.len() >= FEWEST_SIZES);
            let mut points = points(|n| 10.0 + constant + factor * model.value(n as u64), &sizes);
            for (point, noise) in points.iter_mut().zip(noise) {
                point.count = (point.count as f64 * (1.0 + noise)).round() as u64;
            }
            let found = MeasuredGrowth::of(points).unwrap();
            prop_assert_eq!(found.faster_than(model), None, "{:?}", found);
        }

        #[test]
        fn a_growth_of_two_statements_more_fails(
            number in 2..6_usize,
            noise in proptest::collection::vec(-0.02..0.02_f64, 8),
            sizes in sizes(),
        ) {
            use GrowthModel::{Constant, Cubic, Linear, Linearithmic, Logarithmic, Quadratic};
            let stated = [Constant, Logarithmic, Linear, Linearithmic, Quadratic, Cubic];
            let mut points = points(|n| 1000.0 * (1.0 + stated[number].value(n as u64)), &sizes);
            for (point, noise) in points.iter_mut().zip(noise) {
                point.count = (point.count as f64 * (1.0 + noise)).round() as u64;
            }
            let found = MeasuredGrowth::of(points).unwrap();
            let below = stated[number - 2];
            prop_assert!(found.faster_than(below).is_some(), "{:?} {:?}", below, found);
        }

        #[test]
        fn a_growth_that_is_faster_by_a_square_root_fails(
            model in 0..8_usize,
            first in 2_u64..40,
            between in proptest::collection::vec(1.05..999.0_f64, 1..6),
            factor in 20.0..500.0_f64,
            constant in 0.0..3.0_f64,
            noise in proptest::collection::vec(-0.05..0.05_f64, 8),
        ) {
            let stated = GrowthModel::ALL[model];
            let mut sizes: Vec<u64> = between.iter().map(|between| (first as f64 * between) as u64).collect();
            sizes.extend([first, first * 1000]);
            let of = |n: f64| factor * stated.value(n as u64).max(1.0) * n.sqrt();
            let constant = constant * of(first as f64);
            let mut points = points(|n| constant + of(n), &sizes);
            for (point, noise) in points.iter_mut().zip(noise) {
                point.count = (point.count as f64 * (1.0 + noise)).round() as u64;
            }
            let different: std::collections::BTreeSet<u64> = sizes.iter().copied().collect();
            prop_assume!(different.len() >= FEWEST_SIZES);
            let found = MeasuredGrowth::of(points).unwrap();
            prop_assert!(found.faster_than(stated).is_some(), "{:?} {:?}", stated, found);
        }

        #[test]
        fn any_counts_have_finite_fits(
            points in proptest::collection::vec((any::<u64>(), any::<u64>()), 0..9),
        ) {
            let points: Vec<_> = points.into_iter().map(|(size, count)| SizedCount { size, count }).collect();
            if let Some(found) = MeasuredGrowth::of(points) {
                for fit in &found.fits {
                    prop_assert!(fit.constant >= 0.0 && fit.constant.is_finite(), "{:?}", fit);
                    prop_assert!(fit.factor >= 0.0 && fit.factor.is_finite(), "{:?}", fit);
                    prop_assert!(fit.error.is_finite(), "{:?}", fit);
                }
            }
        }
    }

    /// Is the model good enough that it holds although a larger one is right?
    fn is_near(found: &MeasuredGrowth, stated: GrowthModel) -> bool {
        let smaller = found.fits.iter().filter(|fit| fit.model <= stated);
        least_error(smaller) <= HOLDS
    }

    #[test]
    fn formulas_of_known_loops_are_found() {
        #[track_caller]
        fn check(of: impl Fn(f64) -> f64, expected: GrowthModel, constant: f64, factor: f64) {
            let found = measured(of, &[10, 100, 1000, 10_000]);
            assert_eq!(found.best.model, expected, "{found:?}");
            let close = |left: f64, right: f64| (left - right).abs() <= right.abs() * 1e-3 + 1e-6;
            assert!(close(found.best.constant, constant), "{found:?}");
            assert!(close(found.best.factor, factor), "{found:?}");
            assert!(found.best.r_squared.is_none_or(|r| r > 0.9999), "{found:?}");
        }
        check(|_| 42.0, GrowthModel::Constant, 42.0, 0.0);
        check(|n| 7.0 + 5.0 * n, GrowthModel::Linear, 7.0, 5.0);
        check(|n| 12.0 * n * n, GrowthModel::Quadratic, 0.0, 12.0);
        check(|n| n * n * n, GrowthModel::Cubic, 0.0, 1.0);
        check(|n| 1e6 + 1e5 * n.log2(), GrowthModel::Logarithmic, 1e6, 1e5);
        check(
            |n| 1000.0 * n * n.log2(),
            GrowthModel::Linearithmic,
            0.0,
            1000.0,
        );
    }

    /// Counts that are shown to grow faster than stated, whether or not a model describes them.
    #[test]
    fn attacks_on_statements_fail() {
        use GrowthModel::{Constant, Cubic, Linear, Linearithmic, Logarithmic, Quadratic};
        #[track_caller]
        fn check(counts: &[SizedCount], stated: &[GrowthModel]) {
            let found = MeasuredGrowth::of(counts.to_vec()).unwrap();
            for stated in stated {
                assert!(found.faster_than(*stated).is_some(), "{stated:?} {found:?}");
            }
        }
        let decades = &[10, 100, 1000, 10_000, 100_000];
        let fibonacci = [
            (5, 194),
            (10, 2381),
            (15, 26_627),
            (20, 295_520),
            (25, 3_277_589),
        ];
        let fibonacci = fibonacci.map(|(size, count)| SizedCount { size, count });
        check(&fibonacci, &[Constant, Linear, Quadratic, Cubic]);
        check(&fibonacci[1..], &[Constant, Linear, Quadratic, Cubic]);
        check(
            &points(|n| 7.0 + 40.0 * n.sqrt(), decades),
            &[Constant, Logarithmic],
        );
        check(
            &points(|n| 20.0 + 17.0 * n.sqrt(), &decades[1..]),
            &[Constant, Logarithmic],
        );
        check(
            &points(|n| 3.0 + 2.0 * n.powf(1.5), &decades[..4]),
            &[Linear, Linearithmic],
        );
        check(
            &points(|n| 38.0 + n.powf(2.5), &[4, 10, 30, 100]),
            &[Quadratic],
        );
        check(&points(|n| 14.0 + n.exp2(), &[2, 4, 8, 16]), &[Cubic]);
        check(
            &points(
                |n| {
                    if n < 100_000.0 {
                        2.0 * n
                    } else {
                        n * n / 100.0
                    }
                },
                decades,
            ),
            &[Linear],
        );
        check(
            &points(|n| if n < 100_000.0 { 203.0 } else { 2003.0 }, decades),
            &[Constant],
        );
    }

    #[test]
    fn what_grows_no_faster_holds() {
        use GrowthModel::{Constant, Linear, Linearithmic, Quadratic};
        #[track_caller]
        fn check(of: impl Fn(f64) -> f64, stated: GrowthModel) {
            let found = measured(of, &[10, 100, 1000, 10_000, 100_000]);
            assert_eq!(found.faster_than(stated), None, "{found:?}");
        }
        // Falling, in steps, and with pairs of all elements.
        check(|n| 2e6 / n, Linear);
        check(|n| 2e6 / n, Constant);
        check(|n| 35.0 + 10.0 * n + 3.0 * n.log2().ceil().exp2(), Linear);
        check(|n| 20.0 + 5.0 * n * (n - 1.0) / 2.0, Quadratic);
        check(|n| n * n.log2().floor() * 12.0, Linearithmic);
        check(|_| 42.0, Constant);
    }

    #[test]
    fn a_narrow_range_tells_neighbours_apart_that_are_exact() {
        let found = measured(|n| 1000.0 * n * n.log2(), &[1000, 2000, 4000]);
        assert_eq!(found.faster_than(GrowthModel::Linearithmic), None);
        let found = measured(|n| 1000.0 * n * n, &[1000, 1400, 2000]);
        let faster = found.faster_than(GrowthModel::Linear);
        assert_eq!(faster, Some(FasterGrowth::Like(found.best)), "{found:?}");
    }

    #[test]
    fn a_large_constant_part_hides_a_growth() {
        let found = measured(|n| 1e9 + n, &[10, 100, 1000]);
        assert_eq!(found.best.model, GrowthModel::Constant);
    }

    #[test]
    fn two_sizes_are_too_few() {
        assert_eq!(MeasuredGrowth::of(points(|n| n, &[10, 100])), None);
        assert_eq!(MeasuredGrowth::of(points(|n| n, &[10, 100, 100])), None);
        assert_eq!(MeasuredGrowth::of(Vec::new()), None);
    }

    #[test]
    fn names_are_read_back() {
        for model in GrowthModel::ALL {
            assert_eq!(GrowthModel::named(model.name()), Some(model));
        }
        assert_eq!(GrowthModel::named("any"), None);
    }
}
