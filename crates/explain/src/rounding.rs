//! Rows of causes: whole numbers that add up to the difference.

use super::place::PlacedCause;

/// Causes that are kept at most, beside a row for all others.
const MOST: usize = 19;

/// Largest difference between the sum of the causes and the whole difference that rounding
/// explains, as a share of what was counted.
const TOLERANCE: f64 = 1e-6;

/// Most that all causes may be together, whatever their signs: floating-point numbers are exact up
/// to here.
const MOST_COUNTED: f64 = (1_u64 << 53) as f64;

/// Causes with whole numbers, the largest first and libraries of the system at the end, and the
/// rest.
pub(super) struct RoundedCauses {
    pub(super) causes: Vec<(PlacedCause, i64)>,
    /// Number of the causes that are left out, and their sum.
    pub(super) rest: Option<(usize, i64)>,
}

/// Orders the causes and rounds them, so that they add up to `difference`. `None`: they do not, by
/// more than rounding explains; `counted` is the sum of both totals.
pub(super) fn rounded(
    mut causes: Vec<PlacedCause>,
    difference: i64,
    counted: f64,
) -> Option<RoundedCauses> {
    let amounts: Vec<f64> = causes.iter().map(|cause| cause.amount).collect();
    let sum: f64 = amounts.iter().sum();
    // An error below half a count disappears in the rounding, however small the totals are.
    let adds_up = (sum - difference as f64).abs() <= (TOLERANCE * counted).max(0.5);
    let sizes: f64 = amounts.iter().map(|amount| amount.abs()).sum();
    // Numbers of calls that contradict each other make huge causes that cancel each other out.
    if !adds_up || sizes > MOST_COUNTED {
        return None;
    }
    let rounded = round(&amounts, difference);
    let mut order: Vec<usize> = (0..causes.len())
        .filter(|index| rounded[*index] != 0)
        .collect();
    order.sort_by_key(|index| {
        let size = std::cmp::Reverse(rounded[*index].abs());
        // With another C library `calls 0x7b2d0 instead of __sin_fma` came before the loop that was
        // edited.
        (causes[*index].is_library, size, *index)
    });
    // A row for all others stands for two at least: a single cause is shown itself.
    let rest = match order.len() > MOST + 1 {
        true => order.split_off(MOST),
        false => Vec::new(),
    };
    let rest = (!rest.is_empty()).then(|| {
        let sum = rest.iter().map(|index| rounded[*index]).sum();
        (rest.len(), sum)
    });
    let mut places: Vec<Option<PlacedCause>> = causes.drain(..).map(Some).collect();
    let chosen = order.into_iter();
    let chosen = chosen.filter_map(|index| Some((places[index].take()?, rounded[index])));
    Some(RoundedCauses {
        causes: chosen.collect(),
        rest,
    })
}

/// Rounds amounts to whole numbers with a given sum, by the largest remainder method: the missing
/// units go to the largest remainders, and any further ones to the largest amount.
pub(super) fn round(amounts: &[f64], sum: i64) -> Vec<i64> {
    let mut rounded: Vec<i64> = amounts.iter().map(|amount| amount.floor() as i64).collect();
    let mut missing = rounded
        .iter()
        .fold(sum, |sum, part| sum.saturating_sub(*part));
    let mut order: Vec<usize> = (0..amounts.len()).collect();
    let remainder = |index: usize| amounts[index] - amounts[index].floor();
    order.sort_by(|a, b| remainder(*b).total_cmp(&remainder(*a)).then(a.cmp(b)));
    // Remainders that are only floating-point errors of whole numbers come last in this order.
    for index in order {
        if missing <= 0 {
            break;
        }
        rounded[index] = rounded[index].saturating_add(1);
        missing -= 1;
    }
    // What is left is the error of the sum, which the largest amount shows least.
    let largest = (0..amounts.len()).max_by(|a, b| amounts[*a].abs().total_cmp(&amounts[*b].abs()));
    if let Some(largest) = largest {
        rounded[largest] = rounded[largest].saturating_add(missing);
    }
    rounded
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::round;

    #[test]
    fn remainders_go_to_the_largest() {
        assert_eq!(round(&[1.5, 2.25, -3.75], 0), [2, 2, -4]);
        assert_eq!(round(&[0.4, 0.4, 0.2], 1), [1, 0, 0]);
        assert!(round(&[], 0).is_empty());
        // An error in the last place is no difference of one.
        assert_eq!(
            round(&[1e9 + 1e-7, 5.0 - 1e-7], 1_000_000_005),
            [1_000_000_000, 5]
        );
        assert_eq!(
            round(&[1e9 - 1e-7, 5.0 + 1e-7], 1_000_000_005),
            [1_000_000_000, 5]
        );
    }

    proptest! {
        #[test]
        fn rounded_amounts_add_up(
            amounts in prop::collection::vec(-1e9..1e9, 1..30),
            noise in -3_i64..3,
        ) {
            let sum = amounts.iter().sum::<f64>().round() as i64 + noise;
            let rounded = round(&amounts, sum);
            prop_assert_eq!(rounded.iter().sum::<i64>(), sum);
            if noise == 0 {
                for (rounded, amount) in rounded.iter().zip(amounts) {
                    prop_assert!((*rounded as f64 - amount).abs() <= 1.0 + 1e-6);
                }
            }
        }
    }
}
