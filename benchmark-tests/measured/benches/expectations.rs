//! Loops whose steps are counted by hand, in two instructions each, and comparisons of bytes that
//! stop early or do not.

use std::arch::asm;
use std::hint::black_box;

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

#[library_benchmark]
#[benches::sizes(args = [100, 1000, 10_000], scaling = "n")]
fn linear(n: u64) {
    rounds(n);
}

#[library_benchmark]
#[benches::sizes(iter = [100, 300, 1000], scaling = "n log n")]
fn quadratic(n: u64) {
    rounds(n * n);
}

#[library_benchmark]
#[benches::sizes(args = ["a", "bb", "cccc", "dddddddd"], scaling = ("any", str::len))]
fn constant(_text: &str) {
    rounds(1000);
}

const SECRET: [u8; 32] = [7; 32];
const WRONG: [u8; 32] = [8; 32];

#[inline(never)]
fn is_equal_early(left: &[u8], right: &[u8]) -> bool {
    for (left, right) in left.iter().zip(right) {
        // An array of a known length would become one comparison of vectors.
        if black_box(left) != right {
            return false;
        }
    }
    true
}

#[inline(never)]
fn is_equal(left: &[u8], right: &[u8]) -> bool {
    let mut difference = 0;
    for (left, right) in left.iter().zip(right) {
        difference |= black_box(left ^ right);
    }
    difference == 0
}

#[library_benchmark]
#[bench::right(SECRET)]
#[bench::wrong(WRONG)]
fn early(guess: [u8; 32]) -> bool {
    is_equal_early(black_box(&SECRET), &guess)
}

#[library_benchmark]
#[bench::right(SECRET)]
#[bench::wrong(WRONG)]
fn constant_time(guess: [u8; 32]) -> bool {
    is_equal(black_box(&SECRET), &guess)
}

library_benchmark_group!(name = growth, benchmarks = [linear, quadratic, constant]);
library_benchmark_group!(
    name = equal,
    equal_counts = true,
    benchmarks = [early, constant_time]
);

#[library_benchmark]
#[benches::of(args = [100, 1000])]
fn single(n: u64) {
    rounds(n);
}

#[library_benchmark]
#[benches::of(args = [100, 1000])]
fn double(n: u64) {
    rounds(2 * n);
}

// A round has two instructions: 200 and 400, 2000 and 4000, and at most a few more on each side.
library_benchmark_group!(
    name = ratios,
    benchmarks = [double, single],
    ratios = [
        single <= 0.6 * double,
        single::of_1 <= 0.499 * double::of_1,
        double::of_0 <= single::of_1
    ]
);
main!(library_benchmark_groups = [growth, equal, ratios]);
