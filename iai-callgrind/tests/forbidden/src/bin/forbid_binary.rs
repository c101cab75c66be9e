//! All forms of binary benchmarks.
#![cfg(not(test))] // The harness of rustc itself allows `dead_code` for `main`.
#![forbid(unsafe_code)]

use iai_callgrind::{
    binary_benchmark, binary_benchmark_attribute, binary_benchmark_group, main, Bench,
    BinaryBenchmark, BinaryBenchmarkConfig, BinaryBenchmarkGroup, Command,
};

const fn prepare(_: &str) {}

const fn nothing() {}

#[binary_benchmark(config = BinaryBenchmarkConfig::default(), setup = prepare)]
#[bench::one("1", teardown = |_| ())]
#[benches::more("2", "3", setup = ())]
#[benches::iterated(iter = ["4"], teardown = { 5 })]
fn echo(text: &str) -> Command {
    Command::new("echo").arg(text)
}

#[binary_benchmark]
#[benches::lines(file = "iai-callgrind/tests/forbidden/Cargo.toml", throughput = |line: String| Bytes(line.len()))]
fn of_lines(line: String) -> Command {
    Command::new("echo").arg(line).build()
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
    max_parallel = 1,
    benchmarks = [echo, of_lines, generic, add]
);
binary_benchmark_group!(
    name = low_level;
    teardown = nothing;
    benchmarks = |group| {
        let _ = group.binary_benchmark(binary_benchmark_attribute!(in_the_low_level_form));
    }
);
binary_benchmark_group!(
    name = typed;
    benchmarks = |group: &mut BinaryBenchmarkGroup| add(group)
);
main!(
    config = BinaryBenchmarkConfig::default(),
    binary_benchmark_groups = [functions, low_level, typed]
);
