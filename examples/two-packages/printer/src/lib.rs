//! Sums of numbers, such as `1 + 2`: numbers to text.

/// The sum as text.
pub fn print(numbers: &[i64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
    numbers.join(" + ")
}
