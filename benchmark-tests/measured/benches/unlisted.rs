//! Functions that are in no group, and an iterator without elements.

use iai_callgrind::{library_benchmark, library_benchmark_group, main};

#[library_benchmark]
fn listed() {
    inside_benchmarks::rounds(10);
}

#[library_benchmark]
#[bench::one(1)]
fn forgotten(n: u64) -> u64 {
    n
}

mod inner {
    #[iai_callgrind::library_benchmark]
    fn forgotten_too() {}

    #[iai_callgrind::library_benchmark]
    #[allow(dead_code)]
    fn on_purpose() {}
}

#[library_benchmark]
#[benches::none(iter = vec![])]
fn empty(n: u64) -> u64 {
    n
}

library_benchmark_group!(name = group, benchmarks = [listed, empty]);
main!(library_benchmark_groups = [group]);
