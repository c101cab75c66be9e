//! Names for parts of memory, which Memcheck's errors then mention.

use core::ffi::CStr;

use crate::client_requests::numbers::{VG_USERREQ__CREATE_BLOCK, VG_USERREQ__DISCARD};

/// Memcheck's number for a described part of memory, which [`create_block`] returns.
///
/// ```
/// use iai_callgrind::client_requests::memcheck::{self, BlockHandle};
///
/// # let header = [0_u8; 64];
/// let block: BlockHandle = memcheck::create_block(header.as_ptr().cast(), 64, c"header");
/// memcheck::discard(block);
/// ```
pub type BlockHandle = usize;

/// Gives a name to `len` bytes: errors in them mention it.
///
/// Memcheck copies the name. The result is what [`discard`] takes. It is 0 natively, and it is 0
/// for Memcheck's first block, too: [`try_create_block`] tells these cases apart.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// # let header = [0_u8; 64];
/// let block = memcheck::create_block(header.as_ptr().cast(), header.len(), c"header");
/// memcheck::discard(block);
/// ```
#[doc = request_doc!(VG_USERREQ__CREATE_BLOCK)]
#[inline(always)]
pub fn create_block<T: AsRef<CStr>>(addr: *const (), len: usize, desc: T) -> BlockHandle {
    request!(
        0;
        VG_USERREQ__CREATE_BLOCK,
        addr as usize,
        len,
        desc.as_ref().as_ptr() as usize
    )
}

/// [`create_block`] with `None` as the result natively and under other tools.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// # let header = [0_u8; 64];
/// let block = memcheck::try_create_block(header.as_ptr().cast(), header.len(), c"header");
/// if let Some(block) = block {
///     memcheck::discard(block);
/// }
/// ```
#[doc = request_doc!(VG_USERREQ__CREATE_BLOCK)]
#[inline(always)]
pub fn try_create_block<T: AsRef<CStr>>(
    addr: *const (),
    len: usize,
    desc: T,
) -> Option<BlockHandle> {
    // Memcheck counts blocks from 0 on, so the default shows that it did not answer.
    let unanswered = usize::MAX;
    let handle = request!(
        unanswered;
        VG_USERREQ__CREATE_BLOCK,
        addr as usize,
        len,
        desc.as_ref().as_ptr() as usize
    );
    (handle != unanswered).then_some(handle)
}

/// Takes the name of a block back: 0 if there was such a block, and natively; 1 if not.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// # let header = [0_u8; 64];
/// let block = memcheck::create_block(header.as_ptr().cast(), header.len(), c"header");
/// assert_eq!(memcheck::discard(block), 0);
/// ```
#[doc = request_doc!(VG_USERREQ__DISCARD)]
#[inline(always)]
pub fn discard(handle: BlockHandle) -> usize {
    // The first argument is unused, the second is the handle.
    request!(0; VG_USERREQ__DISCARD, 0, handle)
}
