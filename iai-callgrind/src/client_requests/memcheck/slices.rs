//! The requests about memory for slices, without pointers.

use core::mem::size_of_val;

use super::{check_mem_is_defined, make_mem_defined, make_mem_undefined};

/// [`make_mem_undefined`] for the elements of a slice, whose values stay what they are. Nothing
/// happens natively.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// let mut buffer = [0_u8; 64];
/// memcheck::make_slice_undefined(&mut buffer[16..]);
/// ```
#[doc = request_doc!(VG_USERREQ__MAKE_MEM_UNDEFINED)]
#[inline(always)]
pub fn make_slice_undefined<T>(slice: &mut [T]) {
    make_mem_undefined(slice.as_ptr().cast(), size_of_val(slice));
}

/// [`make_mem_defined`] for the elements of a slice. Nothing happens natively.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// let mut buffer = [0_u8; 64];
/// memcheck::make_slice_defined(&mut buffer[..16]);
/// ```
#[doc = request_doc!(VG_USERREQ__MAKE_MEM_DEFINED)]
#[inline(always)]
pub fn make_slice_defined<T>(slice: &mut [T]) {
    make_mem_defined(slice.as_ptr().cast(), size_of_val(slice));
}

/// [`check_mem_is_defined`] for the elements of a slice: the position of the first byte without a
/// value, counted from the beginning of the slice. `None` if there is no such byte, and natively.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// let digest = [0_u8; 32];
/// assert_eq!(memcheck::check_slice_is_defined(&digest), None);
/// ```
#[doc = request_doc!(VG_USERREQ__CHECK_MEM_IS_DEFINED)]
#[inline(always)]
pub fn check_slice_is_defined<T>(slice: &[T]) -> Option<usize> {
    match check_mem_is_defined(slice.as_ptr().cast(), size_of_val(slice)) {
        0 => None,
        address => Some(address.wrapping_sub(slice.as_ptr() as usize)),
    }
}
