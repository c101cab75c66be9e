//! Benchmarks with signal handlers: those that return, and those that jump.

use std::hint::black_box;

use iai_callgrind::{library_benchmark, library_benchmark_group, main, measure};
use nix::libc;
use nix::sys::signal::{raise, sigaction, SaFlags, SigAction, SigHandler, SigSet, Signal};

extern "C" {
    #[cfg_attr(target_env = "gnu", link_name = "__sigsetjmp")]
    fn sigsetjmp(buffer: *mut u64, mask: i32) -> i32;
    fn siglongjmp(buffer: *mut u64, value: i32) -> !;
}

#[cfg(target_env = "gnu")]
extern "C" {
    fn getcontext(context: *mut Context) -> i32;
    fn setcontext(context: *const Context) -> i32;
}

/// Larger than the `ucontext_t` of any architecture.
#[cfg(target_env = "gnu")]
#[repr(C, align(16))]
struct Context([u64; 1024]);

#[cfg(target_env = "gnu")]
static mut CONTEXT: Context = Context([0; 1024]);

#[cfg(target_env = "gnu")]
extern "C" fn resume(_: libc::c_int) {
    // SAFETY: the function that has filled the context has not returned.
    unsafe { setcontext(&raw const CONTEXT) };
}

/// Goes back to the function in which the signal arrived, by other functions of the C library.
#[cfg(target_env = "gnu")]
#[inline(never)]
fn resumed_below(n: u64) -> u64 {
    let mut is_first = true;
    let before = work(n);
    // SAFETY: nothing in this frame has a destructor.
    unsafe { getcontext(&raw mut CONTEXT) };
    // It is read from memory, since registers are those of the first time.
    if std::mem::replace(black_box(&mut is_first), false) {
        fault();
    }
    before + work(n)
}

/// The C library has no such functions.
#[cfg(not(target_env = "gnu"))]
use {jump as resume, recovered as resumed_below};

/// Larger than the `sigjmp_buf` of any C library.
static mut BUFFER: [u64; 64] = [0; 64];

extern "C" fn jump(_: libc::c_int) {
    // SAFETY: the function that has filled the buffer has not returned.
    unsafe { siglongjmp((&raw mut BUFFER).cast(), 1) }
}

extern "C" fn come_back(_: libc::c_int) {
    black_box(work(100));
}

fn with(handler: extern "C" fn(libc::c_int)) {
    let handler = SigHandler::Handler(handler);
    // On the stack that the standard library has made for handlers.
    let action = SigAction::new(handler, SaFlags::SA_ONSTACK, SigSet::empty());
    for signal in [Signal::SIGUSR1, Signal::SIGILL, Signal::SIGSEGV] {
        // SAFETY: the handlers use nothing that they might interrupt.
        unsafe { sigaction(signal, &action) }.unwrap();
    }
}

/// An instruction that no processor knows.
#[inline(always)]
fn fault() {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    // SAFETY: the handler does not return.
    unsafe {
        std::arch::asm!("ud2");
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above.
    unsafe {
        std::arch::asm!("udf #0");
    }
}

#[inline(never)]
fn fault_below() {
    fault();
    black_box(1);
}

#[inline(never)]
fn work(n: u64) -> u64 {
    (0..n).fold(0, |sum, i| black_box(sum ^ i))
}

/// Jumps back into the function in which the signal arrived.
#[inline(always)]
fn recovered(n: u64) -> u64 {
    let before = work(n);
    // SAFETY: nothing in this frame has a destructor.
    if unsafe { sigsetjmp((&raw mut BUFFER).cast(), 1) } == 0 {
        fault();
    }
    before + work(n)
}

#[inline(never)]
fn recovered_below(n: u64) -> u64 {
    recovered(n)
}

fn jumping(n: u64) -> u64 {
    with(jump);
    n
}

#[library_benchmark]
#[bench::a(args = (1000), setup = jumping)]
fn into_function(n: u64) -> u64 {
    recovered(n)
}

#[library_benchmark]
#[bench::a(args = (1000), setup = jumping)]
fn into_callee(n: u64) -> u64 {
    recovered_below(n) + work(n)
}

fn resuming(n: u64) -> u64 {
    with(resume);
    n
}

#[library_benchmark]
#[bench::a(args = (1000), setup = resuming)]
fn into_context(n: u64) -> u64 {
    resumed_below(n) + work(n)
}

#[library_benchmark]
#[bench::a(args = (1000), setup = jumping)]
fn into_region(n: u64) -> u64 {
    measure(|| recovered(n))
}

#[library_benchmark]
#[bench::a(args = (1000), setup = jumping)]
fn outwards(n: u64) -> u64 {
    let before = work(n);
    // SAFETY: as above.
    if unsafe { sigsetjmp((&raw mut BUFFER).cast(), 1) } == 0 {
        fault_below();
    }
    before + work(n)
}

#[inline(never)]
fn exhaust(n: u64) -> u64 {
    let frame = black_box([n; 1000]);
    if n == 0 {
        return 1;
    }
    black_box(exhaust(n - 1)) + frame[3]
}

/// Valgrind cannot read the stack at this moment.
#[library_benchmark]
#[bench::a(args = (1000), setup = jumping)]
fn full_stack(n: u64) -> u64 {
    // SAFETY: as above.
    if unsafe { sigsetjmp((&raw mut BUFFER).cast(), 1) } == 0 {
        exhaust(1000 * n);
    }
    work(n)
}

fn all_in_setup(n: u64) -> u64 {
    with(jump);
    recovered_below(n)
}

#[library_benchmark]
#[bench::a(args = (1000), setup = all_in_setup)]
fn in_setup(n: u64) -> u64 {
    work(black_box(n).min(1000))
}

fn returning(n: u64) -> u64 {
    with(come_back);
    n
}

#[library_benchmark]
#[bench::a(args = (1000), setup = returning)]
fn returns(n: u64) -> u64 {
    raise(Signal::SIGUSR1).unwrap();
    work(n)
}

#[library_benchmark]
#[bench::a(args = (1000), setup = returning)]
fn never_raised(n: u64) -> u64 {
    work(n)
}

library_benchmark_group!(
    name = group,
    benchmarks = [
        into_function,
        into_callee,
        into_context,
        into_region,
        outwards,
        full_stack,
        in_setup,
        returns,
        never_raised,
    ]
);

main!(library_benchmark_groups = group);
