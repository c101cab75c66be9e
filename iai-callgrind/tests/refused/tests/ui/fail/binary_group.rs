use iai_callgrind::{binary_benchmark, binary_benchmark_group, Command};

#[binary_benchmark]
fn a() -> Command {
    Command::new("true").build()
}

binary_benchmark_group!();
binary_benchmark_group!(name = no_benchmarks);
binary_benchmark_group!(benchmarks = a);
binary_benchmark_group!(name = empty; benchmarks = );
binary_benchmark_group!(name = unknown, sandbox = true, benchmarks = [a]);
binary_benchmark_group!(name = same_function, benchmarks = [a, a]);
binary_benchmark_group!(name = a, benchmarks = [a]);
binary_benchmark_group!(name = no_path, benchmarks = [a()]);
binary_benchmark_group!(name = two_parameters, benchmarks = |group, other| ());
binary_benchmark_group!(name = no_parameter, benchmarks = || ());
binary_benchmark_group!(name = two_closures, benchmarks = [|group| (), |group| ()]);

fn main() {}
