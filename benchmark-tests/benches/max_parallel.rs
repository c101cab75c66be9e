//! Groups whose benchmarks may or may not run at the same time.

use std::fs::OpenOptions;
use std::io::Write;
use std::thread::sleep;
use std::time::Duration;

use iai_callgrind::{library_benchmark, library_benchmark_group, main, LibraryBenchmarkConfig};

/// Writes down when it begins and when it ends.
#[library_benchmark]
#[benches::of(iter = 0..4)]
fn slow(_: u64) {
    note("begin\n");
    sleep(Duration::from_millis(300));
    note("end\n");
}

fn note(text: &str) {
    let path = std::env::var_os("NOTES").unwrap();
    let mut file = OpenOptions::new().append(true).open(path).unwrap();
    // In one piece: others write to the same file at the same time.
    file.write_all(text.as_bytes()).unwrap();
}

library_benchmark_group!(name = free, benchmarks = [slow]);
library_benchmark_group!(name = alone, max_parallel = 1, benchmarks = [slow]);
library_benchmark_group!(name = pairs, max_parallel = 1 + 1, benchmarks = [slow]);
main!(
    config = LibraryBenchmarkConfig::default().pass_through_env("NOTES"),
    library_benchmark_groups = [free, alone, pairs]
);
