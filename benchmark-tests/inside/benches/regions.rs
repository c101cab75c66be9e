//! Functions and closures inside of the regions of `measure`.

use std::hint::black_box;

use iai_callgrind::{library_benchmark, measure};
use inside_benchmarks::rounds;

use super::apply;

#[library_benchmark]
#[benches::n(1, 1_000_001)]
pub(crate) fn nested_in_region(n: u64) {
    #[inline(never)]
    fn inner(n: u64) {
        rounds(n);
    }
    measure(|| inner(n));
    // Not in a region.
    inner(black_box(n));
}

#[library_benchmark]
#[benches::n(1, 1_000_001)]
pub(crate) fn region_of_closure(n: u64) {
    let closure: &dyn Fn() = &|| rounds(black_box(n));
    measure(black_box(closure));
}

#[library_benchmark]
#[benches::n(1, 1_000_001)]
pub(crate) fn region_with_generic_callee(n: u64) {
    measure(|| {
        apply(
            |n| {
                rounds(n);
                n
            },
            n,
        )
    });
}

#[library_benchmark]
#[benches::n(1, 1_000_001)]
pub(crate) fn three_regions(n: u64) {
    for _ in 0..black_box(3) {
        measure(|| rounds(n));
    }
}
