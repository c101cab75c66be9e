//! Semaphores of the program's own.

use crate::client_requests::numbers::{
    _VG_USERREQ__HG_POSIX_SEM_ACQUIRED, _VG_USERREQ__HG_POSIX_SEM_DESTROY_PRE,
    _VG_USERREQ__HG_POSIX_SEM_INIT_POST, _VG_USERREQ__HG_POSIX_SEM_RELEASED,
};

/// A semaphore of the program's own was made, with this value.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let sem = b"semaphore".as_ptr().cast();
/// helgrind::sem_init_post(sem, 1);
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_POSIX_SEM_INIT_POST)]
#[inline(always)]
pub fn sem_init_post(sem: *const (), value: usize) {
    request!(0; _VG_USERREQ__HG_POSIX_SEM_INIT_POST, sem as usize, value);
}

/// This thread has waited for the semaphore and got it.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let sem = b"semaphore".as_ptr().cast();
/// // ... wait ...
/// helgrind::sem_wait_post(sem);
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_POSIX_SEM_ACQUIRED)]
#[inline(always)]
pub fn sem_wait_post(sem: *const ()) {
    request!(0; _VG_USERREQ__HG_POSIX_SEM_ACQUIRED, sem as usize);
}

/// This thread is about to post the semaphore.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let sem = b"semaphore".as_ptr().cast();
/// helgrind::sem_post_pre(sem);
/// // ... post ...
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_POSIX_SEM_RELEASED)]
#[inline(always)]
pub fn sem_post_pre(sem: *const ()) {
    request!(0; _VG_USERREQ__HG_POSIX_SEM_RELEASED, sem as usize);
}

/// The semaphore is about to go.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let sem = b"semaphore".as_ptr().cast();
/// helgrind::sem_destroy_pre(sem);
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_POSIX_SEM_DESTROY_PRE)]
#[inline(always)]
pub fn sem_destroy_pre(sem: *const ()) {
    request!(0; _VG_USERREQ__HG_POSIX_SEM_DESTROY_PRE, sem as usize);
}
