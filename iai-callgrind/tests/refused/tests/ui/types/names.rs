use iai_callgrind::{library_benchmark, library_benchmark_group};

#[library_benchmark]
#[bench::one(1)]
fn unknown_type(_: Unknown) {}

#[library_benchmark]
fn wrong_body() -> u64 {
    "x"
}

fn plain() {}

library_benchmark_group!(name = g, benchmarks = [plain, missing]);

fn main() {}
