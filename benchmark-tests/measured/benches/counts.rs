//! Kernels whose instructions can be added up by hand.

use std::arch::asm;
use std::hint::black_box;

use iai_callgrind::{library_benchmark, library_benchmark_group, main};

/// So many and sixteen: a function of a few instructions gets a note that its work was removed.
macro_rules! nops {
    ($count:literal) => {
        // SAFETY: does nothing.
        unsafe {
            asm!(
                concat!(".rept 16 + ", $count),
                "nop",
                ".endr",
                options(nomem, nostack, preserves_flags)
            )
        }
    };
}

#[library_benchmark]
fn nops_0() {
    nops!(0);
}

#[library_benchmark]
fn nops_1() {
    nops!(1);
}

#[library_benchmark]
fn nops_1000() {
    nops!(1000);
}

/// Two instructions a round.
#[library_benchmark]
#[bench::short(10)]
#[bench::long(12345)]
fn rounds(n: u64) {
    // SAFETY: counts a register down.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!("2:", "dec {n}", "jnz 2b", n = inout(reg) n => _, options(nomem, nostack));
        #[cfg(target_arch = "aarch64")]
        asm!("2:", "subs {n}, {n}, #1", "b.ne 2b", n = inout(reg) n => _, options(nomem, nostack));
    }
}

/// Three instructions a round, one of which reads.
#[library_benchmark]
#[bench::short(10)]
#[bench::long(12345)]
fn reads(n: u64) -> u64 {
    let place = 7_u64;
    let mut value: u64;
    // SAFETY: reads a place of this frame.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!("2:", "mov {v}, [{p}]", "dec {n}", "jnz 2b",
            v = out(reg) value, p = in(reg) &place, n = inout(reg) n => _, options(nostack));
        #[cfg(target_arch = "aarch64")]
        asm!("2:", "ldr {v}, [{p}]", "subs {n}, {n}, #1", "b.ne 2b",
            v = out(reg) value, p = in(reg) &place, n = inout(reg) n => _, options(nostack));
    }
    value
}

/// Three instructions a round, one of which writes.
#[library_benchmark]
#[bench::short(10)]
#[bench::long(12345)]
fn writes(n: u64) -> u64 {
    let mut place = 0_u64;
    // SAFETY: writes a place of this frame.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!("2:", "mov [{p}], {v}", "dec {n}", "jnz 2b",
            v = in(reg) 7_u64, p = in(reg) &mut place, n = inout(reg) n => _, options(nostack));
        #[cfg(target_arch = "aarch64")]
        asm!("2:", "str {v}, [{p}]", "subs {n}, {n}, #1", "b.ne 2b",
            v = in(reg) 7_u64, p = in(reg) &mut place, n = inout(reg) n => _, options(nostack));
    }
    place
}

fn fibonacci(n: u64) -> u64 {
    match n {
        0 | 1 => n,
        _ => fibonacci(n - 1) + fibonacci(n - 2),
    }
}

#[library_benchmark]
#[bench::long(19)]
fn bench_fibonacci(n: u64) -> u64 {
    black_box(fibonacci(n))
}

/// Allocates and hashes nothing random: what users measure, with a heap.
#[library_benchmark]
#[bench::reversed((0..500_u32).rev().collect())]
fn sort(mut values: Vec<u32>) -> Vec<u32> {
    values.sort();
    values
}

library_benchmark_group!(
    name = exact,
    benchmarks = [nops_0, nops_1, nops_1000, rounds, reads, writes]
);
library_benchmark_group!(name = ordinary, benchmarks = [bench_fibonacci, sort]);
main!(library_benchmark_groups = [exact, ordinary]);
