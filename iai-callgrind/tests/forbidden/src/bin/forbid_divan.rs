//! A file for Divan with all forms of its attributes.
#![cfg(not(test))] // The harness of rustc itself allows `dead_code` for `main`.
#![forbid(unsafe_code)]

use iai_callgrind_divan::{self as divan, black_box, Bencher};

#[divan::bench]
fn plain() -> u64 {
    black_box(1) + 2
}

#[divan::bench(args = [1, 2], sample_count = 10)]
fn of_values(n: u64) -> u64 {
    black_box(n) + 2
}

#[divan::bench(args = ["a", "b"])]
fn of_references(text: &str) -> usize {
    text.len()
}

#[divan::bench(types = [Vec<u8>, String])]
fn of_types<T: Default>() -> T {
    T::default()
}

#[divan::bench(consts = [1, 2])]
const fn of_constants<const N: usize>() -> [u8; N] {
    [0; N]
}

const SIZES: [usize; 2] = [1, 2];

#[divan::bench(types = [u8, u16], consts = SIZES, args = [3])]
fn of_all<T: Default + Copy, const N: usize>(n: usize) -> ([T; N], usize) {
    ([T::default(); N], n)
}

#[divan::bench]
fn with_bencher(bencher: Bencher<'_, '_>) {
    bencher.with_inputs(|| vec![1]).bench_values(|v| v.len());
}

#[divan::bench(args = [3], ignore)]
fn with_both(bencher: Bencher<'_, '_>, n: u64) {
    bencher.counter(n).bench_local(|| n + 1);
}

#[divan::bench_group(max_time = 1)]
mod group {
    use super::divan;

    #[divan::bench(name = "other name")]
    fn inner() {}
}

fn main() {
    divan::main();
}
