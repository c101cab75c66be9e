//! Numbers and name of the calling thread.

use core::ffi::CStr;

use crate::client_requests::numbers::{
    VG_USERREQ__DRD_GET_DRD_THREAD_ID, VG_USERREQ__DRD_GET_VALGRIND_THREAD_ID,
    VG_USERREQ__DRD_SET_THREAD_NAME,
};
use crate::client_requests::ThreadId;

/// Valgrind's number of the calling thread, which DRD uses in its reports; 0 natively.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// let thread = drd::get_valgrind_threadid();
/// # assert_eq!(thread, 0);
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_GET_VALGRIND_THREAD_ID)]
#[inline(always)]
#[must_use]
pub fn get_valgrind_threadid() -> ThreadId {
    request!(0; VG_USERREQ__DRD_GET_VALGRIND_THREAD_ID)
}

/// DRD's own number of the calling thread, which is not used again after the thread's end, unlike
/// Valgrind's; 0 natively.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// let thread = drd::get_drd_threadid();
/// # assert_eq!(thread, 0);
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_GET_DRD_THREAD_ID)]
#[inline(always)]
#[must_use]
pub fn get_drd_threadid() -> ThreadId {
    request!(0; VG_USERREQ__DRD_GET_DRD_THREAD_ID)
}

/// Gives the calling thread a name, which DRD uses in its reports.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// drd::annotate_thread_name(c"collector");
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_SET_THREAD_NAME)]
#[inline(always)]
pub fn annotate_thread_name<T: AsRef<CStr>>(name: T) {
    request!(0; VG_USERREQ__DRD_SET_THREAD_NAME, name.as_ref().as_ptr() as usize);
}
