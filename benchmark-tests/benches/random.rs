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

fn processors() -> usize {
    std::thread::available_parallelism().unwrap().get()
}

#[library_benchmark]
#[bench::single(config = LibraryBenchmarkConfig::default().single_cpu(true))]
#[bench::any()]
fn cpus() {
    println!("processors: {}", processors());
}

library_benchmark_group!(name = hashing, benchmarks = [map]);
library_benchmark_group!(name = processor, benchmarks = [cpus]);
main!(
    deterministic_random = true,
    library_benchmark_groups = [hashing, processor],
);
