//! Without the names of the prelude, and without those of crates and attributes of tools.
#![cfg(not(test))] // The harness of rustc itself allows `dead_code` for `main`.
#![forbid(unsafe_code)]
#![no_implicit_prelude]

use ::iai_callgrind::{
    binary_benchmark, binary_benchmark_group, library_benchmark, library_benchmark_group, main,
    Bench, BinaryBenchmark, Command,
};
use ::iai_callgrind_criterion::{criterion_group, Criterion};
use ::std::vec::Vec;

fn make(n: u64) -> Vec<u64> {
    ::std::vec![n; 3]
}

#[library_benchmark(setup = make)]
#[bench::one(1)]
#[benches::elements(iter = [2, 3], throughput = |n| Elements(n))]
#[benches::sizes(args = [1, 2, 3], scaling = "n")]
fn made(values: Vec<u64>) -> usize {
    values.len()
}

#[library_benchmark]
#[bench::two(&[1], consts = (2))]
const fn generic<const N: usize>(values: &[u64]) -> [usize; N] {
    [values.len(); N]
}

#[library_benchmark]
#[benches::lines(file = "iai-callgrind/tests/forbidden/Cargo.toml")]
async fn future(line: ::std::string::String) -> usize {
    line.len()
}

#[binary_benchmark]
#[bench::one("1", setup = |_| (), teardown = |_| ())]
fn program(text: &str) -> Command {
    Command::new("echo").arg(text)
}

#[::iai_callgrind_divan::bench(args = [1, 2], types = [u8], bytes_count = 4_u32)]
fn for_divan<T: ::std::convert::Into<u64>>(n: u64) -> u64 {
    n + n
}

fn for_criterion(c: &mut Criterion) {
    let _ = c.bench_function("add", |b| b.iter(|| 1 + 2));
}

criterion_group!(benches, for_criterion);
library_benchmark_group!(
    name = functions,
    setup = make(1),
    benchmarks = [made, generic, future]
);
binary_benchmark_group!(name = programs, benchmarks = program);
binary_benchmark_group!(
    name = low_level;
    benchmarks = |group| {
        let bench = Bench::new("id").command(Command::new("true")).build();
        let _ = group.binary_benchmark(BinaryBenchmark::new("added").bench(bench));
    }
);
main!(binary_benchmark_groups = [programs, low_level]);
