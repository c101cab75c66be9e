//! The end of a process whose benchmark returned: streams are flushed, and nothing else runs.
//!
//! The usual end runs the exit handlers of Rust, of the C library, of its loader and of every
//! object. None of it is counted, but Valgrind has to translate all of it in every fork anew: it
//! was more than three quarters of what a fork with a small benchmark translates.
//!
//! For tools to whose result the end belongs (leaks, the heap at exit), for benchmarks that count a
//! whole process, and with `exit_handlers(true)`, the runner does not ask for it.

use std::ffi::c_int;
use std::io::Write;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use super::serve;

static ON: AtomicBool = AtomicBool::new(false);

/// The last call of a process, or of a rehearsal.
///
/// On Linux a number of a system call: the rehearsal makes a harmless one by the same function, so
/// that all is translated until the system itself ends the process.
#[cfg(target_os = "linux")]
pub(super) type LastCall = libc::c_long;
#[cfg(not(target_os = "linux"))]
pub(super) type LastCall = fn(c_int);

/// Ends the process.
#[cfg(target_os = "linux")]
pub(super) const END: LastCall = libc::SYS_exit_group;
#[cfg(not(target_os = "linux"))]
// SAFETY: ends the process, whose streams were flushed.
pub(super) const END: LastCall = |code| unsafe { libc::_exit(code) };

/// Does nothing.
#[cfg(target_os = "linux")]
pub(super) const NOTHING: LastCall = libc::SYS_getppid;
#[cfg(not(target_os = "linux"))]
pub(super) const NOTHING: LastCall = |_| {};

#[inline]
pub(super) fn call(last: LastCall, code: c_int) {
    // SAFETY: one of the two calls above. The process that ends has flushed its streams.
    #[cfg(target_os = "linux")]
    unsafe {
        libc::syscall(last, code)
    };
    #[cfg(not(target_os = "linux"))]
    last(code);
}

/// Is a quick end wanted?
pub(super) fn switch(on: bool) {
    ON.store(on, Ordering::Relaxed);
}

/// May the process end now, if that is wanted: have its streams been flushed? Not beside other
/// threads: one of them may hold a stream for ever, which the usual end leaves alone.
pub(super) fn has_flushed() -> bool {
    if !ON.load(Ordering::Relaxed) || serve::threads() != 1 {
        return false;
    }
    flush();
    true
}

/// Writes what Rust's and C's streams hold. The first call makes the buffer of Rust's stdout, so
/// servers call it before the first benchmark and processes of their own before theirs: the heap is
/// the same in both.
#[inline(never)]
pub(super) fn flush() {
    // Nobody is left whom an error could be told.
    let _ = std::io::stdout().flush();
    // SAFETY: without a stream, all are flushed.
    unsafe { libc::fflush(ptr::null_mut()) };
}
