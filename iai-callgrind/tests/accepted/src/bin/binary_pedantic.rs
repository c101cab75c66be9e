//! Strict lints of rustc find nothing in what the macros write about binary benchmarks.
#![deny(
    warnings,
    missing_docs,
    single_use_lifetimes,
    unreachable_pub,
    unused,
    unused_qualifications,
    let_underscore_drop,
    missing_debug_implementations,
    rust_2018_idioms
)]
#![forbid(unsafe_code)]

use iai_callgrind::{
    binary_benchmark, binary_benchmark_attribute, binary_benchmark_group, main, Bench,
    BinaryBenchmark, BinaryBenchmarkConfig, BinaryBenchmarkGroup, Command,
};

fn prepare(_: &str) {}

#[binary_benchmark(config = BinaryBenchmarkConfig::default(), setup = prepare)]
#[bench::one("1", teardown = |_| ())]
#[benches::more("2", "3", setup = ())]
#[benches::iterated(iter = ["4"], teardown = { 5 })]
fn echo(text: &str) -> Command {
    Command::new("echo").arg(text)
}

#[binary_benchmark]
#[bench::constant(consts = (3))]
fn generic<const N: usize>() -> Command {
    Command::new("echo").args(["x"; N])
}

#[binary_benchmark]
fn in_the_low_level_form() -> Command {
    Command::new("true").build()
}

fn add(group: &mut BinaryBenchmarkGroup) {
    let bench = Bench::new("id").command(Command::new("true")).build();
    let _ = group.binary_benchmark(BinaryBenchmark::new("added").bench(bench));
}

binary_benchmark_group!(
    name = functions,
    setup = prepare(""),
    benchmarks = [echo, generic, add]
);
binary_benchmark_group!(
    name = closure,
    benchmarks = |group: &mut BinaryBenchmarkGroup| {
        group.binary_benchmark(binary_benchmark_attribute!(in_the_low_level_form))
    }
);

main!(binary_benchmark_groups = [functions, closure]);
