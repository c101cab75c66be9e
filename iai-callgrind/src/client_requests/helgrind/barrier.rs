//! Barriers of the program's own.

use crate::client_requests::numbers::{
    _VG_USERREQ__HG_PTHREAD_BARRIER_DESTROY_PRE, _VG_USERREQ__HG_PTHREAD_BARRIER_INIT_PRE,
    _VG_USERREQ__HG_PTHREAD_BARRIER_RESIZE_PRE, _VG_USERREQ__HG_PTHREAD_BARRIER_WAIT_PRE,
};

/// A barrier for `count` threads is about to be made. A `resizable` one may get another count.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let barrier = b"barrier".as_ptr().cast();
/// helgrind::barrier_init_pre(barrier, 4, false);
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_PTHREAD_BARRIER_INIT_PRE)]
#[inline(always)]
pub fn barrier_init_pre(barrier: *const (), count: usize, resizable: bool) {
    request!(0; _VG_USERREQ__HG_PTHREAD_BARRIER_INIT_PRE, barrier as usize, count, usize::from(resizable));
}

/// This thread is about to wait at the barrier.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let barrier = b"barrier".as_ptr().cast();
/// helgrind::barrier_wait_pre(barrier);
/// // ... wait ...
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_PTHREAD_BARRIER_WAIT_PRE)]
#[inline(always)]
pub fn barrier_wait_pre(barrier: *const ()) {
    request!(0; _VG_USERREQ__HG_PTHREAD_BARRIER_WAIT_PRE, barrier as usize);
}

/// The barrier is about to get another count.
///
/// If as many threads wait already, this also says that they go on.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let barrier = b"barrier".as_ptr().cast();
/// helgrind::barrier_resize_pre(barrier, 8);
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_PTHREAD_BARRIER_RESIZE_PRE)]
#[inline(always)]
pub fn barrier_resize_pre(barrier: *const (), count: usize) {
    request!(0; _VG_USERREQ__HG_PTHREAD_BARRIER_RESIZE_PRE, barrier as usize, count);
}

/// The barrier is about to go.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let barrier = b"barrier".as_ptr().cast();
/// helgrind::barrier_destroy_pre(barrier);
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_PTHREAD_BARRIER_DESTROY_PRE)]
#[inline(always)]
pub fn barrier_destroy_pre(barrier: *const ()) {
    request!(0; _VG_USERREQ__HG_PTHREAD_BARRIER_DESTROY_PRE, barrier as usize);
}
