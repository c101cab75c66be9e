//! Programs under Linux perf.

use iai_callgrind::{
    binary_benchmark, binary_benchmark_group, main, BinaryBenchmarkConfig, Command, ExitWith, Perf,
    PerfRunMode, Stdin,
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_perf_program");

fn perf(perf: &mut Perf) -> BinaryBenchmarkConfig {
    BinaryBenchmarkConfig::default().tool(perf).build()
}

/// The whole program counts.
#[binary_benchmark]
#[bench::few("100")]
#[bench::many("1100")]
fn touches(pages: &str) -> Command {
    Command::new(PROGRAM).args(["touch", pages]).build()
}

#[binary_benchmark(config = perf(Perf::default().disable_entry_point(true)))]
fn marked() -> Command {
    Command::new(PROGRAM).args(["marked", "200"]).build()
}

/// Marks do nothing.
#[binary_benchmark]
fn marked_in_vain() -> Command {
    Command::new(PROGRAM).args(["marked", "200"]).build()
}

#[binary_benchmark(config = BinaryBenchmarkConfig::default().exit_with(ExitWith::Code(3)))]
fn exits() -> Command {
    Command::new(PROGRAM).args(["exit", "3"]).build()
}

#[binary_benchmark(config = BinaryBenchmarkConfig::default().exit_with(ExitWith::Signal(6)))]
fn aborts() -> Command {
    Command::new(PROGRAM).arg("abort").build()
}

#[binary_benchmark]
fn fails() -> Command {
    Command::new(PROGRAM).arg("abort").build()
}

#[binary_benchmark(config = perf(Perf::default().run_mode(PerfRunMode::DefaultCalibrate)))]
fn reads() -> Command {
    let stdin = Stdin::File("Cargo.toml".into());
    Command::new(PROGRAM)
        .args(["touch", "1"])
        .stdin(stdin)
        .build()
}

binary_benchmark_group!(
    name = programs,
    benchmarks = [touches, marked, marked_in_vain, exits, aborts, fails, reads]
);
main!(binary_benchmark_groups = [programs]);
