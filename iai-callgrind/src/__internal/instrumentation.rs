//! Callgrind looks at the process while the benchmark function runs, and no longer: `fast_setup`.
//!
//! Code runs some ten times faster while Callgrind does not look, and nothing that runs around the
//! benchmark function is counted anyway. Each switch has a price: Valgrind throws away all that it
//! has translated, and the simulated caches are empty. So this is not done for the start of a
//! server alone, which would be a tenth of the time of a small benchmark: what the start leaves in
//! the caches, such as the code of `malloc`, would count as misses of benchmarks: up to 225 of
//! them, and in a small one more than twice the estimated cycles.

use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(unix)]
use super::call;
use crate::valgrind_request::request;

const START_INSTRUMENTATION: usize = 0x4354_0004;
const STOP_INSTRUMENTATION: usize = 0x4354_0005;

static AROUND_FUNCTION: AtomicBool = AtomicBool::new(false);

/// From here on Callgrind looks while the benchmark function runs, and no longer.
#[cfg(unix)]
pub(super) fn around_function() {
    call::watch();
    AROUND_FUNCTION.store(true, Ordering::Relaxed);
}

/// Called right before the benchmark function.
#[inline]
pub(super) fn begin() {
    if AROUND_FUNCTION.load(Ordering::Relaxed) {
        start();
    }
}

/// Called right after the benchmark function.
#[inline]
pub(super) fn end() {
    if AROUND_FUNCTION.load(Ordering::Relaxed) {
        stop();
    }
}

/// From here on Callgrind looks.
#[inline(never)]
pub(super) fn start() {
    request(0, &[START_INSTRUMENTATION, 0, 0, 0, 0, 0]);
}

/// From here on it does not.
#[inline(never)]
pub(super) fn stop() {
    request(0, &[STOP_INSTRUMENTATION, 0, 0, 0, 0, 0]);
}
