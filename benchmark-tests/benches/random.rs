//! Benchmarks whose count depends on random numbers.

use std::collections::HashMap;

use iai_callgrind::{library_benchmark, library_benchmark_group, main, LibraryBenchmarkConfig};

fn fill() -> HashMap<u64, u64> {
    (0..1000).map(|n| (n, n * n)).collect()
}

#[library_benchmark]
#[bench::deterministic()]
#[bench::own_process(config = LibraryBenchmarkConfig::default().fork(false))]
#[bench::random(config = LibraryBenchmarkConfig::default().deterministic_random(false))]
fn map() -> HashMap<u64, u64> {
    fill()
}

library_benchmark_group!(name = hashing, benchmarks = [map]);
main!(
    deterministic_random = true,
    library_benchmark_groups = [hashing]
);
