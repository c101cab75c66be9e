//! Functions that both kinds of benchmarks call. Nothing is inlined: a count is that of the call.

use std::collections::HashMap;

/// A Fibonacci number, by recursion.
#[inline(never)]
pub fn fibonacci(n: u64) -> u64 {
    match n {
        0 | 1 => 1,
        n => fibonacci(n - 1) + fibonacci(n - 2),
    }
}

/// Numbers that no sort finds in order.
#[inline(never)]
pub fn shuffled(length: usize) -> Vec<u64> {
    (0..length as u64)
        .map(|n| n.wrapping_mul(7919) % 101)
        .collect()
}

/// Sorts them.
#[inline(never)]
pub fn sort(values: &mut [u64]) {
    values.sort_unstable();
}

/// The sum.
#[inline(never)]
pub fn sum(values: &[u64]) -> u64 {
    values.iter().sum()
}

/// A map whose order depends on random numbers.
#[inline(never)]
pub fn map(length: u64) -> HashMap<u64, u64> {
    (0..length).map(|n| (n, n)).collect()
}
