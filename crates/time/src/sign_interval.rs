//! The confidence interval of a median by signs (Conover, *Practical Nonparametric Statistics*,
//! § 3.2): two of the sorted values, whatever their distribution is.

/// Confidence level of the interval.
pub const LEVEL: f64 = 0.999;

/// The fewest values that have an interval at this level, with some room.
pub const LEAST_STARTS: usize = 12;

/// The most values whose probabilities are no 0 in an `f64`.
pub const MOST_STARTS: usize = 512;

/// A median with its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignInterval {
    /// Lower bound.
    pub low: f64,
    /// Median of the values.
    pub estimate: f64,
    /// Upper bound.
    pub high: f64,
}

impl SignInterval {
    /// The interval of these values. `None`: they are too few, or too many.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        let rank = rank(values.len())?;
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        Some(Self {
            low: sorted[rank - 1],
            estimate: of_sorted(&sorted),
            high: sorted[sorted.len() - rank],
        })
    }
}

/// The median of values; 0 without any.
#[must_use]
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    of_sorted(&sorted)
}

fn of_sorted(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    match (sorted.len(), sorted.len() % 2) {
        (0, _) => 0.0,
        (_, 1) => sorted[middle],
        _ => (sorted[middle - 1] + sorted[middle]) / 2.0,
    }
}

/// The largest k with `2 · P(Bin(n, ½) ≤ k − 1) ≤ 1 − LEVEL`: the interval reaches from the k-th
/// smallest value to the k-th largest.
fn rank(values: usize) -> Option<usize> {
    if !(LEAST_STARTS..=MOST_STARTS).contains(&values) {
        return None;
    }
    let mut probability = 0.5_f64.powi(values as i32);
    let mut at_most = 0.0;
    for successes in 0..values {
        at_most += probability;
        if 2.0 * at_most > 1.0 - LEVEL {
            return Some(successes).filter(|rank| *rank > 0);
        }
        probability *= (values - successes) as f64 / (successes + 1) as f64;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A natural number in digits of 32 bits, the lowest first.
    #[derive(Clone)]
    struct Big(Vec<u32>);

    impl Big {
        fn add(&mut self, other: &Self) {
            let mut carry = 0_u64;
            let longest = self.0.len().max(other.0.len());
            self.0.resize(longest, 0);
            for (index, digit) in self.0.iter_mut().enumerate() {
                carry += u64::from(*digit);
                carry += u64::from(other.0.get(index).copied().unwrap_or(0));
                *digit = carry as u32;
                carry >>= 32;
            }
            if carry > 0 {
                self.0.push(carry as u32);
            }
        }

        fn multiply(&mut self, factor: u32) {
            let mut carry = 0_u64;
            for digit in &mut self.0 {
                carry += u64::from(*digit) * u64::from(factor);
                *digit = carry as u32;
                carry >>= 32;
            }
            if carry > 0 {
                self.0.push(carry as u32);
            }
        }

        fn is_at_most(&self, other: &Self) -> bool {
            let digit = |number: &Self, index| number.0.get(index).copied().unwrap_or(0);
            let longest = self.0.len().max(other.0.len());
            let mut digits = (0..longest).rev();
            digits
                .find(|index| digit(self, *index) != digit(other, *index))
                .is_none_or(|index| digit(self, index) < digit(other, index))
        }
    }

    /// The row of Pascal's triangle below this one.
    fn next_row(row: &[Big]) -> Vec<Big> {
        let inner = row.windows(2).map(|pair| {
            let mut sum = pair[0].clone();
            sum.add(&pair[1]);
            sum
        });
        let one = || Big(vec![1]);
        std::iter::once(one()).chain(inner).chain([one()]).collect()
    }

    #[test]
    fn ranks_are_those_of_exact_binomials() {
        let mut row = vec![Big(vec![1])];
        let mut total = Big(vec![1]);
        for values in 1..=MOST_STARTS {
            row = next_row(&row);
            total.multiply(2);
            let mut below = Big(vec![0]);
            let mut exact = 0;
            for coefficient in &row {
                below.add(coefficient);
                // 2 · below / total ≤ 1 / 1000
                let mut scaled = below.clone();
                scaled.multiply(2000);
                if !scaled.is_at_most(&total) {
                    break;
                }
                exact += 1;
            }
            let expected = (values >= LEAST_STARTS).then_some(exact);
            assert_eq!(rank(values), expected, "{values}");
        }
        let known = [(12, 1), (16, 2), (32, 7), (64, 19), (128, 46), (256, 102)];
        for (values, expected) in known {
            assert_eq!(rank(values), Some(expected), "{values}");
        }
        assert_eq!(rank(MOST_STARTS + 1), None);
    }

    #[test]
    fn the_interval_consists_of_values() {
        let values: Vec<f64> = (0..32).rev().map(f64::from).collect();
        let interval = SignInterval::of(&values).unwrap();
        let expected = SignInterval {
            low: 6.0,
            estimate: 15.5,
            high: 25.0,
        };
        assert_eq!(interval, expected);
        assert_eq!(SignInterval::of(&values[..11]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[]), 0.0);
    }
}
