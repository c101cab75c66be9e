//! Strict lints find nothing in what the macros write.
#![deny(warnings, missing_docs, unused_qualifications, clippy::pedantic)]

use iai_callgrind::{library_benchmark, library_benchmark_group, main, measure};

fn make(n: u64) -> Vec<u64> {
    (0..n).collect()
}

#[library_benchmark]
#[bench::one(1)]
#[benches::iter(iter = [1, 2])]
fn plain(n: u64) -> u64 {
    measure(|| n + 1)
}

#[library_benchmark(setup = make, teardown = drop)]
#[bench::one(1)]
#[benches::labelled(1, 2, labels = ["a", "b"])]
fn made(mut values: Vec<u64>) -> Vec<u64> {
    values.sort_unstable();
    values
}

#[library_benchmark]
#[bench::two(consts = (2))]
fn sized<const N: usize>() -> [u8; N] {
    [0; N]
}

library_benchmark_group!(
    name = all,
    max_parallel = 2,
    compare_by_id = true,
    setup = drop(make(1)),
    benchmarks = [plain, made, sized]
);
main!(library_benchmark_groups = [all]);
