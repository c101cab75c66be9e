//! Equal counts of what has a single case, or is a program.

use iai_callgrind::{binary_benchmark, binary_benchmark_group, library_benchmark, Command};
use iai_callgrind::library_benchmark_group;

#[library_benchmark(equal_counts = true)]
#[bench::one(1)]
fn one_case(n: u64) -> u64 {
    n
}

#[library_benchmark(equal_counts = 1)]
#[benches::two(1, 2)]
fn number(n: u64) -> u64 {
    n
}

#[library_benchmark]
#[benches::two(1, 2)]
fn library(n: u64) -> u64 {
    n
}

#[binary_benchmark(equal_counts = true)]
fn program() -> Command {
    Command::new("/bin/true")
}

#[binary_benchmark]
fn other_program() -> Command {
    Command::new("/bin/true")
}

library_benchmark_group!(name = of_library, equal_counts = "yes", benchmarks = library);
binary_benchmark_group!(name = of_binary, equal_counts = true, benchmarks = other_program);

fn main() {}
