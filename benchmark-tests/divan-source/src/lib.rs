//! The measured functions.

/// Two instructions for each number, which the optimizer can neither vectorize nor replace by a
/// formula.
#[inline(never)]
pub fn rounds(mut n: u64) {
    while n > 0 {
        n = std::hint::black_box(n) - 1;
    }
}

/// A text, in two allocations.
#[inline(never)]
#[must_use]
pub fn text(length: usize) -> String {
    let mut text = "a".repeat(length);
    text.push('b');
    text
}
