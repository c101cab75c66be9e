//! Memory that Helgrind should forget about, or not check.

use core::mem::size_of_val;
use core::ptr::from_ref;

use crate::client_requests::numbers::{
    _VG_USERREQ__HG_ARANGE_MAKE_TRACKED, _VG_USERREQ__HG_ARANGE_MAKE_UNTRACKED,
    _VG_USERREQ__HG_CLEAN_MEMORY_HEAPBLOCK, _VG_USERREQ__HG_GET_ABITS, VG_USERREQ__HG_CLEAN_MEMORY,
};

/// The answer of the requests with a result, if it is not Helgrind who answers: -2.
const NOT_ON_HELGRIND: usize = -2_isize as usize;

/// Forgets everything about these `len` bytes: they belong to this thread from here on.
///
/// For allocators that hand out memory again.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let block = vec![0_u8; 64];
/// helgrind::clean_memory(block.as_ptr().cast(), block.len());
/// ```
#[doc = request_doc!(VG_USERREQ__HG_CLEAN_MEMORY)]
#[inline(always)]
pub fn clean_memory(start: *const (), len: usize) {
    request!(0; VG_USERREQ__HG_CLEAN_MEMORY, start as usize, len);
}

/// [`clean_memory`] for the bytes of a value.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// let job = [1, 2, 3];
/// helgrind::clean_ref(&job);
/// ```
#[doc = request_doc!(VG_USERREQ__HG_CLEAN_MEMORY)]
#[inline(always)]
pub fn clean_ref<T>(value: &T) {
    clean_memory(from_ref(value).cast(), size_of_val(value));
}

/// [`clean_memory`] for the heap block that begins at `start`.
///
/// The result is the size of the block, -1 if no block begins there, and -2 natively and under
/// other tools.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let block = vec![0_u8; 64];
/// let cleaned = helgrind::clean_memory_heapblock(block.as_ptr().cast());
/// # assert_eq!(cleaned, -2);
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_CLEAN_MEMORY_HEAPBLOCK)]
#[inline(always)]
pub fn clean_memory_heapblock(start: *const ()) -> isize {
    let answer = request!(NOT_ON_HELGRIND; _VG_USERREQ__HG_CLEAN_MEMORY_HEAPBLOCK, start as usize);
    answer as isize
}

/// Accesses to these `len` bytes are not checked from here on, until the memory is freed and
/// allocated again, or [`enable_checking`] is called.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let block = vec![0_u8; 64];
/// helgrind::disable_checking(block.as_ptr().cast(), block.len());
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_ARANGE_MAKE_UNTRACKED)]
#[inline(always)]
pub fn disable_checking(start: *const (), len: usize) {
    request!(0; _VG_USERREQ__HG_ARANGE_MAKE_UNTRACKED, start as usize, len);
}

/// Takes [`disable_checking`] back; the bytes belong to this thread from here on.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let block = vec![0_u8; 64];
/// helgrind::enable_checking(block.as_ptr().cast(), block.len());
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_ARANGE_MAKE_TRACKED)]
#[inline(always)]
pub fn enable_checking(start: *const (), len: usize) {
    request!(0; _VG_USERREQ__HG_ARANGE_MAKE_TRACKED, start as usize, len);
}

/// Writes for each of `len` bytes at `addr` whether it may be accessed (0xff) or not (0).
///
/// If `abits` is shorter than `len`, only its length is asked for; if it is empty, nothing is
/// written and all `len` bytes are counted. The result is the number of bytes that may be accessed,
/// -1 if `abits` cannot be written, and -2 natively and under other tools.
///
/// ```
/// use iai_callgrind::client_requests::helgrind;
///
/// # let block = vec![0_u8; 64];
/// let accessible = helgrind::get_abits(block.as_ptr().cast(), &mut [], block.len());
/// # assert_eq!(accessible, -2);
/// ```
#[doc = request_doc!(_VG_USERREQ__HG_GET_ABITS)]
#[inline(always)]
pub fn get_abits(addr: *const (), abits: &mut [u8], len: usize) -> isize {
    let (abits, len) = match abits.len() {
        0 => (0, len),
        length => (abits.as_mut_ptr() as usize, len.min(length)),
    };
    let answer = request!(NOT_ON_HELGRIND; _VG_USERREQ__HG_GET_ABITS, addr as usize, abits, len);
    answer as isize
}
