//! Requests of the benchmark that end its count, noted where they are made.
//!
//! `stop_instrumentation` makes Callgrind forget that it is in the benchmark function, and its
//! profile shows that in some modes only. So the request notes it, and the message about the return
//! tells the runner. The note is made while Callgrind does not look, so it is in no count.

use std::sync::atomic::{AtomicBool, Ordering};

static STOPPED: AtomicBool = AtomicBool::new(false);

/// The same at the return of the benchmark function: a teardown may switch as it likes.
static STOPPED_AT_RETURN: AtomicBool = AtomicBool::new(false);

/// Instrumentation was switched off by a request of the program.
#[cfg(feature = "client_requests_defs")]
#[inline(always)]
pub(crate) fn stop() {
    STOPPED.store(true, Ordering::Relaxed);
}

/// Called right before the benchmark function. What a setup did is forgotten.
#[inline(always)]
pub(super) fn begin() {
    STOPPED.store(false, Ordering::Relaxed);
}

/// Called right after the benchmark function.
#[inline(always)]
pub(super) fn end() {
    STOPPED_AT_RETURN.store(STOPPED.load(Ordering::Relaxed), Ordering::Relaxed);
}

/// Did the benchmark function switch instrumentation off?
#[cfg(unix)]
pub(super) fn has_stopped() -> bool {
    STOPPED_AT_RETURN.load(Ordering::Relaxed)
}
