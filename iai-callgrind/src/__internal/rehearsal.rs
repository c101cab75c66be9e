//! The way of a fork to its benchmark and back, which the server goes once without an effect.
//!
//! A fork inherits what Valgrind has translated for the server, and has to translate everything
//! else itself: for a small benchmark that is most of the work. So the server calls the functions
//! of a fork, which are not inlined anywhere for this reason, with arguments that change nothing.
//! Before the warm-ups: these bring the simulated caches to their fixed point afterwards.

use std::ffi::c_int;

use super::table::Suite;
use super::{exit, instrumentation, noted, quick_end, serve};
use crate::protocol::wire::{Command, Packet, DESCRIPTORS, EMPTY, FAST_SETUP, FRAMED, QUICK_END};

/// Goes the way with an empty benchmark. `flags` are those of the command, whose descriptors are
/// closed.
pub(super) fn rehearse(
    suite: &'static Suite,
    socket: c_int,
    flags: u32,
    [stdout, stderr, told]: [c_int; DESCRIPTORS],
) {
    if flags & FAST_SETUP != 0 {
        instrumentation::start();
    }
    serve::close(&[stdout, stderr]);
    // The same for all benchmarks, so that the simulated caches do not depend on which one is the
    // first. And what a flag switches on is off afterwards.
    let mut command = Command::zeroed();
    command.flags = EMPTY | flags & QUICK_END;
    command.directory[..2].copy_from_slice(b".\0");
    // SAFETY: copies of descriptors that are open here: standard streams become themselves.
    let (socket, own) = unsafe { (libc::dup(socket), [libc::dup(1), libc::dup(2), told]) };
    // SAFETY: cannot fail.
    let parent = unsafe { libc::getppid() };
    let (run, element) = serve::as_fork(suite, socket, &command, own, parent);
    run(element);
    noted::reset();
    take_over(flags);
    exit::tell(quick_end::NOTHING);
    quick_end::switch(false);
    serve::close(&[told]);
    if flags & FAST_SETUP != 0 {
        // Newer Valgrinds read the line tables of an object with the first translation of its code:
        // once here, not in every fork.
        instrumentation::stop();
    }
}

/// Repeats the lasting effects of a rehearsal in a process of its own, which has the heap of a
/// fork.
pub(super) fn take_over(flags: u32) {
    // DHAT counts what Callgrind counts: not the buffer of stdout.
    if flags & (QUICK_END | FRAMED) != 0 {
        quick_end::flush();
    }
}
