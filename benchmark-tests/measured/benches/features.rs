//! A function that asks for a feature of the processor, first in its process and not first.

use std::hint::black_box;

use iai_callgrind::{library_benchmark, library_benchmark_group, main};

fn asks() -> bool {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    return std::is_x86_feature_detected!("avx2");
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    black_box(true)
}

fn after_asking(n: u64) -> u64 {
    black_box(asks());
    n
}

#[library_benchmark]
#[bench::first(10)]
#[bench::second(args = (10), setup = after_asking)]
fn dispatches(n: u64) -> u64 {
    match black_box(asks()) {
        true => (0..n).map(black_box).sum(),
        false => (0..n).map(black_box).sum::<u64>() + 1,
    }
}

library_benchmark_group!(name = group, benchmarks = dispatches);
main!(library_benchmark_groups = group);
