//! Benchmarks whose time is known, or that cannot be timed.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::OnceLock;
use std::time::Duration;

use iai_callgrind::{
    library_benchmark, library_benchmark_group, main, measure, LibraryBenchmarkConfig, Time,
};
use nix::libc;

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

/// Other words in a copy of the executable are another end of its calls.
static ENDING: &str = "every call returns";

#[library_benchmark]
fn ends() -> usize {
    let ending = black_box(ENDING);
    match ending.rsplit(' ').next() {
        // SAFETY: signals of our own process.
        Some("lost") => unsafe { libc::raise(libc::SIGKILL) },
        // SAFETY: the same.
        Some("held") => unsafe { libc::raise(libc::SIGSTOP) },
        _ => 0,
    };
    ending.len()
}

/// Functions whose time depends on their addresses. The tests compile them in other places, with
/// `--cfg shifted`, and with one division more for each character, with `--cfg divides`.
#[allow(unexpected_cfgs)]
mod placed {
    use super::black_box;

    #[cfg(shifted)]
    std::arch::global_asm!(".text", "shifts_timed:", ".globl shifts_timed", ".skip 16");

    #[cfg(shifted)]
    extern "C" {
        fn shifts_timed();
    }

    pub fn text() -> String {
        // The linker drops what nobody names.
        #[cfg(shifted)]
        black_box(shifts_timed as unsafe extern "C" fn());
        "alpha 12 beta, gamma 345; delta 6 ".repeat(12)
    }

    #[inline(never)]
    pub fn tokens(text: &str) -> u64 {
        let mut number = 0;
        let mut is_word = false;
        for byte in text.bytes() {
            match byte {
                b' ' | b'\n' => {
                    number += u64::from(is_word);
                    is_word = false;
                }
                b'a'..=b'z' => is_word = true,
                b'0'..=b'9' => number += 2,
                _ => number += 3,
            }
            if cfg!(divides) {
                number = black_box(number * 7) / black_box(7);
            }
        }
        number
    }

    pub fn numbers() -> String {
        let numbers: Vec<String> = (100..116).map(|number| number.to_string()).collect();
        numbers.join(",")
    }

    #[inline(never)]
    pub fn parse(text: &str) -> u64 {
        let numbers = text.split(',').map(|number| number.parse().unwrap_or(0));
        let sum: u64 = numbers.sum();
        match cfg!(divides) {
            true => (0..50).fold(sum, |sum, _| black_box(sum * 7) / black_box(7)),
            false => sum,
        }
    }
}

#[library_benchmark(setup = placed::text)]
#[bench::of_text()]
fn tokens(text: String) -> u64 {
    placed::tokens(&text)
}

#[library_benchmark(setup = placed::numbers)]
#[bench::of_text()]
fn parse(text: String) -> u64 {
    placed::parse(&text)
}

/// Places in 16 MiB, each with the next one, in an order that no processor guesses.
fn chain() -> &'static [u32] {
    static CHAIN: OnceLock<Vec<u32>> = OnceLock::new();
    const LENGTH: u32 = 4 << 20;
    // Every place comes once before the first one comes again.
    let next = |place: u32| place.wrapping_mul(1_664_525).wrapping_add(1_013_904_223) % LENGTH;
    CHAIN.get_or_init(|| (0..LENGTH).map(next).collect())
}

#[library_benchmark(setup = chain)]
#[bench::of_memory()]
fn chases(next: &[u32]) -> u32 {
    (0..30_000).fold(0, |place, _| next[place as usize])
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
    benchmarks = spins, regions, works, after_setup, once, grows, short, ends, tokens, parse, chases, listed,
        configured
);
main!(library_benchmark_groups = known);
