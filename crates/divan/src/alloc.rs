//! The allocator that Divan counts with.

use std::alloc::{GlobalAlloc, Layout, System};

/// An allocator that does what the one inside of it does.
///
/// Divan counts what goes through it. Here nothing has to: each benchmark has the figure
/// `Allocations` anyway, and DHAT has bytes, which `cargo bench -- --tools=dhat` asks for, or
/// [`config`](crate::config) in the source.
///
/// ```
/// # use iai_callgrind_divan as divan;
/// #[global_allocator]
/// static ALLOC: divan::AllocProfiler = divan::AllocProfiler::system();
/// ```
///
/// Around another allocator:
///
/// ```
/// # use iai_callgrind_divan as divan;
/// # type Other = std::alloc::System;
/// # const OTHER: Other = std::alloc::System;
/// #[global_allocator]
/// static ALLOC: divan::AllocProfiler<Other> = divan::AllocProfiler::new(OTHER);
/// ```
#[derive(Debug, Default)]
pub struct AllocProfiler<Alloc = System> {
    alloc: Alloc,
}

impl AllocProfiler {
    /// The allocator of the system.
    #[must_use]
    pub const fn system() -> Self {
        Self::new(System)
    }
}

impl<A> AllocProfiler<A> {
    /// Another allocator.
    #[must_use]
    pub const fn new(alloc: A) -> Self {
        Self { alloc }
    }
}

// SAFETY: each call is that of the allocator inside, with the same arguments.
unsafe impl<A: GlobalAlloc> GlobalAlloc for AllocProfiler<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller has promised.
        unsafe { self.alloc.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller has promised.
        unsafe { self.alloc.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: as the caller has promised.
        unsafe { self.alloc.realloc(ptr, layout, new_size) }
    }

    #[inline]
    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: as the caller has promised.
        unsafe { self.alloc.dealloc(ptr, layout) }
    }
}
