//! Measuring parts of a benchmark function.

use std::hint::black_box;

use iai_callgrind::{
    library_benchmark, library_benchmark_group, main, measure, Callgrind, LibraryBenchmarkConfig,
};
use inside_benchmarks::rounds;

/// Work around the region, which must not count.
#[library_benchmark]
#[bench::none(1000, 0)]
#[bench::some(1000, 500)]
#[bench::more(1000, 70_000)]
fn around(counted: u64, around: u64) -> Vec<u64> {
    let list: Vec<u64> = (0..black_box(around)).collect();
    measure(|| rounds(counted));
    list.into_iter().rev().collect()
}

#[library_benchmark]
#[bench::short(1000)]
#[bench::long(2000)]
fn one(n: u64) {
    measure(|| rounds(n));
}

#[library_benchmark]
#[bench::three(3, 1000)]
#[bench::six(6, 1000)]
fn several(times: u64, n: u64) {
    for _ in 0..black_box(times) {
        measure(|| rounds(n));
    }
}

/// Values that the closure captures are dropped inside, its result is not.
#[library_benchmark]
#[bench::kept(1000)]
fn values(n: u64) -> Vec<u64> {
    let mut list: Vec<u64> = (0..n).rev().collect();
    measure(|| list.sort_unstable());
    measure(move || list)
}

#[library_benchmark]
fn nested() {
    measure(|| measure(|| rounds(1)));
}

#[library_benchmark]
fn on_a_thread() {
    let thread = std::thread::spawn(|| measure(|| rounds(1000)));
    thread.join().unwrap();
}

#[library_benchmark(config = LibraryBenchmarkConfig::default()
    .tool(Callgrind::default().count_threads(true)))]
fn with_threads() {
    measure(|| rounds(1000));
}

library_benchmark_group!(
    name = group,
    benchmarks = [
        around,
        one,
        several,
        values,
        nested,
        on_a_thread,
        with_threads
    ]
);
main!(library_benchmark_groups = [group]);
