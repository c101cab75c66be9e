//! Heap blocks of an allocator that Valgrind does not know.

use crate::client_requests::numbers::{
    VG_USERREQ__FREELIKE_BLOCK, VG_USERREQ__MALLOCLIKE_BLOCK, VG_USERREQ__RESIZEINPLACE_BLOCK,
};

/// Says that an allocator of the program has handed out the `size` bytes at `addr`.
///
/// The tool treats them as a block from `malloc`: Memcheck finds leaks and accesses beyond the end,
/// DHAT and Massif count it. `redzone` is the number of unused bytes before and after the block,
/// `is_zeroed` whether it is filled with zeros. A null `addr` is ignored. Nothing happens natively.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// # let arena = [0_u8; 64];
/// valgrind::malloclike_block(arena[16..].as_ptr().cast(), 32, 16, true);
/// ```
#[doc = request_doc!(VG_USERREQ__MALLOCLIKE_BLOCK)]
#[inline(always)]
pub fn malloclike_block(addr: *const (), size: usize, redzone: usize, is_zeroed: bool) {
    request!(
        0;
        VG_USERREQ__MALLOCLIKE_BLOCK,
        addr as usize,
        size,
        redzone,
        usize::from(is_zeroed)
    );
}

/// Says that the block at `addr` has changed its size without moving.
///
/// `redzone` is that of [`malloclike_block`]. Nothing happens natively.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// # let arena = [0_u8; 64];
/// # let block = arena.as_ptr().cast();
/// valgrind::resizeinplace_block(block, 32, 48, 0);
/// ```
#[doc = request_doc!(VG_USERREQ__RESIZEINPLACE_BLOCK)]
#[inline(always)]
pub fn resizeinplace_block(addr: *const (), old_size: usize, new_size: usize, redzone: usize) {
    request!(
        0;
        VG_USERREQ__RESIZEINPLACE_BLOCK,
        addr as usize,
        old_size,
        new_size,
        redzone
    );
}

/// Says that the block at `addr` was given back to the program's allocator.
///
/// `redzone` is that of [`malloclike_block`]. Nothing happens natively.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// # let arena = [0_u8; 64];
/// # let block = arena.as_ptr().cast();
/// valgrind::freelike_block(block, 0);
/// ```
#[doc = request_doc!(VG_USERREQ__FREELIKE_BLOCK)]
#[inline(always)]
pub fn freelike_block(addr: *const (), redzone: usize) {
    request!(0; VG_USERREQ__FREELIKE_BLOCK, addr as usize, redzone);
}
