use iai_callgrind::{binary_benchmark_group, BinaryBenchmarkGroup, Command};

fn forgotten() -> Command {
    Command::new("echo")
}

fn with_argument(text: &str) -> Command {
    Command::new("echo").arg(text).build()
}

fn adds(_group: &mut BinaryBenchmarkGroup) {}

fn adds_and_more(_group: &mut BinaryBenchmarkGroup, _n: u64) {}

fn generic<T>(_value: T) {}

binary_benchmark_group!(name = plain, benchmarks = [forgotten, with_argument, adds, adds_and_more, generic]);
binary_benchmark_group!(name = closure, benchmarks = |group: &mut BinaryBenchmarkGroup, n: u64| ());

fn main() {}
