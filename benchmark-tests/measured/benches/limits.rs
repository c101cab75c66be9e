//! Limits, and benchmarks whose work is `WORK` rounds of two instructions.

use std::arch::asm;

use iai_callgrind::{
    library_benchmark, library_benchmark_group, main, Callgrind, EventKind, LibraryBenchmarkConfig,
};

fn work() -> u64 {
    std::env::var("WORK").map_or(1000, |text| text.parse().unwrap())
}

fn rounds(n: u64) {
    // SAFETY: counts a register down.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!("2:", "dec {n}", "jnz 2b", n = inout(reg) n => _, options(nomem, nostack));
        #[cfg(target_arch = "aarch64")]
        asm!("2:", "subs {n}, {n}, #1", "b.ne 2b", n = inout(reg) n => _, options(nomem, nostack));
    }
}

#[library_benchmark(setup = work)]
fn works(n: u64) {
    rounds(n);
}

/// The first does as much as `WORK` says, the second twice as much.
#[library_benchmark]
#[bench::one(work())]
#[bench::other(7)]
fn once(n: u64) {
    rounds(n);
}

#[library_benchmark]
#[bench::one(work())]
fn twice(n: u64) {
    rounds(2 * n);
}

fn limits(callgrind: &Callgrind) -> LibraryBenchmarkConfig {
    LibraryBenchmarkConfig::default().tool(callgrind).build()
}

library_benchmark_group!(
    name = soft,
    config = limits(Callgrind::default().soft_limits([(EventKind::Ir, 5.0)])),
    benchmarks = [works]
);
library_benchmark_group!(
    name = hard,
    config = limits(Callgrind::default().hard_limits([(EventKind::Ir, 10_000)])),
    benchmarks = [works]
);
library_benchmark_group!(
    name = uncollected,
    config = limits(Callgrind::default().hard_limits([(EventKind::Bc, 10)])),
    benchmarks = [works]
);
library_benchmark_group!(
    name = by_id,
    compare_by_id = true,
    benchmarks = [once, twice]
);
main!(
    config = LibraryBenchmarkConfig::default().pass_through_env("WORK"),
    library_benchmark_groups = [soft, hard, uncollected, by_id]
);
