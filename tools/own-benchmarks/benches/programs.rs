//! Our own work in a program: what the macros write for a file.

use iai_callgrind::{binary_benchmark, binary_benchmark_group, main, Command};
use own_benchmarks::limits;

/// 24 annotated functions with 112 benchmarks, from the text of the file to the text of the code.
#[binary_benchmark(config = limits::of_program("expands"))]
fn expands() -> Command {
    Command::new(env!("CARGO_BIN_EXE_expand")).build()
}

binary_benchmark_group!(name = macros, benchmarks = [expands]);
main!(binary_benchmark_groups = [macros]);
