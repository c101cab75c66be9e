//! Semaphores of the program's own.

use crate::client_requests::numbers::{
    VG_USERREQ__DRD_ANNOTATE_SEM_DESTROY_POST, VG_USERREQ__DRD_ANNOTATE_SEM_INIT_PRE,
    VG_USERREQ__DRD_ANNOTATE_SEM_POST_PRE, VG_USERREQ__DRD_ANNOTATE_SEM_WAIT_POST,
    VG_USERREQ__DRD_ANNOTATE_SEM_WAIT_PRE,
};

/// A semaphore of the program's own is about to be made, with this value.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// # let sem = b"semaphore".as_ptr().cast();
/// drd::annotate_sem_init_pre(sem, 1);
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_ANNOTATE_SEM_INIT_PRE)]
#[inline(always)]
pub fn annotate_sem_init_pre(sem: *const (), value: usize) {
    request!(0; VG_USERREQ__DRD_ANNOTATE_SEM_INIT_PRE, sem as usize, value);
}

/// The semaphore is gone.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// # let sem = b"semaphore".as_ptr().cast();
/// drd::annotate_sem_destroy_post(sem);
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_ANNOTATE_SEM_DESTROY_POST)]
#[inline(always)]
pub fn annotate_sem_destroy_post(sem: *const ()) {
    request!(0; VG_USERREQ__DRD_ANNOTATE_SEM_DESTROY_POST, sem as usize);
}

/// This thread is about to wait for the semaphore.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// # let sem = b"semaphore".as_ptr().cast();
/// drd::annotate_sem_wait_pre(sem);
/// // ... wait ...
/// drd::annotate_sem_wait_post(sem);
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_ANNOTATE_SEM_WAIT_PRE)]
#[inline(always)]
pub fn annotate_sem_wait_pre(sem: *const ()) {
    request!(0; VG_USERREQ__DRD_ANNOTATE_SEM_WAIT_PRE, sem as usize);
}

/// This thread has waited for the semaphore and got it.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// # let sem = b"semaphore".as_ptr().cast();
/// drd::annotate_sem_wait_pre(sem);
/// // ... wait ...
/// drd::annotate_sem_wait_post(sem);
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_ANNOTATE_SEM_WAIT_POST)]
#[inline(always)]
pub fn annotate_sem_wait_post(sem: *const ()) {
    request!(0; VG_USERREQ__DRD_ANNOTATE_SEM_WAIT_POST, sem as usize);
}

/// This thread is about to post the semaphore.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// # let sem = b"semaphore".as_ptr().cast();
/// drd::annotate_sem_post_pre(sem);
/// // ... post ...
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_ANNOTATE_SEM_POST_PRE)]
#[inline(always)]
pub fn annotate_sem_post_pre(sem: *const ()) {
    request!(0; VG_USERREQ__DRD_ANNOTATE_SEM_POST_PRE, sem as usize);
}
