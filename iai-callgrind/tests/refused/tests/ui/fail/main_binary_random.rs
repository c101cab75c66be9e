use iai_callgrind::{binary_benchmark, binary_benchmark_group, main, Command};

#[binary_benchmark]
fn program() -> Command {
    Command::new("true").build()
}

binary_benchmark_group!(name = group; benchmarks = program);

main!(deterministic_random = true, binary_benchmark_groups = group);
