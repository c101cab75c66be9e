//! Accesses that DRD should write to its log.

use core::mem::size_of_val;
use core::ptr::from_ref;

use crate::client_requests::numbers::{
    VG_USERREQ__DRD_START_TRACE_ADDR, VG_USERREQ__DRD_STOP_TRACE_ADDR,
};

/// Every access to this value is written to the log from here on, until its memory is freed.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// # let flag = 0_u8;
/// drd::trace_var(&flag);
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_START_TRACE_ADDR)]
#[inline(always)]
pub fn trace_var<T>(value: &T) {
    request!(0; VG_USERREQ__DRD_START_TRACE_ADDR, from_ref(value).cast::<()>() as usize, size_of_val(value));
}

/// Takes [`trace_var`] back.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// # let flag = 0_u8;
/// drd::trace_var(&flag);
/// // ... accesses of interest ...
/// drd::stop_tracing_var(&flag);
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_STOP_TRACE_ADDR)]
#[inline(always)]
pub fn stop_tracing_var<T>(value: &T) {
    request!(0; VG_USERREQ__DRD_STOP_TRACE_ADDR, from_ref(value).cast::<()>() as usize, size_of_val(value));
}

/// Every access to a value is written to the log while this guard lives.
///
/// ```
/// use iai_callgrind::client_requests::drd::TracingVar;
///
/// let flag = 0_u8;
/// let guard = TracingVar::new(&flag);
/// // ... accesses on several threads ...
/// drop(guard);
/// ```
#[derive(Debug)]
#[must_use = "it ends when this value is dropped"]
pub struct TracingVar<'a, T>(&'a T);

impl<'a, T> TracingVar<'a, T> {
    /// Calls [`trace_var`].
    #[inline(always)]
    pub fn new(value: &'a T) -> Self {
        trace_var(value);
        Self(value)
    }
}

impl<T> Drop for TracingVar<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        stop_tracing_var(self.0);
    }
}

/// Every access to the byte at `addr` is written to the log from here on.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// # let flag = 0_u8;
/// drd::annotate_trace_memory((&raw const flag).cast());
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_START_TRACE_ADDR)]
#[inline(always)]
pub fn annotate_trace_memory(addr: *const ()) {
    request!(0; VG_USERREQ__DRD_START_TRACE_ADDR, addr as usize, 1);
}
