use iai_callgrind::{
    binary_benchmark, binary_benchmark_attribute, binary_benchmark_group, library_benchmark,
    library_benchmark_group, main, Bench, BinaryBenchmark, BinaryBenchmarkConfig, Command,
    LibraryBenchmarkConfig, Sandbox,
};

#[binary_benchmark]
fn no_command() -> String {
    String::from("echo")
}

#[binary_benchmark]
fn another_value() -> Command {
    let command = &mut Command::new("true");
    command
}

#[binary_benchmark(config = Sandbox::new(true))]
#[bench::library(config = LibraryBenchmarkConfig::default())]
fn configs() -> Command {
    Command::new("true").build()
}

fn takes_text(_: &str) {}

#[binary_benchmark]
#[bench::argument("1")]
#[bench::setup(1, setup = takes_text)]
#[bench::count(2, teardown = || takes_text(2))]
fn arguments(_: u64) -> Command {
    Command::new("true").build()
}

#[library_benchmark(config = BinaryBenchmarkConfig::default())]
fn library() {}

fn other(_: u64) {}

binary_benchmark_group!(name = library_in_binary; benchmarks = library);
library_benchmark_group!(name = binary_in_library; benchmarks = configs);
binary_benchmark_group!(name = no_benchmark; benchmarks = other);
binary_benchmark_group!(name = missing; benchmarks = not_there);
binary_benchmark_group!(name = low_level, config = 1, benchmarks = |group: &mut BinaryBenchmarkGroup| {
    group.binary_benchmark(BinaryBenchmark::new("b").bench(Bench::new("x").command("true")));
    group.binary_benchmark(binary_benchmark_attribute!(library));
    group.binary_benchmark(binary_benchmark_attribute!(other));
});
binary_benchmark_group!(name = good; benchmarks = configs);
library_benchmark_group!(name = functions; benchmarks = library);

mod binary_main {
    iai_callgrind::main!(binary_benchmark_groups = super::good, super::functions);
}

main!(library_benchmark_groups = functions, good);
