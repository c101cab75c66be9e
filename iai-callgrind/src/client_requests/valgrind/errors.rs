//! The errors that Memcheck, Helgrind and DRD report: their number, and a switch for the reports.

use core::marker::PhantomData;

use crate::client_requests::numbers::{
    VG_USERREQ__CHANGE_ERR_DISABLEMENT, VG_USERREQ__COUNT_ERRORS,
};

/// The number of errors that the tool has recorded so far; 0 natively and under tools that report
/// no errors.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// let before = valgrind::count_errors();
/// // ... what is to be checked ...
/// assert_eq!(valgrind::count_errors(), before);
/// ```
#[doc = request_doc!(VG_USERREQ__COUNT_ERRORS)]
#[inline(always)]
#[must_use]
pub fn count_errors() -> usize {
    request!(0; VG_USERREQ__COUNT_ERRORS)
}

/// Errors of the calling thread are neither reported nor counted from here on.
///
/// Calls nest: reports come back after as many calls of [`enable_error_reporting`].
/// [`without_error_reporting`] pairs them for you. Nothing happens natively.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// valgrind::disable_error_reporting();
/// // ... known to be wrong ...
/// valgrind::enable_error_reporting();
/// ```
#[doc = request_doc!(VG_USERREQ__CHANGE_ERR_DISABLEMENT)]
#[inline(always)]
pub fn disable_error_reporting() {
    request!(0; VG_USERREQ__CHANGE_ERR_DISABLEMENT, 1);
}

/// Takes one [`disable_error_reporting`] of the calling thread back. Nothing happens natively.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// valgrind::disable_error_reporting();
/// valgrind::enable_error_reporting();
/// ```
#[doc = request_doc!(VG_USERREQ__CHANGE_ERR_DISABLEMENT)]
#[inline(always)]
pub fn enable_error_reporting() {
    // -1 as a word.
    request!(0; VG_USERREQ__CHANGE_ERR_DISABLEMENT, usize::MAX);
}

/// Calls `f` while errors of this thread are neither reported nor counted.
///
/// Reports come back also if `f` panics. Natively it only calls `f`.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// let sum = valgrind::without_error_reporting(|| 1 + 2);
/// assert_eq!(sum, 3);
/// ```
#[doc = request_doc!(VG_USERREQ__CHANGE_ERR_DISABLEMENT)]
#[inline(always)]
pub fn without_error_reporting<R>(f: impl FnOnce() -> R) -> R {
    let _disabled = ErrorReportingDisabled::new();
    f()
}

/// Errors of this thread are neither reported nor counted while this value lives.
///
/// ```
/// use iai_callgrind::client_requests::valgrind::ErrorReportingDisabled;
///
/// let quiet = ErrorReportingDisabled::new();
/// // ... known to be wrong ...
/// drop(quiet);
/// ```
#[doc = request_doc!(VG_USERREQ__CHANGE_ERR_DISABLEMENT)]
#[derive(Debug)]
#[must_use = "error reporting is enabled again when this value is dropped"]
pub struct ErrorReportingDisabled {
    /// Valgrind keeps the switch for each thread, so it must be dropped on its own.
    not_send: PhantomData<*const ()>,
}

impl ErrorReportingDisabled {
    /// Calls [`disable_error_reporting`].
    // `Default` would hide that something happens.
    #[allow(clippy::new_without_default)]
    #[inline(always)]
    pub fn new() -> Self {
        disable_error_reporting();
        Self {
            not_send: PhantomData,
        }
    }
}

impl Drop for ErrorReportingDisabled {
    #[inline(always)]
    fn drop(&mut self) {
        enable_error_reporting();
    }
}
