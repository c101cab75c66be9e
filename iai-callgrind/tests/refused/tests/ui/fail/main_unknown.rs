use iai_callgrind::{library_benchmark, library_benchmark_group, main};

#[library_benchmark]
fn a() {}
library_benchmark_group!(name = g, benchmarks = [a]);

main!(groups = g, library_benchmark_groups = [g, g, inner::g]);
