//! Counting every thread of a benchmark, for `Callgrind::count_threads`.
//!
//! Callgrind's entry point switches the count on in the thread that enters it; other threads never
//! do. So the process starts with the count on everywhere. Right before the benchmark function the
//! measuring thread switches its own count off, and the entry point on again, as without threads;
//! then all counters are set to zero, so that nothing from before is in the figures. What a setup wrote by
//! requests of its own lies before a dump that we make at this moment, and the runner leaves it out. Right after the
//! benchmark function all counters are written to files of their own, and the runner leaves out those
//! that are written at the end: what other threads do during the teardown does not count, and neither
//! does what a thread does later that nobody waits for.

use std::ffi::CStr;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::protocol::wire::{DUMP, DUMP_AT_BEGIN};
use crate::valgrind_request::request;

const TOGGLE_COLLECT: usize = 0x4354_0002;
const MONITOR_COMMAND: usize = 0x1202;

/// The requests `ZERO_STATS` and `DUMP_STATS` are about the counters of this thread, the commands `zero` and
/// `dump` about those of all.
const ZERO: &CStr = c"zero";

static ON: AtomicBool = AtomicBool::new(false);

/// From here on [`begin`] and [`end`] act.
#[cfg(unix)]
pub(super) fn switch_on() {
    ON.store(true, Ordering::Relaxed);
}

/// Called right before the benchmark function, when its arguments are made.
#[inline]
pub(super) fn begin() {
    if ON.load(Ordering::Relaxed) {
        toggle_and_zero();
    }
}

/// Called right after the benchmark function.
#[inline]
pub(super) fn end() {
    if ON.load(Ordering::Relaxed) {
        request(0, &[MONITOR_COMMAND, DUMP.as_ptr() as usize, 0, 0, 0, 0]);
    }
}

#[inline(never)]
fn toggle_and_zero() {
    request(0, &[TOGGLE_COLLECT, 0, 0, 0, 0, 0]);
    // First, so that there is little to write, and last for what other threads did meanwhile.
    for command in [ZERO, DUMP_AT_BEGIN, ZERO] {
        request(0, &[MONITOR_COMMAND, command.as_ptr() as usize, 0, 0, 0, 0]);
    }
}
