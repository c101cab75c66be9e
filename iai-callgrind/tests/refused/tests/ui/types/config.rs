use iai_callgrind::{library_benchmark, library_benchmark_group, Callgrind};

#[library_benchmark(config = "attribute")]
fn a() {}

#[library_benchmark]
#[bench::one(config = 1)]
fn b() {}

#[library_benchmark(config = Callgrind::with_args(["--branch-sim=yes"]))]
fn c() {}

library_benchmark_group!(name = g, config = 'g', benchmarks = [a]);

fn main() {}
