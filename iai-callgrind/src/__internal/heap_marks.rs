//! A few allocations by which the runner sees whether DHAT sees this executable's heap.
//!
//! Valgrind replaces `malloc` and its like. An allocator that takes its memory from the kernel, or
//! keeps large pieces of it to give away small ones, is not seen, and neither is a static
//! executable: DHAT would say that nothing was allocated. So three blocks of one byte are made
//! through Rust's global allocator, each freed before the next one is made, in a function of a
//! known name; the runner finds three blocks at it, or else says that there is no figure. It leaves
//! them out of all figures.
//!
//! They are made before the arguments of a benchmark, while the heap is smaller than the start of
//! the program left it, so that the moment at which the heap is largest stays what it is.

/// Makes the blocks.
#[cfg(unix)]
pub(super) fn make() {
    for _ in 0..MARKS {
        __iai_callgrind_mark_mod::allocate();
    }
}

/// Number of blocks that the runner expects.
#[cfg(unix)]
const MARKS: u32 = crate::protocol::wire::HEAP_MARKS;

/// Module by whose name the runner finds the blocks.
#[allow(non_snake_case)]
#[cfg(unix)]
mod __iai_callgrind_mark_mod {
    use std::alloc::{alloc, dealloc, Layout};
    use std::hint::black_box;

    #[inline(never)]
    pub(super) fn allocate() {
        let layout = black_box(Layout::new::<u8>());
        // SAFETY: the layout has a size, and the block is freed with the layout that it was made
        // with.
        unsafe {
            let block = black_box(alloc(layout));
            if !block.is_null() {
                dealloc(block, layout);
            }
        }
        // The last act of this function is not the call of another one, which would replace it on
        // the stack.
        black_box(());
    }
}
