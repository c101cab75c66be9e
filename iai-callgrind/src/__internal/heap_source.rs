//! Source of the blocks of Rust's global allocator: the C library's `malloc`, or something else.
//!
//! Massif keeps no stacks in which blocks of ours could be found, so this is found out natively, by the
//! `describe` role: the C library says how much it has given away, before and after a block is made.

/// `None`: the C library does not say.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) fn is_malloc() -> Option<bool> {
    use std::alloc::{alloc, dealloc, Layout};
    use std::hint::black_box;

    // Larger than what is kept for a thread, smaller than what is mapped, and of no common size.
    let sizes = [5003_usize, 7001, 9007];
    let seen = |make: unsafe fn(Layout) -> *mut u8, free: unsafe fn(*mut u8, Layout)| {
        sizes.iter().all(|size| {
            let Ok(layout) = Layout::from_size_align(black_box(*size), 1) else {
                return false;
            };
            let before = in_use();
            // SAFETY: the layout has a size; the block is freed with it, by the same allocator.
            let grown = unsafe {
                let block = black_box(make(layout));
                let grown = in_use().wrapping_sub(before);
                if !block.is_null() {
                    free(block, layout);
                }
                grown
            };
            usize::try_from(grown).is_ok_and(|grown| grown >= *size && grown < 2 * *size)
        })
    };
    // Another `malloc` may stand before that of the C library.
    seen(of_c, free_of_c).then(|| seen(alloc, dealloc))
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
