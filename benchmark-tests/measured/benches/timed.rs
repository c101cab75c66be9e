//! Benchmarks whose time is known, or that cannot be timed.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use iai_callgrind::{
    library_benchmark, library_benchmark_group, main, measure, LibraryBenchmarkConfig, Time,
};

/// The test writes other numbers into a copy of the executable.
static TICKS: &str = "spins for 00260000 ticks of the processor";

#[cfg(target_arch = "x86_64")]
fn now() -> u64 {
    // SAFETY: every processor of this architecture has the instruction.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// Nanoseconds elsewhere.
#[cfg(not(target_arch = "x86_64"))]
fn now() -> u64 {
    let clock = nix::time::ClockId::CLOCK_MONOTONIC.now().unwrap();
    clock.tv_sec() as u64 * 1_000_000_000 + clock.tv_nsec() as u64
}

fn ticks() -> u64 {
    let number = black_box(TICKS).split(' ').nth(2);
    number.unwrap().parse().unwrap()
}

fn spin(ticks: u64) -> u64 {
    let begin = now();
    loop {
        let now = now();
        if now - begin >= ticks {
            return now;
        }
    }
}

#[library_benchmark(setup = ticks)]
#[bench::ticks()]
fn spins(ticks: u64) -> u64 {
    spin(ticks)
}

/// Only one of three spins is measured, in two parts.
#[library_benchmark(setup = ticks)]
#[bench::ticks()]
fn regions(ticks: u64) -> u64 {
    spin(ticks);
    measure(|| spin(ticks / 2));
    spin(ticks);
    measure(|| spin(ticks / 2))
}

/// The same count in each run.
#[library_benchmark]
#[bench::steps(10_000)]
fn works(times: u64) -> u64 {
    // Each step waits for the one before, whatever else the processor could do.
    (0..times).fold(7, |sum: u64, n| {
        (sum ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}

/// A millisecond or so.
fn slowly() -> u64 {
    spin(2_600_000);
    7
}

#[library_benchmark]
#[bench::slow(setup = slowly)]
fn after_setup(number: u64) -> u64 {
    (0..200).fold(number, |sum, n| black_box(sum ^ n))
}

static CALLS: AtomicU64 = AtomicU64::new(0);

#[library_benchmark]
fn once() {
    assert_eq!(CALLS.fetch_add(1, Ordering::Relaxed), 0, "called again");
}

/// Each call takes longer than the one before.
#[library_benchmark]
fn grows() -> u64 {
    let calls = CALLS.fetch_add(1, Ordering::Relaxed);
    spin(20_000 + 4_000 * calls)
}

/// Takes next to no time.
#[library_benchmark]
fn short() -> u64 {
    black_box(7) + 1
}

/// Its number in a list stands for a text that a test replaces.
#[library_benchmark]
#[benches::texts("one of several texts")]
fn listed(text: &str) -> usize {
    black_box(text).len()
}

fn time() -> LibraryBenchmarkConfig {
    let mut time = Time::default();
    time.duration(Duration::from_millis(50)).limit(1000.0);
    LibraryBenchmarkConfig::default().tool(time).clone()
}

/// Timed whenever it runs.
#[library_benchmark(config = time())]
fn configured() -> u64 {
    (0..black_box(1000)).fold(7, |sum, n| black_box(sum ^ n))
}

library_benchmark_group!(
    name = known;
    benchmarks = spins, regions, works, after_setup, once, grows, short, listed, configured
);
main!(library_benchmark_groups = known);
