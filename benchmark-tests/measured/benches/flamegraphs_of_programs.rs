//! A flamegraph of a program.

use iai_callgrind::{
    binary_benchmark, binary_benchmark_group, main, BinaryBenchmarkConfig, Callgrind, Command,
    EntryPoint, FlamegraphConfig,
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_binary_program");

fn config(entry_point: EntryPoint) -> BinaryBenchmarkConfig {
    BinaryBenchmarkConfig::default()
        .tool(
            Callgrind::default()
                .entry_point(entry_point)
                .flamegraph(FlamegraphConfig::default()),
        )
        .build()
}

#[binary_benchmark]
#[bench::whole(config = config(EntryPoint::None))]
#[bench::from_main(config = config(EntryPoint::Main))]
fn program() -> Command {
    Command::new(PROGRAM).args(["exit", "0"]).build()
}

binary_benchmark_group!(name = group, benchmarks = [program]);

main!(binary_benchmark_groups = group);
