//! The order between threads that the program makes itself, and its own readers-writer locks.

use crate::client_requests::numbers::{
    _VG_USERREQ__HG_GNAT_DEPENDENT_MASTER_JOIN, _VG_USERREQ__HG_PTHREAD_RWLOCK_ACQUIRED,
    _VG_USERREQ__HG_PTHREAD_RWLOCK_DESTROY_PRE, _VG_USERREQ__HG_PTHREAD_RWLOCK_INIT_POST,
    _VG_USERREQ__HG_PTHREAD_RWLOCK_RELEASED, _VG_USERREQ__HG_USERSO_FORGET_ALL,
    _VG_USERREQ__HG_USERSO_RECV_POST, _VG_USERREQ__HG_USERSO_SEND_PRE, VG_USERREQ__HG_CLEAN_MEMORY,
};

/// Everything that this thread did so far happens before everything that another thread does after
/// an [`annotate_happens_after`] of the same address.
///
/// To be called right before the synchronization that Helgrind does not know, such as the store to
/// an atomic flag.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// use std::sync::atomic::{AtomicBool, Ordering};
///
/// let ready = AtomicBool::new(false);
/// helgrind::annotate_happens_before((&raw const ready).cast());
/// ready.store(true, Ordering::Release);
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_USERSO_SEND_PRE)]
#[inline(always)]
pub fn annotate_happens_before(obj: *const ()) {
    request!(0; _VG_USERREQ__HG_USERSO_SEND_PRE, obj as usize);
}

/// Everything that other threads did before their [`annotate_happens_before`] of the same address
/// happens before everything that this thread does from here on.
///
/// To be called right after the synchronization that Helgrind does not know.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// use std::sync::atomic::{AtomicBool, Ordering};
///
/// # let ready = AtomicBool::new(true);
/// while !ready.load(Ordering::Acquire) {}
/// helgrind::annotate_happens_after((&raw const ready).cast());
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_USERSO_RECV_POST)]
#[inline(always)]
pub fn annotate_happens_after(obj: *const ()) {
    request!(0; _VG_USERREQ__HG_USERSO_RECV_POST, obj as usize);
}

/// Forgets every [`annotate_happens_before`] of this address, so that Helgrind can free what it
/// keeps for it.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let lock = b"lock".as_ptr().cast();
/// helgrind::annotate_happens_before_forget_all(lock);
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_USERSO_FORGET_ALL)]
#[inline(always)]
pub fn annotate_happens_before_forget_all(obj: *const ()) {
    request!(0; _VG_USERREQ__HG_USERSO_FORGET_ALL, obj as usize);
}

/// These `size` bytes are new: what threads did with them before does not count. The same as
/// [`clean_memory`](super::clean_memory).
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let block = [0_u8; 64];
/// helgrind::annotate_new_memory(block.as_ptr().cast(), block.len());
/// ```
#[doc = request_doc!(VG_USERREQ__HG_CLEAN_MEMORY)]
#[inline(always)]
pub fn annotate_new_memory(addr: *const (), size: usize) {
    request!(0; VG_USERREQ__HG_CLEAN_MEMORY, addr as usize, size);
}

/// A readers-writer lock of the program's own was made.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let lock = b"lock".as_ptr().cast();
/// helgrind::annotate_rwlock_create(lock);
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_PTHREAD_RWLOCK_INIT_POST)]
#[inline(always)]
pub fn annotate_rwlock_create(lock: *const ()) {
    request!(0; _VG_USERREQ__HG_PTHREAD_RWLOCK_INIT_POST, lock as usize);
}

/// A readers-writer lock of the program's own is about to go.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let lock = b"lock".as_ptr().cast();
/// helgrind::annotate_rwlock_destroy(lock);
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_PTHREAD_RWLOCK_DESTROY_PRE)]
#[inline(always)]
pub fn annotate_rwlock_destroy(lock: *const ()) {
    request!(0; _VG_USERREQ__HG_PTHREAD_RWLOCK_DESTROY_PRE, lock as usize);
}

/// This thread has taken the lock, for writing or for reading.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let lock = b"lock".as_ptr().cast();
/// helgrind::annotate_rwlock_acquired(lock, true);
/// // ... write ...
/// helgrind::annotate_rwlock_released(lock, true);
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_PTHREAD_RWLOCK_ACQUIRED)]
#[inline(always)]
pub fn annotate_rwlock_acquired(lock: *const (), is_writer: bool) {
    request!(0; _VG_USERREQ__HG_PTHREAD_RWLOCK_ACQUIRED, lock as usize, usize::from(is_writer));
}

/// This thread is about to release the lock, which it had for writing or for reading. Helgrind
/// knows for which and ignores `is_writer`; DRD does not.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let lock = b"lock".as_ptr().cast();
/// helgrind::annotate_rwlock_acquired(lock, false);
/// // ... read ...
/// helgrind::annotate_rwlock_released(lock, false);
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_PTHREAD_RWLOCK_RELEASED)]
#[inline(always)]
pub fn annotate_rwlock_released(lock: *const (), is_writer: bool) {
    request!(0; _VG_USERREQ__HG_PTHREAD_RWLOCK_RELEASED, lock as usize, usize::from(is_writer));
}

/// An Ada task `master` has seen the end of the task `dep`, as if it had joined it. For programs of
/// GNAT only.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let (dep, master) = (b"1".as_ptr().cast(), b"2".as_ptr().cast());
/// helgrind::gnat_dependent_master_join(dep, master);
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_GNAT_DEPENDENT_MASTER_JOIN)]
#[inline(always)]
pub fn gnat_dependent_master_join(dep: *const (), master: *const ()) {
    request!(0; _VG_USERREQ__HG_GNAT_DEPENDENT_MASTER_JOIN, dep as usize, master as usize);
}
