use std::process;
use std::time::Duration;

use iai_callgrind::{
    binary_benchmark, binary_benchmark_group, main, BinaryBenchmarkConfig, Callgrind, Command,
    Delay, EntryPoint,
};

const ADDRESS: &str = "127.0.0.1:34568";

/// Starts the server and does not wait for it. What a setup leaves running is killed after the
/// teardown.
fn start_server() {
    process::Command::new(env!("CARGO_BIN_EXE_server"))
        .arg(ADDRESS)
        .spawn()
        .unwrap();
}

/// Only the client counts, and it starts as soon as somebody listens.
#[binary_benchmark(setup = start_server)]
fn echo() -> Command {
    Command::new(env!("CARGO_BIN_EXE_client"))
        .arg(ADDRESS)
        .delay(Delay::from_tcp_socket(ADDRESS).timeout(Duration::from_secs(10)))
        .build()
}

binary_benchmark_group!(
    name = client,
    config =
        BinaryBenchmarkConfig::default().tool(Callgrind::default().entry_point(EntryPoint::Main)),
    benchmarks = [echo]
);
main!(binary_benchmark_groups = [client]);
