//! Memcheck's knowledge of memory: the bytes that may be accessed, and those that are defined.

use core::mem::size_of_val;
use core::ptr::from_ref;

use crate::client_requests::numbers::{
    VG_USERREQ__CHECK_MEM_IS_ADDRESSABLE, VG_USERREQ__CHECK_MEM_IS_DEFINED,
    VG_USERREQ__DISABLE_ADDR_ERROR_REPORTING_IN_RANGE,
    VG_USERREQ__ENABLE_ADDR_ERROR_REPORTING_IN_RANGE, VG_USERREQ__MAKE_MEM_DEFINED,
    VG_USERREQ__MAKE_MEM_DEFINED_IF_ADDRESSABLE, VG_USERREQ__MAKE_MEM_NOACCESS,
    VG_USERREQ__MAKE_MEM_UNDEFINED,
};

/// Every access to these `len` bytes is an error from here on.
///
/// The result is 0 natively and -1 (`usize::MAX`) under Memcheck.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// # let arena = [0_u8; 64];
/// memcheck::make_mem_noaccess(arena.as_ptr().cast(), arena.len());
/// # memcheck::make_mem_defined(arena.as_ptr().cast(), arena.len());
/// ```
#[doc = request_doc!(VG_USERREQ__MAKE_MEM_NOACCESS)]
#[inline(always)]
pub fn make_mem_noaccess(addr: *const (), len: usize) -> usize {
    request!(0; VG_USERREQ__MAKE_MEM_NOACCESS, addr as usize, len)
}

/// These `len` bytes may be accessed and have no value yet: a decision that depends on them is an
/// error from here on.
///
/// The result is 0 natively and -1 (`usize::MAX`) under Memcheck.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// # let buffer = [0_u8; 64];
/// // The buffer is used again. What it holds must not matter.
/// memcheck::make_mem_undefined(buffer.as_ptr().cast(), buffer.len());
/// ```
#[doc = request_doc!(VG_USERREQ__MAKE_MEM_UNDEFINED)]
#[inline(always)]
pub fn make_mem_undefined(addr: *const (), len: usize) -> usize {
    request!(0; VG_USERREQ__MAKE_MEM_UNDEFINED, addr as usize, len)
}

/// These `len` bytes may be accessed and have a value, which Memcheck did not see come.
///
/// The result is 0 natively and -1 (`usize::MAX`) under Memcheck.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// # let buffer = [0_u8; 64];
/// // A device has written to the buffer.
/// memcheck::make_mem_defined(buffer.as_ptr().cast(), buffer.len());
/// ```
#[doc = request_doc!(VG_USERREQ__MAKE_MEM_DEFINED)]
#[inline(always)]
pub fn make_mem_defined(addr: *const (), len: usize) -> usize {
    request!(0; VG_USERREQ__MAKE_MEM_DEFINED, addr as usize, len)
}

/// [`make_mem_defined`] for those of the bytes that may be accessed; the others stay as they are.
///
/// The result is 0 natively and -1 (`usize::MAX`) under Memcheck.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// # let arena = [0_u8; 64];
/// memcheck::make_mem_defined_if_addressable(arena.as_ptr().cast(), arena.len());
/// ```
#[doc = request_doc!(VG_USERREQ__MAKE_MEM_DEFINED_IF_ADDRESSABLE)]
#[inline(always)]
pub fn make_mem_defined_if_addressable(addr: *const (), len: usize) -> usize {
    request!(0; VG_USERREQ__MAKE_MEM_DEFINED_IF_ADDRESSABLE, addr as usize, len)
}

/// May all of these `len` bytes be accessed? If not, it is an error, and the result is the address
/// of the first byte that may not; else, and natively, it is 0.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// # let arena = [0_u8; 64];
/// assert_eq!(memcheck::check_mem_is_addressable(arena.as_ptr().cast(), arena.len()), 0);
/// ```
#[doc = request_doc!(VG_USERREQ__CHECK_MEM_IS_ADDRESSABLE)]
#[inline(always)]
pub fn check_mem_is_addressable(addr: *const (), len: usize) -> usize {
    request!(0; VG_USERREQ__CHECK_MEM_IS_ADDRESSABLE, addr as usize, len)
}

/// May all of these `len` bytes be accessed, and have they a value? If not, it is an error, and the
/// result is the address of the first byte that is to blame; else, and natively, it is 0.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// # let buffer = [0_u8; 64];
/// assert_eq!(memcheck::check_mem_is_defined(buffer.as_ptr().cast(), buffer.len()), 0);
/// ```
#[doc = request_doc!(VG_USERREQ__CHECK_MEM_IS_DEFINED)]
#[inline(always)]
pub fn check_mem_is_defined(addr: *const (), len: usize) -> usize {
    request!(0; VG_USERREQ__CHECK_MEM_IS_DEFINED, addr as usize, len)
}

/// [`check_mem_is_defined`] for the bytes of a value; the padding between fields counts.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// let sum = 1 + 2;
/// assert_eq!(memcheck::check_value_is_defined(&sum), 0);
/// ```
#[doc = request_doc!(VG_USERREQ__CHECK_MEM_IS_DEFINED)]
#[inline(always)]
pub fn check_value_is_defined<T>(value: &T) -> usize {
    check_mem_is_defined(from_ref(value).cast(), size_of_val(value))
}

/// Wrong accesses to these `len` bytes are not reported from here on.
///
/// The result is 0 natively and 1 under Memcheck.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// # let arena = [0_u8; 64];
/// memcheck::disable_addr_error_reporting_in_range(arena.as_ptr().cast(), arena.len());
/// ```
#[doc = request_doc!(VG_USERREQ__DISABLE_ADDR_ERROR_REPORTING_IN_RANGE)]
#[inline(always)]
pub fn disable_addr_error_reporting_in_range(addr: *const (), len: usize) -> usize {
    request!(0; VG_USERREQ__DISABLE_ADDR_ERROR_REPORTING_IN_RANGE, addr as usize, len)
}

/// Takes [`disable_addr_error_reporting_in_range`] back.
///
/// The result is 0 natively and 1 under Memcheck.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// # let arena = [0_u8; 64];
/// memcheck::enable_addr_error_reporting_in_range(arena.as_ptr().cast(), arena.len());
/// ```
#[doc = request_doc!(VG_USERREQ__ENABLE_ADDR_ERROR_REPORTING_IN_RANGE)]
#[inline(always)]
pub fn enable_addr_error_reporting_in_range(addr: *const (), len: usize) -> usize {
    request!(0; VG_USERREQ__ENABLE_ADDR_ERROR_REPORTING_IN_RANGE, addr as usize, len)
}
