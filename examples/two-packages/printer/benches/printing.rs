use std::hint::black_box;

use iai_callgrind::{library_benchmark, library_benchmark_group, main};

#[library_benchmark]
#[bench::short(vec![1, 2])]
#[bench::long(vec![100_000; 5])]
fn print(numbers: Vec<i64>) -> String {
    black_box(printer::print(black_box(&numbers)))
}

library_benchmark_group!(name = printing, benchmarks = [print]);
main!(library_benchmark_groups = [printing]);
