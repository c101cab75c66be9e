//! The order between threads that the program makes itself, and its own readers-writer locks.

use crate::client_requests::numbers::{
    VG_USERREQ__DRD_ANNOTATE_HAPPENS_AFTER, VG_USERREQ__DRD_ANNOTATE_HAPPENS_BEFORE,
    VG_USERREQ__DRD_ANNOTATE_RWLOCK_ACQUIRED, VG_USERREQ__DRD_ANNOTATE_RWLOCK_CREATE,
    VG_USERREQ__DRD_ANNOTATE_RWLOCK_DESTROY, VG_USERREQ__DRD_ANNOTATE_RWLOCK_RELEASED,
    VG_USERREQ__DRD_CLEAN_MEMORY,
};

/// Everything that this thread did so far happens before everything that another thread does after
/// an [`annotate_happens_after`] of the same address.
///
/// To be called right before the synchronization that DRD does not know, such as the store to an
/// atomic flag.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// use std::sync::atomic::{AtomicBool, Ordering};
///
/// let ready = AtomicBool::new(false);
/// drd::annotate_happens_before((&raw const ready).cast());
/// ready.store(true, Ordering::Release);
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_ANNOTATE_HAPPENS_BEFORE)]
#[inline(always)]
pub fn annotate_happens_before(addr: *const ()) {
    request!(0; VG_USERREQ__DRD_ANNOTATE_HAPPENS_BEFORE, addr as usize);
}

/// Everything that other threads did before their [`annotate_happens_before`] of the same address
/// happens before everything that this thread does from here on.
///
/// To be called right after the synchronization that DRD does not know.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// use std::sync::atomic::{AtomicBool, Ordering};
///
/// # let ready = AtomicBool::new(true);
/// while !ready.load(Ordering::Acquire) {}
/// drd::annotate_happens_after((&raw const ready).cast());
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_ANNOTATE_HAPPENS_AFTER)]
#[inline(always)]
pub fn annotate_happens_after(addr: *const ()) {
    request!(0; VG_USERREQ__DRD_ANNOTATE_HAPPENS_AFTER, addr as usize);
}

/// These `size` bytes are new: what threads did with them before does not count.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// # let block = [0_u8; 64];
/// drd::annotate_new_memory(block.as_ptr().cast(), block.len());
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_CLEAN_MEMORY)]
#[inline(always)]
pub fn annotate_new_memory(addr: *const (), size: usize) {
    request!(0; VG_USERREQ__DRD_CLEAN_MEMORY, addr as usize, size);
}

/// A readers-writer lock of the program's own was made.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// # let lock = b"lock".as_ptr().cast();
/// drd::annotate_rwlock_create(lock);
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_ANNOTATE_RWLOCK_CREATE)]
#[inline(always)]
pub fn annotate_rwlock_create(lock: *const ()) {
    request!(0; VG_USERREQ__DRD_ANNOTATE_RWLOCK_CREATE, lock as usize);
}

/// A readers-writer lock of the program's own is gone.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// # let lock = b"lock".as_ptr().cast();
/// drd::annotate_rwlock_destroy(lock);
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_ANNOTATE_RWLOCK_DESTROY)]
#[inline(always)]
pub fn annotate_rwlock_destroy(lock: *const ()) {
    request!(0; VG_USERREQ__DRD_ANNOTATE_RWLOCK_DESTROY, lock as usize);
}

/// This thread has taken the lock, for writing or for reading.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// # let lock = b"lock".as_ptr().cast();
/// drd::annotate_rwlock_acquired(lock, true);
/// // ... write ...
/// drd::annotate_rwlock_released(lock, true);
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_ANNOTATE_RWLOCK_ACQUIRED)]
#[inline(always)]
pub fn annotate_rwlock_acquired(lock: *const (), is_writer: bool) {
    request!(0; VG_USERREQ__DRD_ANNOTATE_RWLOCK_ACQUIRED, lock as usize, usize::from(is_writer));
}

/// This thread is about to release the lock, which it had for writing or for reading.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// # let lock = b"lock".as_ptr().cast();
/// drd::annotate_rwlock_acquired(lock, false);
/// // ... read ...
/// drd::annotate_rwlock_released(lock, false);
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_ANNOTATE_RWLOCK_RELEASED)]
#[inline(always)]
pub fn annotate_rwlock_released(lock: *const (), is_writer: bool) {
    request!(0; VG_USERREQ__DRD_ANNOTATE_RWLOCK_RELEASED, lock as usize, usize::from(is_writer));
}
