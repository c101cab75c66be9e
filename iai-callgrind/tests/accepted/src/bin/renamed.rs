//! The library under another name.

extern crate iai_callgrind as counted;

mod again {
    pub use ::iai_callgrind as library;
}

#[counted::library_benchmark(crate = counted)]
#[bench::one(1, config = counted::LibraryBenchmarkConfig::default())]
fn here(x: u64) -> u64 {
    x
}

#[counted::library_benchmark(crate = crate::again::library)]
fn there() {}

again::library::library_benchmark_group!(name = group, benchmarks = [here, there]);
counted::main!(library_benchmark_groups = group);
