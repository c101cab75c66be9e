//! An executable with its own source of random numbers, without a word of unsafe code.
#![forbid(unsafe_code)]

use std::collections::HashMap;

use iai_callgrind::{library_benchmark, library_benchmark_group, main, LibraryBenchmarkConfig};

#[library_benchmark]
#[bench::default(10)]
#[bench::declined(args = (10), config = LibraryBenchmarkConfig::default().deterministic_random(false))]
fn squares(n: u64) -> HashMap<u64, u64> {
    (0..n).map(|n| (n, n * n)).collect()
}

library_benchmark_group!(name = group, benchmarks = [squares]);
main!(
    deterministic_random = true,
    library_benchmark_groups = [group],
);
