//! Least squares with two coefficients that are not negative.

/// A fit of `1 = first · a + second · b`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LinearFit {
    /// The coefficients of the first and the second column.
    pub(super) coefficients: [f64; 2],
    /// Sum of the squared residuals, each times its weight.
    pub(super) squares: f64,
}

/// Columns that are to add up to 1, and how much they count.
#[derive(Debug, Clone, Copy)]
pub(super) struct WeightedRow {
    pub(super) columns: [f64; 2],
    pub(super) weight: f64,
}

/// The coefficients, not negative, for which each row with them is as near to 1 as possible.
pub(super) fn least_squares(rows: &[WeightedRow]) -> LinearFit {
    // Columns of the same length, so that nothing is lost where they are of very different sizes.
    let length = |column: usize| {
        let squares = rows
            .iter()
            .map(|row| (row.columns[column] * row.weight).powi(2));
        match squares.sum::<f64>().sqrt() {
            length if length.is_normal() => length,
            // A column of zeros, as the constant model has, stays one.
            _ => 1.0,
        }
    };
    let lengths = [length(0), length(1)];
    let scaled: Vec<[f64; 2]> = rows
        .iter()
        .map(|row| [0, 1].map(|column| row.columns[column] * row.weight / lengths[column]))
        .collect();
    let weighted = || scaled.iter().zip(rows);
    let sums = [0, 1].map(|column| {
        let products = weighted().map(|(scaled, row)| scaled[column] * row.weight);
        products.sum::<f64>()
    });
    let both = scaled
        .iter()
        .map(|[first, second]| first * second)
        .sum::<f64>();
    // Both columns have length 1, so the matrix of the normal equations is [1, both; both, 1].
    let determinant = 1.0 - both * both;
    let inner = [
        (sums[0] - both * sums[1]) / determinant,
        (sums[1] - both * sums[0]) / determinant,
    ];
    let is_allowed = |fit: &[f64; 2]| {
        // Columns that are nearly parallel would divide rounding errors by almost nothing.
        determinant > 1e-12
            && fit
                .iter()
                .all(|number| number.is_finite() && *number >= 0.0)
    };
    // The sum of squares is convex: where its minimum is not allowed, the least allowed one has a
    // coefficient of 0. Columns have no negative numbers, so neither has any of these.
    let alone = [[sums[0], 0.0], [0.0, sums[1]]];
    let squares = |fit: &[f64; 2]| {
        let residuals =
            weighted().map(|(scaled, row)| row.weight - scaled[0] * fit[0] - scaled[1] * fit[1]);
        residuals.map(|residual| residual.powi(2)).sum::<f64>()
    };
    let candidates = alone.into_iter().chain(Some(inner).filter(is_allowed));
    let best = candidates.map(|fit| (squares(&fit), fit));
    let best = best.min_by(|(one, _), (other, _)| one.total_cmp(other));
    // `alone` has two candidates, so there is always a best one.
    let (squares, fit) = best.unwrap_or((0.0, [0.0; 2]));
    LinearFit {
        coefficients: [fit[0] / lengths[0], fit[1] / lengths[1]],
        squares,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rows: &[[f64; 2]], expected: [f64; 2], squares: f64) {
        let rows: Vec<WeightedRow> = rows
            .iter()
            .map(|columns| WeightedRow {
                columns: *columns,
                weight: 1.0,
            })
            .collect();
        let fit = least_squares(&rows);
        for (found, expected) in fit.coefficients.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "{fit:?}");
        }
        assert!((fit.squares - squares).abs() < 1e-9, "{fit:?}");
    }

    #[test]
    fn exact_fits_have_no_residual() {
        check(&[[1.0, 0.0], [0.0, 0.5]], [1.0, 2.0], 0.0);
        check(&[[0.5, 0.5], [0.25, 0.75], [0.75, 0.25]], [1.0, 1.0], 0.0);
    }

    #[test]
    fn no_coefficient_is_negative() {
        // Without the bound: -1 and 2.
        check(&[[1.0, 1.0], [3.0, 2.0]], [0.0, 0.6], 0.2);
    }

    #[test]
    fn a_column_of_zeros_has_no_part() {
        check(&[[0.5, 0.0], [0.5, 0.0]], [2.0, 0.0], 0.0);
        check(&[], [0.0, 0.0], 0.0);
    }
}
