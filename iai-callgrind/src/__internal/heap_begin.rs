//! The begin of the heap in a static executable.
//!
//! The start code of a static glibc allocates before `main`: the directory of the executable, and
//! the directories of `LD_LIBRARY_PATH`. So the heap of the benchmarks would begin further back for
//! a longer path, and functions that go by the alignment of a buffer (`strlen`, `memset`) would
//! count differently. A block in front of everything that follows makes it begin at a round address.
//! A dynamic executable has these strings in memory of the loader.

use std::ffi::c_void;

/// The heap begins at a multiple of this. Less than what `malloc` takes from the kernel apart.
const BOUNDARY: usize = 64 * 1024;

/// More than any block that the start code frees, so that it is at the end of the heap.
const PROBE: usize = 4096;

/// Size of the number in front of a block, and twice of that: the granularity of blocks.
const WORD: usize = size_of::<usize>();

/// Fills the heap of a static executable up to the next boundary. Uses the C library only, as all
/// of the server does.
pub(super) fn align() {
    // SAFETY: reads a vector that the kernel has made.
    let loader = unsafe { libc::getauxval(libc::AT_BASE) };
    if loader != 0 {
        return;
    }
    // SAFETY: the size of a block of `malloc` is asked for; the blocks are never freed.
    unsafe {
        let block: *mut c_void = libc::malloc(PROBE);
        if block.is_null() {
            return;
        }
        // Usable is everything up to the number in front of the next block.
        let next = block as usize + libc::malloc_usable_size(block) - WORD;
        std::hint::black_box(libc::malloc(missing(next) - WORD));
    }
}

/// Size of the block that begins at this address, with its number, so that the next one begins at a
/// boundary.
fn missing(begin: usize) -> usize {
    // A block has four words at least.
    (begin + 4 * WORD).next_multiple_of(BOUNDARY) - begin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_block_begins_at_a_boundary() {
        for begin in (BOUNDARY..2 * BOUNDARY).step_by(2 * WORD) {
            let size = missing(begin);
            assert_eq!((begin + size) % BOUNDARY, 0);
            assert!((4 * WORD..BOUNDARY + 4 * WORD).contains(&size));
        }
    }
}
