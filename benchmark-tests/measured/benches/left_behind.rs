//! Benchmarks, a setup and a teardown that run shell scripts, and wait for none of the processes
//! that these start.

use std::process::Command;

use iai_callgrind::{library_benchmark, library_benchmark_group, main, LibraryBenchmarkConfig};

/// Runs the script in a variable, if there is one.
fn run(variable: &str) {
    if let Ok(script) = std::env::var(variable) {
        let status = Command::new("sh").args(["-c", &script]).status().unwrap();
        assert!(status.success(), "{variable}: {status}");
    }
}

#[library_benchmark]
fn first() {
    run("SCRIPT");
}

#[library_benchmark]
fn second() {
    run("SECOND");
}

library_benchmark_group!(
    name = group,
    setup = run("SETUP"),
    teardown = run("TEARDOWN"),
    benchmarks = [first, second]
);
main!(
    config = LibraryBenchmarkConfig::default().pass_through_envs(["SCRIPT", "SECOND", "PATH"]),
    library_benchmark_groups = group
);
