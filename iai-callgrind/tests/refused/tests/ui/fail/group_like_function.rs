use iai_callgrind::{library_benchmark, library_benchmark_group, main};

#[library_benchmark]
fn sort() {}

library_benchmark_group!(name = sort, benchmarks = [sort]);
main!(library_benchmark_groups = sort);
