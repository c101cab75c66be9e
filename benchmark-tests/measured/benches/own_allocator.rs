//! An executable whose global allocator never asks the system.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};

use iai_callgrind::{library_benchmark, library_benchmark_group, main};

const SIZE: usize = 1 << 24;

/// Gives away pieces of one large piece, and takes none back.
struct Arena {
    memory: UnsafeCell<[u8; SIZE]>,
    used: AtomicUsize,
}

// SAFETY: no byte is given away twice.
unsafe impl Sync for Arena {}

// SAFETY: blocks are inside of the memory, aligned, and do not overlap.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let memory = self.memory.get().cast::<u8>();
        // Alignment is at most that of a page here.
        let padded = layout.size() + layout.align();
        let begin = self.used.fetch_add(padded, Ordering::Relaxed);
        if begin + padded > SIZE {
            return std::ptr::null_mut();
        }
        // SAFETY: there is room for it, as just seen.
        let block = unsafe { memory.add(begin) };
        // SAFETY: there is room for the padding as well.
        unsafe { block.add(block.align_offset(layout.align())) }
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static ALLOCATOR: Arena = Arena {
    memory: UnsafeCell::new([0; SIZE]),
    used: AtomicUsize::new(0),
};

#[library_benchmark]
fn allocates() -> Vec<u8> {
    black_box(vec![1; 2000])
}

/// The zeroed blocks come from a method that the trait has for all allocators.
#[library_benchmark]
fn allocates_zeroed() {
    (0..10).for_each(|_| drop(black_box(vec![0_u8; 64])));
}

/// The standard library, which was compiled before, makes the blocks; the compiler removes what
/// frees them.
#[library_benchmark]
fn makes_strings() -> usize {
    (0..20)
        .map(|number| format!("{}", black_box(number)).len())
        .sum()
}

library_benchmark_group!(
    name = group,
    benchmarks = [allocates, allocates_zeroed, makes_strings]
);
main!(library_benchmark_groups = [group]);
