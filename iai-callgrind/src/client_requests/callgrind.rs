//! Requests to Callgrind: which part of a program is counted, and into which files.
//!
//! A program cannot ask whether Callgrind counts at the moment, so requests that switch come in
//! pairs: [`collect`] and [`instrument`] pair them for you. All functions do nothing natively and
//! under the other tools. Requests without an argument cost three instructions under Callgrind.
//!
//! In a benchmark of this crate Callgrind's `--toggle-collect` already counts the benchmark
//! function, and a [`toggle_collect`] in it would switch the counting *off*. So a benchmark that
//! toggles on its own is configured with `EntryPoint::None` and `--collect-atstart=no`.

use core::ffi::CStr;
use core::marker::PhantomData;

use super::numbers::{
    VG_USERREQ__DUMP_STATS, VG_USERREQ__DUMP_STATS_AT, VG_USERREQ__START_INSTRUMENTATION,
    VG_USERREQ__STOP_INSTRUMENTATION, VG_USERREQ__TOGGLE_COLLECT, VG_USERREQ__ZERO_STATS,
};

/// Writes the counts so far to a file `<out>.<n>` of their own and sets them to zero.
///
/// ```
/// use iai_callgrind::client_requests::callgrind;
///
/// // ... the first phase ...
/// callgrind::dump_stats();
/// // ... the second phase ...
/// ```
#[doc = request_doc!(VG_USERREQ__DUMP_STATS)]
#[inline(always)]
pub fn dump_stats() {
    request!(0; VG_USERREQ__DUMP_STATS);
}

/// Dumps as [`dump_stats`] does; the file has the line `desc: Trigger: Client Request: <reason>`.
///
/// ```
/// use iai_callgrind::client_requests::callgrind;
///
/// callgrind::dump_stats_at(c"after the first phase");
/// ```
#[doc = request_doc!(VG_USERREQ__DUMP_STATS_AT)]
#[inline(always)]
pub fn dump_stats_at<T: AsRef<CStr>>(reason: T) {
    request!(0; VG_USERREQ__DUMP_STATS_AT, reason.as_ref().as_ptr() as usize);
}

/// Dumps as [`dump_stats_at`] does, with a reason that is no string of C.
///
/// Its first 255 bytes are used, up to a NUL byte. They are copied to the stack, which costs some
/// instructions; they are counted to what is dumped.
///
/// ```
/// use iai_callgrind::client_requests::callgrind;
///
/// for phase in ["read", "sort"] {
///     // ... the phase ...
///     callgrind::dump_stats_named(phase);
/// }
/// ```
#[doc = request_doc!(VG_USERREQ__DUMP_STATS_AT)]
#[inline(always)]
pub fn dump_stats_named(reason: &str) {
    if super::ACTIVE {
        // One byte more than is copied, for the NUL.
        let mut buffer = [0; 256];
        let length = reason.len().min(buffer.len() - 1);
        buffer[..length].copy_from_slice(&reason.as_bytes()[..length]);
        dump_stats_at(CStr::from_bytes_until_nul(&buffer).unwrap_or_default());
    }
}

/// Sets all counts to zero.
///
/// ```
/// use iai_callgrind::client_requests::callgrind;
///
/// // ... not of interest ...
/// callgrind::zero_stats();
/// ```
#[doc = request_doc!(VG_USERREQ__ZERO_STATS)]
#[inline(always)]
pub fn zero_stats() {
    request!(0; VG_USERREQ__ZERO_STATS);
}

/// Switches the counting of the calling thread: on if it was off, off if it was on.
///
/// It is the switch that `--toggle-collect` and `--collect-atstart` set, too. [`collect`] is the
/// pair of two.
///
/// ```
/// use iai_callgrind::client_requests::callgrind;
///
/// # let numbers = [1, 2];
/// callgrind::toggle_collect();
/// let sum: u64 = std::hint::black_box(&numbers).iter().sum();
/// callgrind::toggle_collect();
/// # assert_eq!(sum, 3);
/// ```
#[doc = request_doc!(VG_USERREQ__TOGGLE_COLLECT)]
#[inline(always)]
pub fn toggle_collect() {
    request!(0; VG_USERREQ__TOGGLE_COLLECT);
}

/// Starts to observe the program, after [`stop_instrumentation`] or `--instr-atstart=no`.
///
/// The simulated caches are empty afterwards.
///
/// ```
/// use iai_callgrind::client_requests::callgrind;
///
/// callgrind::start_instrumentation();
/// // ... of interest ...
/// callgrind::stop_instrumentation();
/// ```
#[doc = request_doc!(VG_USERREQ__START_INSTRUMENTATION)]
#[inline(always)]
pub fn start_instrumentation() {
    request!(0; VG_USERREQ__START_INSTRUMENTATION);
}

/// Stops to observe the program, for all threads: it runs several times faster from here on, and
/// nothing is counted.
///
/// ```
/// use iai_callgrind::client_requests::callgrind;
///
/// callgrind::stop_instrumentation();
/// // ... takes long and is not of interest ...
/// callgrind::start_instrumentation();
/// ```
#[doc = request_doc!(VG_USERREQ__STOP_INSTRUMENTATION)]
#[inline(always)]
pub fn stop_instrumentation() {
    request!(0; VG_USERREQ__STOP_INSTRUMENTATION);
    #[cfg(feature = "benchmark")]
    if super::ACTIVE {
        crate::__internal::noted::stop();
    }
}

/// Counts what `f` does on this thread, if counting was off before, as with `--collect-atstart=no`.
///
/// Counting is switched back also if `f` panics. The optimizer may move computations, but no memory
/// access, into or out of the counted part: pass values through
/// [`black_box`](core::hint::black_box) where that matters.
///
/// ```
/// use std::hint::black_box;
///
/// use iai_callgrind::client_requests::callgrind;
///
/// let sum = callgrind::collect(|| black_box(black_box(1) + 2));
/// assert_eq!(sum, 3);
/// ```
#[doc = request_doc!(VG_USERREQ__TOGGLE_COLLECT)]
#[inline(always)]
pub fn collect<R>(f: impl FnOnce() -> R) -> R {
    let _collecting = Collecting::new();
    f()
}

/// Observes the program while `f` runs, if it was not observed before, as with
/// `--instr-atstart=no`. The simulated caches are empty when `f` starts.
///
/// It concerns all threads, and it is undone also if `f` panics.
///
/// ```
/// use iai_callgrind::client_requests::callgrind;
///
/// let sum = callgrind::instrument(|| 1 + 2);
/// assert_eq!(sum, 3);
/// ```
#[doc = request_doc!(VG_USERREQ__START_INSTRUMENTATION)]
#[inline(always)]
pub fn instrument<R>(f: impl FnOnce() -> R) -> R {
    let _instrumenting = Instrumenting::new();
    f()
}

/// [`toggle_collect`] now, and again when this value is dropped.
///
/// ```
/// use iai_callgrind::client_requests::callgrind::Collecting;
///
/// let collecting = Collecting::new();
/// // ... of interest ...
/// drop(collecting);
/// ```
#[derive(Debug)]
#[must_use = "the second toggle happens when this value is dropped"]
pub struct Collecting {
    /// Callgrind keeps the switch for each thread, so it must be dropped on its own.
    not_send: PhantomData<*const ()>,
}

impl Collecting {
    /// Calls [`toggle_collect`].
    // `Default` would hide that something happens.
    #[allow(clippy::new_without_default)]
    #[inline(always)]
    pub fn new() -> Self {
        toggle_collect();
        Self {
            not_send: PhantomData,
        }
    }
}

impl Drop for Collecting {
    #[inline(always)]
    fn drop(&mut self) {
        toggle_collect();
    }
}

/// [`start_instrumentation`] now, and [`stop_instrumentation`] when this value is dropped.
///
/// ```
/// use iai_callgrind::client_requests::callgrind::Instrumenting;
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
