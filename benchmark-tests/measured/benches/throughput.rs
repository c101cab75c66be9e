//! The same loop with and without a throughput, whose expressions allocate and print.

use std::arch::asm;

use iai_callgrind::{library_benchmark, library_benchmark_group, main};

#[inline(always)]
fn rounds(n: u64) {
    // SAFETY: counts a register down.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!("2:", "dec {n}", "jnz 2b", n = inout(reg) n => _, options(nomem, nostack));
        #[cfg(target_arch = "aarch64")]
        asm!("2:", "subs {n}, {n}, #1", "b.ne 2b", n = inout(reg) n => _, options(nomem, nostack));
    }
}

fn filled(n: usize) -> Vec<u64> {
    vec![1; n]
}

/// Allocates, so that it would be seen where it is measured.
fn amount(n: usize) -> usize {
    filled(n).iter().sum::<u64>() as usize
}

#[library_benchmark]
#[benches::sizes(args = [100, 10_000])]
fn silent(n: u64) {
    rounds(n);
}

#[library_benchmark(throughput = [Elements(n), Bytes(amount(n as usize) * 8)])]
#[benches::sizes(args = [100, 10_000])]
fn handled(n: u64) {
    rounds(n);
}

#[library_benchmark(setup = filled)]
#[benches::sizes(args = [100, 10_000])]
fn silent_sum(values: Vec<u64>) -> u64 {
    values.iter().sum()
}

#[library_benchmark(setup = filled, throughput = |n| Bytes(amount(n) * 8))]
#[benches::sizes(args = [100, 10_000])]
fn handled_sum(values: Vec<u64>) -> u64 {
    values.iter().sum()
}

library_benchmark_group!(
    name = loops,
    benchmarks = [silent, handled, silent_sum, handled_sum]
);
main!(library_benchmark_groups = loops);
