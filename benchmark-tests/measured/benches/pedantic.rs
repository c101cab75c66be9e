//! Strict lints find nothing in what the macros write: clippy is run on this file with warnings as
//! errors.
#![warn(
    missing_docs,
    single_use_lifetimes,
    unreachable_pub,
    unused_qualifications,
    clippy::pedantic,
    clippy::nursery
)]
#![forbid(unsafe_code)]

use std::fmt::Display;

use iai_callgrind::{
    library_benchmark, library_benchmark_group, main, measure, LibraryBenchmarkConfig,
};

fn numbers(n: u64) -> Vec<u64> {
    (0..n).collect()
}

/// Everything that attributes can say.
#[library_benchmark(config = LibraryBenchmarkConfig::default().env("MODE", "strict"))]
#[bench::one(1)]
#[bench::expression({ 1 + 1 })]
#[bench::labelled(args = (3), label = "three", config = LibraryBenchmarkConfig::default())]
#[benches::some(1, 2)]
#[benches::elements(iter = [1, 2].into_iter().map(|n| n * 2))]
fn plain(n: u64) -> u64 {
    measure(|| n + 1)
}

#[library_benchmark(setup = numbers, teardown = drop)]
#[bench::one(1)]
#[bench::closures(1, setup = |n: u64| numbers(n + 1), teardown = |numbers: Vec<u64>| assert!(!numbers.is_empty()))]
#[bench::evaluated(numbers(2), setup = (), teardown = println!("done"))]
fn sort(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.sort_unstable();
    numbers
}

#[library_benchmark(setup = numbers)]
#[bench::one(1)]
fn borrowed(numbers: &[u64]) -> u64 {
    numbers.iter().sum()
}

#[library_benchmark]
#[benches::sizes(args = ["x", "y"], consts = [2, 4])]
fn repeated<T: Display, const N: usize>(text: T) -> String {
    text.to_string().repeat(N)
}

library_benchmark_group!(
    name = strict,
    config = LibraryBenchmarkConfig::default(),
    compare_by_id = true,
    max_parallel = 2,
    setup = drop(numbers(1)),
    teardown = || println!("done"),
    benchmarks = [plain, sort, borrowed, repeated]
);
main!(
    config = LibraryBenchmarkConfig::default(),
    setup = println!("start"),
    library_benchmark_groups = [strict],
);
