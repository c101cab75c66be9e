//! Validity bits: the bits of memory that are defined.

use crate::client_requests::numbers::{VG_USERREQ__GET_VBITS, VG_USERREQ__SET_VBITS};

/// Writes for each bit of `len` bytes at `addr` whether it has a value (0) or not (1).
///
/// If `bits` is shorter than `len`, only its length is asked for. The result is 0 natively, where
/// `bits` is unchanged, 1 if all went well, and 3 if some of the memory may not be accessed.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// let value = 1_u32;
/// let mut bits = [0; 4];
/// memcheck::get_vbits((&raw const value).cast(), &mut bits, 4);
/// assert_eq!(bits, [0; 4]);
/// ```
#[doc = request_doc!(VG_USERREQ__GET_VBITS)]
#[inline(always)]
pub fn get_vbits(addr: *const (), bits: &mut [u8], len: usize) -> usize {
    let len = len.min(bits.len());
    request!(0; VG_USERREQ__GET_VBITS, addr as usize, bits.as_mut_ptr() as usize, len)
}

/// Says for each bit of `len` bytes at `addr` whether it has a value (0) or not (1).
///
/// If `bits` is shorter than `len`, only its length is set. The result is 0 natively, 1 if all went
/// well, and 3 if some of the memory may not be accessed.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// let value = 1_u32;
/// // Only the lowest byte, on a processor that begins with it.
/// memcheck::set_vbits((&raw const value).cast(), &[0, 0xff, 0xff, 0xff], 4);
/// # memcheck::make_mem_defined((&raw const value).cast(), 4);
/// ```
#[doc = request_doc!(VG_USERREQ__SET_VBITS)]
#[inline(always)]
pub fn set_vbits(addr: *const (), bits: &[u8], len: usize) -> usize {
    let len = len.min(bits.len());
    request!(0; VG_USERREQ__SET_VBITS, addr as usize, bits.as_ptr() as usize, len)
}
