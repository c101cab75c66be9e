//! Pools: allocators that hand out pieces of larger blocks.

use crate::client_requests::numbers::{
    VG_USERREQ__CREATE_MEMPOOL, VG_USERREQ__DESTROY_MEMPOOL, VG_USERREQ__MEMPOOL_ALLOC,
    VG_USERREQ__MEMPOOL_CHANGE, VG_USERREQ__MEMPOOL_EXISTS, VG_USERREQ__MEMPOOL_FREE,
    VG_USERREQ__MEMPOOL_TRIM, VG_USERREQ__MOVE_MEMPOOL,
};

/// The flags of [`create_mempool_ext`].
///
/// ```
/// use iai_callgrind::client_requests::valgrind::{self, MempoolFlags};
///
/// # let arena = [0_u8; 64];
/// let pool = arena.as_ptr().cast();
/// let flags = [MempoolFlags::DEFAULT, MempoolFlags::AUTOFREE | MempoolFlags::METAPOOL];
/// valgrind::create_mempool_ext(pool, 0, false, flags[0]);
/// ```
// A module, so that the flags are written and combined as numbers: `DEFAULT`, `AUTOFREE |
// METAPOOL`.
#[allow(non_snake_case)]
pub mod MempoolFlags {
    /// A pool as [`create_mempool`](super::create_mempool) makes it.
    pub const DEFAULT: u8 = 0;
    /// When a piece is freed, the blocks in it are free, too. Only together with [`METAPOOL`];
    /// alone it makes Valgrind stop with an error.
    pub const AUTOFREE: u8 = 1;
    /// The pieces of the pool are superblocks, from which
    /// [`malloclike_block`](super::super::malloclike_block) takes blocks.
    pub const METAPOOL: u8 = 2;
}

/// Announces a pool, which is known by the address `pool` from here on.
///
/// `redzone` is the number of unused bytes around each piece, `is_zeroed` whether pieces are filled
/// with zeros. Memcheck reports pieces that were not freed as leaks. Nothing happens natively.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// # let arena = [0_u8; 64];
/// let pool = arena.as_ptr().cast();
/// valgrind::create_mempool(pool, 0, false);
/// ```
#[doc = request_doc!(VG_USERREQ__CREATE_MEMPOOL)]
#[inline(always)]
pub fn create_mempool(pool: *const (), redzone: usize, is_zeroed: bool) {
    create_mempool_ext(pool, redzone, is_zeroed, MempoolFlags::DEFAULT);
}

/// Announces a pool as [`create_mempool`] does, with flags of [`MempoolFlags`].
///
/// A Valgrind before 3.12 ignores the flags.
///
/// ```
/// use iai_callgrind::client_requests::valgrind::{self, MempoolFlags};
///
/// # let arena = [0_u8; 64];
/// let pool = arena.as_ptr().cast();
/// valgrind::create_mempool_ext(pool, 0, false, MempoolFlags::AUTOFREE | MempoolFlags::METAPOOL);
/// ```
#[doc = request_doc!(VG_USERREQ__CREATE_MEMPOOL)]
#[inline(always)]
pub fn create_mempool_ext(pool: *const (), redzone: usize, is_zeroed: bool, flags: u8) {
    request!(
        0;
        VG_USERREQ__CREATE_MEMPOOL,
        pool as usize,
        redzone,
        usize::from(is_zeroed),
        usize::from(flags)
    );
}

/// Ends a pool and frees all its pieces. Nothing happens natively.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// # let arena = [0_u8; 64];
/// # let pool = arena.as_ptr().cast();
/// valgrind::destroy_mempool(pool);
/// ```
#[doc = request_doc!(VG_USERREQ__DESTROY_MEMPOOL)]
#[inline(always)]
pub fn destroy_mempool(pool: *const ()) {
    request!(0; VG_USERREQ__DESTROY_MEMPOOL, pool as usize);
}

/// Says that the pool has handed out the `size` bytes at `addr`. Nothing happens natively.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// # let arena = [0_u8; 64];
/// # let pool = arena.as_ptr().cast();
/// valgrind::mempool_alloc(pool, arena[32..].as_ptr().cast(), 16);
/// ```
#[doc = request_doc!(VG_USERREQ__MEMPOOL_ALLOC)]
#[inline(always)]
pub fn mempool_alloc(pool: *const (), addr: *const (), size: usize) {
    request!(0; VG_USERREQ__MEMPOOL_ALLOC, pool as usize, addr as usize, size);
}

/// Says that the piece at `addr` is back in the pool. Nothing happens natively.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// # let arena = [0_u8; 64];
/// # let pool = arena.as_ptr().cast();
/// valgrind::mempool_free(pool, arena[32..].as_ptr().cast());
/// ```
#[doc = request_doc!(VG_USERREQ__MEMPOOL_FREE)]
#[inline(always)]
pub fn mempool_free(pool: *const (), addr: *const ()) {
    request!(0; VG_USERREQ__MEMPOOL_FREE, pool as usize, addr as usize);
}

/// Frees all pieces of the pool outside of the `size` bytes at `addr`, and cuts those that reach
/// out of them. Nothing happens natively.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// # let arena = [0_u8; 64];
/// # let pool = arena.as_ptr().cast();
/// valgrind::mempool_trim(pool, arena.as_ptr().cast(), 48);
/// ```
#[doc = request_doc!(VG_USERREQ__MEMPOOL_TRIM)]
#[inline(always)]
pub fn mempool_trim(pool: *const (), addr: *const (), size: usize) {
    request!(0; VG_USERREQ__MEMPOOL_TRIM, pool as usize, addr as usize, size);
}

/// Says that the pool known as `pool_a` is known as `pool_b` from here on. Nothing happens
/// natively.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// # let arenas = [[0_u8; 64]; 2];
/// # let (old, new) = (arenas[0].as_ptr().cast(), arenas[1].as_ptr().cast());
/// valgrind::move_mempool(old, new);
/// ```
#[doc = request_doc!(VG_USERREQ__MOVE_MEMPOOL)]
#[inline(always)]
pub fn move_mempool(pool_a: *const (), pool_b: *const ()) {
    request!(0; VG_USERREQ__MOVE_MEMPOOL, pool_a as usize, pool_b as usize);
}

/// Says that the piece at `addr_a` is now at `addr_b` and has `size` bytes. Nothing happens
/// natively.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// # let arena = [0_u8; 64];
/// # let pool = arena.as_ptr().cast();
/// # let (old, new) = (pool, arena[32..].as_ptr().cast());
/// valgrind::mempool_change(pool, old, new, 24);
/// ```
#[doc = request_doc!(VG_USERREQ__MEMPOOL_CHANGE)]
#[inline(always)]
pub fn mempool_change(pool: *const (), addr_a: *const (), addr_b: *const (), size: usize) {
    request!(
        0;
        VG_USERREQ__MEMPOOL_CHANGE,
        pool as usize,
        addr_a as usize,
        addr_b as usize,
        size
    );
}

/// Does the tool track a pool of this address? `false` natively.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// # let arena = [0_u8; 64];
/// # let pool = arena.as_ptr().cast();
/// if !valgrind::mempool_exists(pool) {
///     valgrind::create_mempool(pool, 0, false);
/// }
/// ```
#[doc = request_doc!(VG_USERREQ__MEMPOOL_EXISTS)]
#[inline(always)]
#[must_use]
pub fn mempool_exists(pool: *const ()) -> bool {
    (request!(0; VG_USERREQ__MEMPOOL_EXISTS, pool as usize)) != 0
}
