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
//!
//! Processes count from their begin to their end, and the runner tells by the times of files which of them
//! a setup or a teardown started. The kernel stamps files with a clock that goes in steps, so a step
//! lies between the files of a setup, those of the benchmark function, and those of a teardown.

use std::ffi::CStr;
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(unix)]
use super::call;
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
    call::watch();
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
        command(DUMP);
        wait_for_clock_of_files();
    }
}

#[inline(never)]
fn toggle_and_zero() {
    request(0, &[TOGGLE_COLLECT, 0, 0, 0, 0, 0]);
    wait_for_clock_of_files();
    // So that there is little to write.
    command(ZERO);
    command(DUMP_AT_BEGIN);
    wait_for_clock_of_files();
    // Discards the events of other threads during the dump and the wait.
    command(ZERO);
}

fn command(command: &CStr) {
    request(0, &[MONITOR_COMMAND, command.as_ptr() as usize, 0, 0, 0, 0]);
}

/// One sleep of the length of a step and no look at the time, so that each run executes the same instructions. What
/// a signal cuts off is slept afterwards.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn wait_for_clock_of_files() {
    let mut step = libc::timespec {
        tv_sec: 0,
        tv_nsec: 10_000_000,
    };
    // SAFETY: the functions only use the values that they are given; if the first fails, the value stays.
    unsafe {
        libc::clock_getres(libc::CLOCK_REALTIME_COARSE, &mut step);
        let mut rest = step;
        while libc::nanosleep(&step, &mut rest) != 0 && was_interrupted() {
            step = rest;
        }
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn was_interrupted() -> bool {
    std::io::Error::last_os_error().raw_os_error() == Some(libc::EINTR)
}

/// Elsewhere files have exact times.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn wait_for_clock_of_files() {}
