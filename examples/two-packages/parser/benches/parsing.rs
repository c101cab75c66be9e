use std::hint::black_box;

use iai_callgrind::{library_benchmark, library_benchmark_group, main};

#[library_benchmark]
#[bench::short("1 + 2")]
#[bench::long("100000 + 200000 + 300000 + 400000 + 500000")]
fn parse(text: &str) -> Option<Vec<i64>> {
    black_box(parser::parse(black_box(text)))
}

library_benchmark_group!(name = parsing, benchmarks = [parse]);
main!(library_benchmark_groups = [parsing]);
