//! Calls of `shapes`, by hand.

use std::hint::black_box;

use divan_source::{rounds, text};
use iai_callgrind::{library_benchmark, main};

#[library_benchmark]
fn plain() {
    rounds(black_box(100));
}

#[library_benchmark]
fn returned() -> String {
    text(black_box(100))
}

#[library_benchmark]
#[bench::hundred(100)]
fn values(n: u64) {
    rounds(n);
}

#[library_benchmark]
#[bench::text(text(100))]
fn bench_values(text: String) -> String {
    text + "c"
}

#[library_benchmark]
#[bench::reversed(setup = || (0..100).rev().collect::<Vec<u32>>())]
#[allow(clippy::ptr_arg)] // As the routine has it.
fn bench_refs(numbers: &mut Vec<u32>) {
    numbers.sort();
}

#[library_benchmark]
#[bench::hundred(black_box(100))]
fn bench(n: u64) {
    rounds(n);
}

/// The allocator that the one of `shapes` calls.
#[global_allocator]
static ALLOC: std::alloc::System = std::alloc::System;

main!();
