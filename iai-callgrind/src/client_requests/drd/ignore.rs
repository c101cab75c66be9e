//! Accesses that DRD should not check.

use core::mem::size_of_val;
use core::ptr::from_ref;

use crate::client_requests::numbers::{
    VG_USERREQ__DRD_FINISH_SUPPRESSION, VG_USERREQ__DRD_RECORD_LOADS,
    VG_USERREQ__DRD_RECORD_STORES, VG_USERREQ__DRD_START_SUPPRESSION,
};

/// Data races on this value are not reported from here on.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// # let flag = 0_u8;
/// drd::ignore_var(&flag);
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_START_SUPPRESSION)]
#[inline(always)]
pub fn ignore_var<T>(value: &T) {
    request!(0; VG_USERREQ__DRD_START_SUPPRESSION, from_ref(value).cast::<()>() as usize, size_of_val(value));
}

/// Takes [`ignore_var`] back.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// # let flag = 0_u8;
/// drd::ignore_var(&flag);
/// // ... accesses on several threads ...
/// drd::stop_ignoring_var(&flag);
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_FINISH_SUPPRESSION)]
#[inline(always)]
pub fn stop_ignoring_var<T>(value: &T) {
    request!(0; VG_USERREQ__DRD_FINISH_SUPPRESSION, from_ref(value).cast::<()>() as usize, size_of_val(value));
}

/// Data races on a value are not reported while this guard lives.
///
/// ```
/// use iai_callgrind::client_requests::drd::IgnoringVar;
///
/// let flag = 0_u8;
/// let guard = IgnoringVar::new(&flag);
/// // ... accesses on several threads ...
/// drop(guard);
/// ```
#[derive(Debug)]
#[must_use = "it ends when this value is dropped"]
pub struct IgnoringVar<'a, T>(&'a T);

impl<'a, T> IgnoringVar<'a, T> {
    /// Calls [`ignore_var`].
    #[inline(always)]
    pub fn new(value: &'a T) -> Self {
        ignore_var(value);
        Self(value)
    }
}

impl<T> Drop for IgnoringVar<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        stop_ignoring_var(self.0);
    }
}

/// Data races on this value are not reported from here on. The same as [`ignore_var`].
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// # let flag = 0_u8;
/// drd::annotate_benign_race(&flag);
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_START_SUPPRESSION)]
#[inline(always)]
pub fn annotate_benign_race<T>(value: &T) {
    request!(0; VG_USERREQ__DRD_START_SUPPRESSION, from_ref(value).cast::<()>() as usize, size_of_val(value));
}

/// Data races on these `size` bytes are not reported from here on.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// # let flags = [0_u8; 8];
/// drd::annotate_benign_race_sized(flags.as_ptr().cast(), flags.len());
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_START_SUPPRESSION)]
#[inline(always)]
pub fn annotate_benign_race_sized(addr: *const (), size: usize) {
    request!(0; VG_USERREQ__DRD_START_SUPPRESSION, addr as usize, size);
}

/// Reads of the calling thread are not checked from here on.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// drd::annotate_ignore_reads_begin();
/// // ... reads that may race ...
/// drd::annotate_ignore_reads_end();
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_RECORD_LOADS)]
#[inline(always)]
pub fn annotate_ignore_reads_begin() {
    request!(0; VG_USERREQ__DRD_RECORD_LOADS, 0);
}

/// Takes [`annotate_ignore_reads_begin`] back.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// drd::annotate_ignore_reads_begin();
/// // ... reads that may race ...
/// drd::annotate_ignore_reads_end();
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_RECORD_LOADS)]
#[inline(always)]
pub fn annotate_ignore_reads_end() {
    request!(0; VG_USERREQ__DRD_RECORD_LOADS, 1);
}

/// Writes of the calling thread are not checked from here on.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// drd::annotate_ignore_writes_begin();
/// // ... writes that may race ...
/// drd::annotate_ignore_writes_end();
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_RECORD_STORES)]
#[inline(always)]
pub fn annotate_ignore_writes_begin() {
    request!(0; VG_USERREQ__DRD_RECORD_STORES, 0);
}

/// Takes [`annotate_ignore_writes_begin`] back.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// drd::annotate_ignore_writes_begin();
/// // ... writes that may race ...
/// drd::annotate_ignore_writes_end();
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_RECORD_STORES)]
#[inline(always)]
pub fn annotate_ignore_writes_end() {
    request!(0; VG_USERREQ__DRD_RECORD_STORES, 1);
}

/// Neither reads nor writes of the calling thread are checked from here on.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// drd::annotate_ignore_reads_and_writes_begin();
/// // ... accesses that may race ...
/// drd::annotate_ignore_reads_and_writes_end();
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_RECORD_STORES)]
#[inline(always)]
pub fn annotate_ignore_reads_and_writes_begin() {
    annotate_ignore_reads_begin();
    annotate_ignore_writes_begin();
}

/// Takes [`annotate_ignore_reads_and_writes_begin`] back.
///
/// ```
/// use iai_callgrind::client_requests::drd;
///
/// drd::annotate_ignore_reads_and_writes_begin();
/// // ... accesses that may race ...
/// drd::annotate_ignore_reads_and_writes_end();
/// ```
#[doc = request_doc!(VG_USERREQ__DRD_RECORD_STORES)]
#[inline(always)]
pub fn annotate_ignore_reads_and_writes_end() {
    annotate_ignore_writes_end();
    annotate_ignore_reads_end();
}
