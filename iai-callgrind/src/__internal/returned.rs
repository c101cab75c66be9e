//! The proof that the benchmark returned: the measuring process says so to the runner itself.
//!
//! An exit code is no proof: a benchmark can end the process with the same one. It cannot know the
//! descriptor and the number of the command that are needed here.

use std::ffi::c_int;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

use super::noted;
use crate::protocol::wire::{Command, Packet, Returned, END_SNAPSHOT, MAGIC};
use crate::valgrind_request::request;

/// The descriptor, if the return is to be told; else 0.
static DESCRIPTOR: AtomicI32 = AtomicI32::new(0);
static SEQUENCE: AtomicU32 = AtomicU32::new(0);
/// The process that runs the benchmark, if it is to tell its heap at the end; else 0.
static PROCESS: AtomicI32 = AtomicI32::new(0);

const MONITOR_COMMAND: usize = 0x1202;

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
    if command.flags & END_SNAPSHOT != 0 {
        // SAFETY: cannot fail; a handler that is registered first runs last, so it sees the heap
        // that the handlers of the benchmark leave.
        unsafe {
            PROCESS.store(libc::getpid(), Ordering::Relaxed);
            libc::atexit(tell_heap);
        }
    }
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
        stopped: noted::has_stopped().into(),
    };
    let bytes = returned.bytes();
    // SAFETY: the buffer is as long as we say. Without the message the runner reports an error.
    unsafe { libc::write(descriptor, bytes.as_ptr().cast(), bytes.len()) };
}

/// Lets Massif write a snapshot of the heap as it is now to the descriptor. Massif opens a path,
/// which is made without an allocation.
extern "C" fn tell_heap() {
    const BEGIN: &[u8] = b"snapshot /proc/self/fd/";
    // A fork of the benchmark has inherited this handler.
    // SAFETY: cannot fail.
    if unsafe { libc::getpid() } != PROCESS.load(Ordering::Relaxed) {
        return;
    }
    let mut number = DESCRIPTOR.load(Ordering::Relaxed).unsigned_abs();
    let mut digits = [0_u8; 10];
    let mut first = digits.len();
    while number > 0 {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    let digits = &digits[first..];
    let mut command = [0_u8; BEGIN.len() + 11];
    command[..BEGIN.len()].copy_from_slice(BEGIN);
    command[BEGIN.len()..BEGIN.len() + digits.len()].copy_from_slice(digits);
    request(0, &[MONITOR_COMMAND, command.as_ptr() as usize, 0, 0, 0, 0]);
}
