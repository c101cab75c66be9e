//! Growth of counts with the size of the input: the model that describes them best, and whether it is the stated one.
//!
//! In: counts of the same function for several sizes. Out: for each model its best fit, and a verdict.
//!
//! A fit is a constant part, which is not negative, and a multiple of the model. Without that bound a smaller model with a
//! negative constant could pass for a larger one. Residuals are relative to the counts, so that the smallest size weighs
//! as much as the largest one, whose count may be a million times as large.

use super::growth_fit::{least_squares, LinearFit};

/// Counts that are described this well are described: relative error, root mean square. The simplest model that does
/// so is the best.
const EXACT: f64 = 0.001;

/// A model that is worse than the best by this factor is still as good: counts have small irregularities.
const AS_GOOD: f64 = 1.5;

/// Up to this error the stated growth holds, whatever fits better.
const HOLDS: f64 = 0.05;

/// The stated growth fails only if another model has less than this part of its error.
const BETTER: f64 = 0.5;

/// Fewest different sizes of a verdict. Two numbers of a fit go through any two points.
pub const FEWEST_SIZES: usize = 3;

/// Model of a growth, ordered by growth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GrowthModel {
    /// Independent of the size.
    Constant,
    /// With the binary logarithm.
    Logarithmic,
    /// With the size.
    Linear,
    /// With the size times its binary logarithm.
    Linearithmic,
    /// With the square.
    Quadratic,
    /// With the cube.
    Cubic,
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
    /// Root mean square of the relative errors.
    pub error: f64,
    /// Coefficient of determination of the relative values; absent for [`GrowthModel::Constant`], and where all counts are
    /// the same.
    pub r_squared: Option<f64>,
}

/// The growth of counts.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredGrowth {
    /// Sizes and counts, ascending by size.
    pub points: Vec<SizedCount>,
    /// Fits of all models, in their order.
    pub fits: Vec<GrowthFit>,
    /// The simplest of the best fits.
    pub best: GrowthFit,
}

impl GrowthModel {
    /// All models, in their order.
    pub const ALL: [Self; 6] = [
        Self::Constant,
        Self::Logarithmic,
        Self::Linear,
        Self::Linearithmic,
        Self::Quadratic,
        Self::Cubic,
    ];

    /// Name of the model in `scaling` of `#[benches]`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Logarithmic => "log n",
            Self::Linear => "n",
            Self::Linearithmic => "n log n",
            Self::Quadratic => "n^2",
            Self::Cubic => "n^3",
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
            Self::Linear => n,
            Self::Linearithmic => n * log,
            Self::Quadratic => n * n,
            Self::Cubic => n * n * n,
        }
    }
}

impl MeasuredGrowth {
    /// The growth of counts. `None`: there are fewer than [`FEWEST_SIZES`] different sizes.
    #[must_use]
    pub fn of(mut points: Vec<SizedCount>) -> Option<Self> {
        points.sort_by_key(|point| (point.size, point.count));
        let mut sizes: Vec<u64> = points.iter().map(|point| point.size).collect();
        sizes.dedup();
        if sizes.len() < FEWEST_SIZES {
            return None;
        }
        let fits = GrowthModel::ALL.map(|model| fit(model, &points));
        let least = least_error(&fits);
        let bound = EXACT.max(least * AS_GOOD);
        let best = *fits.iter().find(|fit| fit.error <= bound)?;
        Some(Self {
            points,
            fits: fits.to_vec(),
            best,
        })
    }

    /// Do the counts grow no faster than this? A model that describes them well enough holds even if a larger one
    /// describes them better.
    #[must_use]
    pub fn is_at_most(&self, stated: GrowthModel) -> bool {
        let smaller = self.fits.iter().filter(|fit| fit.model <= stated);
        let error = least_error(smaller);
        self.best.model <= stated || error <= HOLDS || self.best.error >= BETTER * error
    }
}

fn least_error<'a>(fits: impl IntoIterator<Item = &'a GrowthFit>) -> f64 {
    let errors = fits.into_iter().map(|fit| fit.error);
    errors.fold(f64::INFINITY, f64::min)
}

fn fit(model: GrowthModel, points: &[SizedCount]) -> GrowthFit {
    // A count of 0 has no relative error; it counts as the smallest one.
    let count = |point: &SizedCount| point.count.max(1) as f64;
    let relative: Vec<[f64; 2]> = points
        .iter()
        .map(|point| [1.0 / count(point), model.value(point.size) / count(point)])
        .collect();
    let of_constant = |[constant, _]: &[f64; 2]| [*constant, 0.0];
    let without: Vec<[f64; 2]> = relative.iter().map(of_constant).collect();
    let LinearFit {
        coefficients: [constant, factor],
        squares,
    } = least_squares(&relative);
    let total = least_squares(&without).squares;
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
            model in 0..6_usize,
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
                prop_assert_eq!(found.is_at_most(stated), holds, "{:?} {:?}", stated, found);
            }
            if model != GrowthModel::Constant {
                prop_assert!((found.best.factor / factor - 1.0).abs() < 0.05, "{:?}", found);
            }
        }

        #[test]
        fn noise_of_two_percent_makes_no_stated_growth_fail(
            model in 0..6_usize,
            noise in proptest::collection::vec(-0.02..0.02_f64, 8),
            sizes in sizes(),
        ) {
            let model = GrowthModel::ALL[model];
            let mut points = points(|n| 1000.0 * (1.0 + model.value(n as u64)), &sizes);
            for (point, noise) in points.iter_mut().zip(noise) {
                point.count = (point.count as f64 * (1.0 + noise)).round() as u64;
            }
            let found = MeasuredGrowth::of(points).unwrap();
            prop_assert!(found.is_at_most(model), "{:?}", found);
            // A growth of two steps more is seen all the same.
            if let Some(below) = (model as usize).checked_sub(2).map(|index| GrowthModel::ALL[index]) {
                prop_assert!(!found.is_at_most(below), "{:?} {:?}", below, found);
            }
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
                prop_assert!(found.is_at_most(GrowthModel::Cubic));
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

    #[test]
    fn a_narrow_range_tells_neighbours_apart() {
        let found = measured(|n| 1000.0 * n * n.log2(), &[1000, 2000, 4000]);
        assert!(!found.is_at_most(GrowthModel::Linear), "{found:?}");
        assert!(found.is_at_most(GrowthModel::Linearithmic));
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
