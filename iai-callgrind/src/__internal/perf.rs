//! Under perf: the counters are switched on right before the benchmark function and off right after
//! it, and the runner hears that the benchmark has returned.
//!
//! perf repeats a process without telling how each one ended, so the process says so itself.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};

use super::call::{discard, done, ready};
use super::table::Element;
use crate::perf;

/// Are the counters switched around the benchmark function?
static BRACKETS: AtomicBool = AtomicBool::new(false);

/// Called right before the benchmark function.
#[inline]
pub(super) fn begin() {
    if BRACKETS.load(Ordering::Relaxed) {
        perf::switch(perf::ENABLE);
    }
}

/// Called right after the benchmark function.
#[inline]
pub(super) fn end() {
    if BRACKETS.load(Ordering::Relaxed) {
        perf::switch(perf::DISABLE);
    }
}

/// A benchmark that does nothing.
#[cfg_attr(
    not(unix),
    expect(dead_code, reason = "of servers, which only Unix has")
)]
pub(super) fn empty(_: Element) {
    #[inline(never)]
    fn nothing() -> u8 {
        0
    }
    let nothing = black_box::<fn() -> u8>(nothing);
    // The way of every case: it is what is subtracted from them.
    discard(done(ready(nothing)()));
}

#[cfg(unix)]
pub(super) use told::{switch_on, tell_end};

#[cfg(unix)]
mod told {
    use std::ffi::c_int;
    use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

    use super::super::{call, serve};
    use crate::protocol::wire::{Command, Done, MAGIC, PERF_BRACKETS, PERF_OWN_CONTROL};

    /// The socket, if the end is to be told; else 0.
    static SOCKET: AtomicI32 = AtomicI32::new(0);
    static SEQUENCE: AtomicU32 = AtomicU32::new(0);

    /// Switches on what the flags of the command ask for.
    pub(in super::super) fn switch_on(socket: c_int, command: &Command) {
        // SAFETY: a plain call on a descriptor of ours: programs that the benchmark starts do not
        // get it.
        unsafe { libc::fcntl(socket, libc::F_SETFD, libc::FD_CLOEXEC) };
        SOCKET.store(socket, Ordering::Relaxed);
        SEQUENCE.store(command.sequence, Ordering::Relaxed);
        call::watch();
        super::BRACKETS.store(command.flags & PERF_BRACKETS != 0, Ordering::Relaxed);
        // perf's own ends: as long as they are open here, nobody sees that perf is gone.
        for descriptor in PERF_OWN_CONTROL {
            // SAFETY: a plain call on a number; nobody uses it.
            unsafe { libc::close(descriptor) };
        }
    }

    /// Tells the runner that the benchmark has returned, with the exit code that is to come.
    pub(in super::super) fn tell_end(code: i32) {
        let socket = SOCKET.load(Ordering::Relaxed);
        if socket == 0 {
            return;
        }
        let done = Done {
            magic: MAGIC,
            sequence: SEQUENCE.load(Ordering::Relaxed),
            pid: std::process::id() as i32,
            status: code,
            cpu: 0,
        };
        serve::send(socket, &done);
    }
}
