use iai_callgrind::{library_benchmark, library_benchmark_group};

#[library_benchmark]
fn sort() {}

#[library_benchmark]
fn search() {}

library_benchmark_group!(name = sort, benchmarks = [search]);

fn main() {}
