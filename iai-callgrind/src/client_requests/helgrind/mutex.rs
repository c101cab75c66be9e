//! Mutexes of the program's own, such as spin locks.

use crate::client_requests::numbers::{
    _VG_USERREQ__HG_PTHREAD_MUTEX_ACQUIRE_POST, _VG_USERREQ__HG_PTHREAD_MUTEX_ACQUIRE_PRE,
    _VG_USERREQ__HG_PTHREAD_MUTEX_DESTROY_PRE, _VG_USERREQ__HG_PTHREAD_MUTEX_INIT_POST,
    _VG_USERREQ__HG_PTHREAD_MUTEX_UNLOCK_POST, _VG_USERREQ__HG_PTHREAD_MUTEX_UNLOCK_PRE,
};

/// A mutex of the program's own was made. A `recursive` one may be taken again by its owner.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let mutex = b"mutex".as_ptr().cast();
/// helgrind::mutex_init_post(mutex, false);
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_PTHREAD_MUTEX_INIT_POST)]
#[inline(always)]
pub fn mutex_init_post(mutex: *const (), recursive: bool) {
    request!(0; _VG_USERREQ__HG_PTHREAD_MUTEX_INIT_POST, mutex as usize, usize::from(recursive));
}

/// This thread is about to take the mutex, or only to try it.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let mutex = b"mutex".as_ptr().cast();
/// helgrind::mutex_lock_pre(mutex, false);
/// // ... take it ...
/// helgrind::mutex_lock_post(mutex);
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_PTHREAD_MUTEX_ACQUIRE_PRE)]
#[inline(always)]
pub fn mutex_lock_pre(mutex: *const (), is_try: bool) {
    request!(0; _VG_USERREQ__HG_PTHREAD_MUTEX_ACQUIRE_PRE, mutex as usize, usize::from(is_try));
}

/// This thread has taken the mutex.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let mutex = b"mutex".as_ptr().cast();
/// helgrind::mutex_lock_pre(mutex, false);
/// // ... take it ...
/// helgrind::mutex_lock_post(mutex);
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_PTHREAD_MUTEX_ACQUIRE_POST)]
#[inline(always)]
pub fn mutex_lock_post(mutex: *const ()) {
    request!(0; _VG_USERREQ__HG_PTHREAD_MUTEX_ACQUIRE_POST, mutex as usize);
}

/// This thread is about to release the mutex.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let mutex = b"mutex".as_ptr().cast();
/// helgrind::mutex_unlock_pre(mutex);
/// // ... release it ...
/// helgrind::mutex_unlock_post(mutex);
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_PTHREAD_MUTEX_UNLOCK_PRE)]
#[inline(always)]
pub fn mutex_unlock_pre(mutex: *const ()) {
    request!(0; _VG_USERREQ__HG_PTHREAD_MUTEX_UNLOCK_PRE, mutex as usize);
}

/// This thread has released the mutex.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let mutex = b"mutex".as_ptr().cast();
/// helgrind::mutex_unlock_pre(mutex);
/// // ... release it ...
/// helgrind::mutex_unlock_post(mutex);
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_PTHREAD_MUTEX_UNLOCK_POST)]
#[inline(always)]
pub fn mutex_unlock_post(mutex: *const ()) {
    request!(0; _VG_USERREQ__HG_PTHREAD_MUTEX_UNLOCK_POST, mutex as usize);
}

/// The mutex is about to go.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let mutex = b"mutex".as_ptr().cast();
/// helgrind::mutex_destroy_pre(mutex);
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_PTHREAD_MUTEX_DESTROY_PRE)]
#[inline(always)]
pub fn mutex_destroy_pre(mutex: *const ()) {
    request!(0; _VG_USERREQ__HG_PTHREAD_MUTEX_DESTROY_PRE, mutex as usize);
}
