//! Calls of `source.rs` as annotated functions, whose counts differ by what stands around the call.

use std::collections::HashMap;
use std::hint::black_box;

use criterion_source::{fibonacci, map, shuffled, sort, sum};
use iai_callgrind::{library_benchmark, library_benchmark_group, main};

#[library_benchmark]
#[bench::fib_20(20)]
fn fib(n: u64) -> u64 {
    fibonacci(black_box(n))
}

#[library_benchmark]
#[bench::size_10(args = (10), setup = shuffled)]
#[bench::size_100(args = (100), setup = shuffled)]
fn batched(mut values: Vec<u64>) -> Vec<u64> {
    sort(&mut values);
    values
}

#[library_benchmark]
#[bench::size_10(args = (10), setup = shuffled)]
#[bench::size_100(args = (100), setup = shuffled)]
fn batched_ref(values: &mut Vec<u64>) {
    sort(values);
}

#[library_benchmark]
fn insert() -> HashMap<u64, u64> {
    map(50)
}

#[library_benchmark]
#[bench::three(&[1, 2, 3])]
fn sum_of_a_slice(values: &[u64]) -> u64 {
    sum(values)
}

library_benchmark_group!(
    name = by_hand,
    benchmarks = [fib, batched, batched_ref, insert, sum_of_a_slice]
);
main!(
    deterministic_random = true,
    library_benchmark_groups = [by_hand]
);
