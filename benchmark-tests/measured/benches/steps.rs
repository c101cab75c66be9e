//! Code that executes the same, or different, instructions under Valgrind and in single steps.

use std::arch::asm;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

use iai_callgrind::client_requests::valgrind::running_on_valgrind;
use iai_callgrind::{
    library_benchmark, library_benchmark_group, main, Callgrind, LibraryBenchmarkConfig,
};
use inside_benchmarks::rounds;
use nix::libc;
use nix::sys::signal::{raise, sigaction, SaFlags, SigAction, SigHandler, SigSet, Signal};

/// Copies byte for byte, by one instruction.
#[library_benchmark]
#[bench::none(0)]
#[bench::one(1)]
#[bench::many(100)]
fn repeat(n: usize) -> u8 {
    let (from, mut to) = ([7_u8; 100], [0_u8; 100]);
    // SAFETY: `n` is at most the length of both.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!("rep movsb", inout("rcx") n => _, inout("rsi") from.as_ptr() => _,
            inout("rdi") to.as_mut_ptr() => _, options(nostack));
        #[cfg(not(target_arch = "x86_64"))]
        to[..n].copy_from_slice(&from[..n]);
    }
    black_box(to)[0]
}

/// Looks for a byte, by one instruction.
#[library_benchmark]
#[bench::at_once(1)]
#[bench::later(50)]
#[bench::in_the_last_place(99)]
#[bench::nowhere(100)]
fn search(place: usize) -> usize {
    let mut bytes = [0_u8; 101];
    bytes[place] = 7;
    let mut left = 100;
    // SAFETY: reads at most so many bytes.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        asm!("repne scasb", inout("rcx") left, inout("rdi") bytes.as_ptr() => _, in("al") 7_u8,
            options(nostack, readonly));
    }
    black_box(&bytes);
    left = black_box(left);
    left
}

/// Asks Valgrind something, each time.
#[library_benchmark]
#[bench::ten(10)]
fn requests(n: u64) -> usize {
    (0..n).map(|_| black_box(running_on_valgrind()) & 0).sum()
}

/// More rounds natively: as if Callgrind had lost some.
#[library_benchmark]
fn lost() {
    inner(match running_on_valgrind() {
        0 => 1000,
        _ => 10,
    });
}

#[inline(never)]
fn inner(n: u64) {
    rounds(black_box(n));
}

#[library_benchmark]
fn exits_natively() {
    if running_on_valgrind() == 0 {
        std::process::exit(3);
    }
}

#[library_benchmark]
fn panics_natively() {
    assert_ne!(running_on_valgrind(), 0, "on purpose");
}

static HANDLED: AtomicU64 = AtomicU64::new(0);

extern "C" fn handler(_: libc::c_int) {
    HANDLED.fetch_add(1, Ordering::Relaxed);
}

/// With a handler of our own.
fn handled() {
    let action = SigAction::new(
        SigHandler::Handler(handler),
        SaFlags::empty(),
        SigSet::empty(),
    );
    // SAFETY: the handler adds to a number.
    unsafe { sigaction(Signal::SIGUSR1, &action) }.unwrap();
}

#[library_benchmark]
#[bench::usr1(setup = handled)]
fn signal(_handled: ()) -> u64 {
    raise(Signal::SIGUSR1).unwrap();
    rounds(black_box(1000));
    HANDLED.load(Ordering::Relaxed)
}

#[library_benchmark(config = LibraryBenchmarkConfig::default()
    .tool(Callgrind::default().count_threads(true)))]
fn with_threads() {
    rounds(black_box(10));
}

library_benchmark_group!(
    name = group,
    benchmarks = [
        repeat,
        search,
        requests,
        lost,
        exits_natively,
        panics_natively,
        signal,
        with_threads
    ]
);
main!(library_benchmark_groups = [group]);
