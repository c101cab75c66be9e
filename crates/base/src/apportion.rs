//! Whole numbers divided in proportion, without losing one.

/// Divides `amount` in proportion to the weights, so that the parts add up to it. What does not
/// divide evenly goes to the largest remainders. Without any weight there are only zeros.
pub fn divide(amount: u64, weights: &[u64]) -> Vec<u64> {
    let whole: u128 = weights.iter().copied().map(u128::from).sum();
    if whole == u128::from(amount) || whole == 0 {
        return weights.to_vec();
    }
    let mut remainders = Vec::new();
    let mut parts = Vec::with_capacity(weights.len());
    let mut rest = amount;
    for (index, weight) in weights.iter().enumerate() {
        let product = u128::from(amount) * u128::from(*weight);
        // The quotient is at most the amount.
        let part = (product / whole) as u64;
        parts.push(part);
        rest -= part;
        if product % whole > 0 {
            remainders.push((product % whole, index));
        }
    }
    remainders.sort_unstable_by(|(a, i), (b, j)| b.cmp(a).then(i.cmp(j)));
    for (_, index) in remainders.into_iter().take(rest as usize) {
        parts[index] += 1;
    }
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::divide;

    #[test]
    fn remainders_go_to_the_largest() {
        assert_eq!(divide(10, &[1, 1, 1]), [4, 3, 3]);
        assert_eq!(divide(7, &[3, 0, 4]), [3, 0, 4]);
        assert_eq!(divide(3, &[1, 5]), [1, 2]);
        assert_eq!(divide(5, &[0, 0]), [0, 0]);
        assert_eq!(divide(0, &[2, 3]), [0, 0]);
        assert_eq!(
            divide(u64::MAX, &[u64::MAX, u64::MAX]),
            [1 << 63, (1 << 63) - 1]
        );
    }

    proptest! {
        #[test]
        fn parts_add_up(amount: u64, weights in prop::collection::vec(any::<u64>(), 1..20)) {
            let parts = divide(amount, &weights);
            let sum: u128 = parts.iter().copied().map(u128::from).sum();
            let any = weights.iter().any(|weight| *weight > 0);
            prop_assert_eq!(sum, if any { u128::from(amount) } else { 0 });
        }
    }
}
