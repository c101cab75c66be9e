use std::hint::black_box;

use iai_callgrind::{library_benchmark, library_benchmark_group, main};

#[library_benchmark]
#[bench::at_the_end("1 + 2 + 3 + 4 + x")]
#[bench::at_the_begin("x + 1 + 2 + 3 + 4")]
fn no_number(text: &str) -> Option<Vec<i64>> {
    black_box(parser::parse(black_box(text)))
}

library_benchmark_group!(name = errors, benchmarks = [no_number]);
main!(library_benchmark_groups = [errors]);
