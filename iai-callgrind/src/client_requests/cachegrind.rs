//! Requests to Cachegrind: which part of a program is counted.
//!
//! They are of use with `--instr-at-start=no`. All functions do nothing natively, under the other
//! tools and under a Valgrind before 3.22.

use super::numbers::{VG_USERREQ__CG_START_INSTRUMENTATION, VG_USERREQ__CG_STOP_INSTRUMENTATION};

/// Starts to observe the program, after [`stop_instrumentation`] or `--instr-at-start=no`.
///
/// ```
/// use iai_callgrind::client_requests::cachegrind;
///
/// cachegrind::start_instrumentation();
/// // ... of interest ...
/// cachegrind::stop_instrumentation();
/// ```
#[doc = request_doc!(VG_USERREQ__CG_START_INSTRUMENTATION)]
#[inline(always)]
pub fn start_instrumentation() {
    request!(0; VG_USERREQ__CG_START_INSTRUMENTATION);
}

/// Stops to observe the program, for all threads: nothing is counted from here on.
///
/// ```
/// use iai_callgrind::client_requests::cachegrind;
///
/// cachegrind::stop_instrumentation();
/// // ... not of interest ...
/// cachegrind::start_instrumentation();
/// ```
#[doc = request_doc!(VG_USERREQ__CG_STOP_INSTRUMENTATION)]
#[inline(always)]
pub fn stop_instrumentation() {
    request!(0; VG_USERREQ__CG_STOP_INSTRUMENTATION);
}

/// Counts what the program does while `f` runs, if it was not observed before.
///
/// It concerns all threads, and it is undone also if `f` panics.
///
/// ```
/// use iai_callgrind::client_requests::cachegrind;
///
/// let sum = cachegrind::instrument(|| 1 + 2);
/// assert_eq!(sum, 3);
/// ```
#[doc = request_doc!(VG_USERREQ__CG_START_INSTRUMENTATION)]
#[inline(always)]
pub fn instrument<R>(f: impl FnOnce() -> R) -> R {
    let _instrumenting = Instrumenting::new();
    f()
}

/// [`start_instrumentation`] now, and [`stop_instrumentation`] when this value is dropped.
///
/// ```
/// use iai_callgrind::client_requests::cachegrind::Instrumenting;
///
/// let instrumenting = Instrumenting::new();
/// // ... of interest ...
/// drop(instrumenting);
/// ```
#[derive(Debug)]
#[must_use = "the instrumentation stops when this value is dropped"]
pub struct Instrumenting(());

impl Instrumenting {
    /// Calls [`start_instrumentation`].
    // `Default` would hide that something happens.
    #[allow(clippy::new_without_default)]
    #[inline(always)]
    pub fn new() -> Self {
        start_instrumentation();
        Self(())
    }
}

impl Drop for Instrumenting {
    #[inline(always)]
    fn drop(&mut self) {
        stop_instrumentation();
    }
}
