//! Benchmarks whose work is known, for Linux perf.

use std::hint::black_box;
use std::time::Duration;

use iai_callgrind::{
    library_benchmark, library_benchmark_group, main, perf_disable, perf_enable, perf_log,
    LibraryBenchmarkConfig, Perf,
};
use nix::time::ClockId;

/// Takes this much time of the processor.
fn busy(time: Duration) {
    let clock = || Duration::from(ClockId::CLOCK_PROCESS_CPUTIME_ID.now().unwrap());
    let start = clock();
    while clock() - start < time {}
}

/// Touches this many pages for the first time.
fn touch(pages: usize) -> Vec<u8> {
    let mut memory = vec![0_u8; (pages + 2) * 4096];
    for page in 0..pages {
        memory[page * 4096] = black_box(1);
    }
    memory
}

fn prepare() -> usize {
    drop(black_box(touch(2000)));
    200
}

/// The setup is not counted: it touches ten times as many pages.
#[library_benchmark(setup = prepare)]
#[bench::two_hundred()]
fn pages(pages: usize) -> Vec<u8> {
    touch(pages)
}

#[library_benchmark]
fn nothing() {}

#[library_benchmark]
fn milliseconds() {
    // How much is said from outside, so that two runs can differ.
    let time = std::env::var("MILLISECONDS").map_or(2, |text| text.parse().unwrap());
    busy(Duration::from_millis(time));
}

/// Only what is between the marks counts.
#[library_benchmark(
    config = LibraryBenchmarkConfig::default().tool(Perf::default().disable_entry_point(true))
)]
fn marked() -> Vec<u8> {
    let before = touch(2000);
    let token = perf_enable!();
    let counted = touch(200);
    perf_disable!(token);
    perf_log!("touched {} bytes", before.len());
    let token = perf_enable!();
    let again = touch(200);
    perf_disable!(token);
    [before, counted, again].concat()
}

/// Without `disable_entry_point` marks do nothing.
#[library_benchmark(setup = prepare)]
#[bench::two_hundred()]
fn marked_in_vain(pages: usize) -> Vec<u8> {
    perf_disable!(perf_enable!());
    perf_log!("nobody reads this");
    touch(pages)
}

#[library_benchmark]
fn panics() {
    panic!("as it has to");
}

#[library_benchmark]
fn is_killed() {
    nix::sys::signal::raise(nix::sys::signal::Signal::SIGKILL).unwrap();
}

library_benchmark_group!(
    name = counts,
    benchmarks = [pages, nothing, milliseconds, marked, marked_in_vain]
);
library_benchmark_group!(name = fails, benchmarks = [panics, is_killed]);
main!(
    config = LibraryBenchmarkConfig::default().pass_through_env("MILLISECONDS"),
    library_benchmark_groups = [counts, fails]
);
