//! The proof that the benchmark returned: the measuring process says so to the runner itself.
//!
//! An exit code is no proof: a benchmark can end the process with the same one. It cannot know the
//! descriptor and the number of the command that are needed here.

use std::ffi::c_int;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

use crate::protocol::wire::{Command, Packet, Returned, MAGIC};

/// The descriptor, if the return is to be told; else 0.
static DESCRIPTOR: AtomicI32 = AtomicI32::new(0);
static SEQUENCE: AtomicU32 = AtomicU32::new(0);

/// Descriptors below are left to the benchmark, which finds the same ones as without us.
const FIRST: c_int = 64;

/// Moves a descriptor to a high number. The server does this before it forks: what a fork executes
/// first, Valgrind has to translate in every fork anew.
pub(super) fn out_of_the_way(descriptor: c_int) -> c_int {
    // SAFETY: plain calls on a descriptor that came with the command; programs that the benchmark
    // starts do not get its copy.
    unsafe {
        let moved = libc::fcntl(descriptor, libc::F_DUPFD_CLOEXEC, FIRST);
        if moved < 0 {
            libc::fcntl(descriptor, libc::F_SETFD, libc::FD_CLOEXEC);
            return descriptor;
        }
        libc::close(descriptor);
        moved
    }
}

/// From here on [`tell`] acts.
pub(super) fn switch_on(descriptor: c_int, command: &Command) {
    DESCRIPTOR.store(descriptor, Ordering::Relaxed);
    SEQUENCE.store(command.sequence, Ordering::Relaxed);
}

/// Tells the runner that the benchmark has returned, with the exit code that is to come.
pub(super) fn tell(code: i32) {
    let descriptor = DESCRIPTOR.load(Ordering::Relaxed);
    if descriptor == 0 {
        return;
    }
    let returned = Returned {
        magic: MAGIC,
        sequence: SEQUENCE.load(Ordering::Relaxed),
        code,
    };
    let bytes = returned.bytes();
    // SAFETY: the buffer is as long as we say. Without the message the runner reports an error.
    unsafe { libc::write(descriptor, bytes.as_ptr().cast(), bytes.len()) };
}
