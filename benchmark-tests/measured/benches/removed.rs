//! Work that the compiler removes, and work that is small.

use std::hint::black_box;

use iai_callgrind::{library_benchmark, library_benchmark_group, main, measure};

#[library_benchmark]
fn removed() {
    let _ = (0..1000_u64).sum::<u64>();
}

#[library_benchmark]
fn removed_in_a_region() -> Vec<u64> {
    let list: Vec<u64> = (0..100).map(black_box).collect();
    measure(|| {
        let _ = (0..1000_u64).sum::<u64>();
    });
    list
}

#[library_benchmark]
fn kept() -> u64 {
    (0..1000).map(black_box).sum()
}

#[inline(never)]
fn called() {
    black_box(());
}

/// A function as short as the others, but with a call.
#[library_benchmark]
fn calls() {
    called();
    black_box(());
}

library_benchmark_group!(
    name = group,
    benchmarks = [removed, removed_in_a_region, kept, calls]
);
main!(library_benchmark_groups = [group]);
