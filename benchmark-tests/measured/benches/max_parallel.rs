//! Groups whose benchmarks may or may not run at the same time.

use std::fs::OpenOptions;
use std::io::Write;
use std::thread::sleep;
use std::time::{Duration, Instant};

use iai_callgrind::{library_benchmark, library_benchmark_group, main, LibraryBenchmarkConfig};

/// The longest that the others may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Writes down when it begins and when it ends, and waits in between for the begin of as many as
/// `WAIT_FOR` says.
#[library_benchmark]
#[benches::of(iter = 0..4)]
fn slow(_: u64) {
    note("begin\n");
    let number: usize = std::env::var("WAIT_FOR").unwrap().parse().unwrap();
    let start = Instant::now();
    while begun() < number {
        assert!(start.elapsed() < PATIENCE, "no {number} have begun");
        sleep(Duration::from_millis(5));
    }
    // More of them than may run would begin now.
    sleep(Duration::from_millis(300));
    note("end\n");
}

fn begun() -> usize {
    let notes = std::fs::read_to_string(std::env::var_os("NOTES").unwrap()).unwrap();
    notes.lines().filter(|note| *note == "begin").count()
}

fn note(text: &str) {
    let path = std::env::var_os("NOTES").unwrap();
    let mut file = OpenOptions::new().append(true).open(path).unwrap();
    // In one piece: others write to the same file at the same time.
    file.write_all(text.as_bytes()).unwrap();
}

/// Writes down its processors and those of the process that it is a fork of.
#[library_benchmark]
#[benches::of(iter = 0..4)]
fn processors(_: u64) {
    let own = processors_of("self");
    let server = processors_of(&std::os::unix::process::parent_id().to_string());
    note(&format!("{own} {server}\n"));
}

fn processors_of(process: &str) -> String {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let mut lines = status.lines();
    let list = lines.find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    list.unwrap().trim().to_owned()
}

library_benchmark_group!(name = free, benchmarks = [slow]);
library_benchmark_group!(name = alone, max_parallel = 1, benchmarks = [slow]);
library_benchmark_group!(name = pairs, max_parallel = 1 + 1, benchmarks = [slow]);
library_benchmark_group!(name = placed, benchmarks = [processors]);
main!(
    config = LibraryBenchmarkConfig::default().pass_through_envs(["NOTES", "WAIT_FOR"]),
    library_benchmark_groups = [free, alone, pairs, placed]
);
