use iai_callgrind::{library_benchmark, library_benchmark_group, main};

#[library_benchmark]
fn a() {}
library_benchmark_group!(name = g, benchmarks = [a]);

const YES: bool = true;
main!(library_benchmark_groups = [g], deterministic_random = YES);
