//! Sums of numbers, such as `1 + 2`: text to numbers.

/// The numbers of a sum; `None` if one of them is no number.
pub fn parse(text: &str) -> Option<Vec<i64>> {
    text.split('+')
        .map(|number| number.trim().parse().ok())
        .collect()
}
