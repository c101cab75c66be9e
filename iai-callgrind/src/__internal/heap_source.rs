//! Source of the blocks of Rust's global allocator: the C library's `malloc`, or something else.
//!
//! Massif keeps no stacks in which blocks of ours could be found, so this is found out natively, by
//! the `describe` role: the C library says how much it has given away, before and after a block is
//! made.

/// `None`: the C library does not say.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) fn is_malloc() -> Option<bool> {
    use std::alloc::{alloc, alloc_zeroed, dealloc};

    // Another `malloc` may stand before that of the C library, or it may keep more freed blocks
    // than usual.
    let is_seen = gives_each_block(of_c, free_of_c);
    is_seen.then(|| gives_each_block(alloc, dealloc) && gives_each_block(alloc_zeroed, dealloc))
}

/// Sizes of blocks: an allocator may have one of its own for the small ones only. All are below the
/// size that is mapped.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const SIZES: [usize; 20] = [
    1, 8, 16, 24, 32, 48, 64, 65, 96, 128, 200, 256, 400, 512, 1000, 1024, 2048, 5003, 16384, 65536,
];

/// Blocks of each size. The C library keeps some freed ones for a thread, 7 of a size or 16, and
/// counts them as given away.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const BLOCKS: usize = 48;

/// Does the C library give away memory for each of these blocks, also after the first ones were
/// freed?
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn gives_each_block(
    make: unsafe fn(std::alloc::Layout) -> *mut u8,
    free: unsafe fn(*mut u8, std::alloc::Layout),
) -> bool {
    use std::alloc::Layout;
    use std::hint::black_box;

    let grown_by = |layout: Layout| {
        let mut blocks = [std::ptr::null_mut(); BLOCKS];
        let before = in_use();
        // SAFETY: the layout has a size; each block is freed with it, by the same allocator.
        unsafe {
            blocks.fill_with(|| black_box(make(layout)));
            let grown = in_use().wrapping_sub(before);
            for block in blocks.into_iter().filter(|block| !block.is_null()) {
                free(block, layout);
            }
            grown
        }
    };
    SIZES.iter().chain(&SIZES).all(|size| {
        let Ok(layout) = Layout::from_size_align(black_box(*size), 1) else {
            return false;
        };
        let grown = usize::try_from(grown_by(layout)).unwrap_or(0);
        // An allocator around `malloc` may want some bytes more; one that divides large pieces
        // wants none, or all at once.
        grown >= BLOCKS / 2 * size && grown < BLOCKS * (2 * size + 64)
    })
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) fn is_malloc() -> Option<bool> {
    None
}

/// Bytes that the C library has given away. Wraps.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn in_use() -> i32 {
    // SAFETY: has no conditions.
    let info = unsafe { libc::mallinfo() };
    info.uordblks.wrapping_add(info.hblkhd)
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
unsafe fn of_c(layout: std::alloc::Layout) -> *mut u8 {
    // SAFETY: has no conditions.
    unsafe { libc::malloc(layout.size()) }.cast()
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
unsafe fn free_of_c(block: *mut u8, _: std::alloc::Layout) {
    // SAFETY: the caller has it from `of_c`.
    unsafe { libc::free(block.cast()) }
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    #[test]
    fn the_default_allocator_is_malloc() {
        // Threads of other tests allocate at the same time, so a try may fail.
        let found = (0..1000).any(|_| super::is_malloc() == Some(true));
        assert!(found);
    }
}
