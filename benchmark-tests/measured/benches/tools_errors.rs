//! Benchmarks with errors of which it is known what, where and how many.

use std::alloc::{alloc, dealloc, Layout};
use std::cell::UnsafeCell;
use std::hint::black_box;
use std::thread;

use iai_callgrind::{library_benchmark, library_benchmark_group, main};

/// Reads three times behind the end of a block, always at the same place.
#[library_benchmark]
fn reads_behind_the_end() {
    let layout = Layout::array::<u8>(10).unwrap();
    // SAFETY: there is none; this is what Memcheck is to find.
    unsafe {
        let start = black_box(alloc(layout));
        for _ in 0..3 {
            black_box(read_byte(start.add(10)));
        }
        dealloc(start, layout);
    }
}

/// # Safety
///
/// Breaks it.
#[inline(never)]
unsafe fn read_byte(place: *const u8) -> u8 {
    // SAFETY: see above.
    unsafe { place.read_volatile() }
}

#[library_benchmark]
fn is_fine() {
    black_box(vec![1_u8; 10]);
}

/// Loses four blocks of 100 bytes: an error only with `--leak-check=full`.
#[library_benchmark]
fn leaks() {
    for _ in 0..4 {
        let layout = Layout::array::<u8>(100).unwrap();
        // SAFETY: the size is not 0.
        black_box(unsafe { alloc(layout) });
    }
}

/// The standard library keeps a block for the thread, to which Memcheck finds no pointer.
#[library_benchmark]
fn asks_for_its_thread() -> bool {
    black_box(thread::current()).name().is_some()
}

struct Shared(UnsafeCell<u64>);

// SAFETY: there is none; this is what Helgrind and DRD are to find.
unsafe impl Sync for Shared {}

static SHARED: Shared = Shared(UnsafeCell::new(0));

#[inline(never)]
fn increment_without_lock() {
    // SAFETY: see above.
    unsafe {
        let value = SHARED.0.get();
        value.write_volatile(value.read_volatile() + 1);
    }
}

/// Two threads write the same place.
#[library_benchmark]
fn races() {
    let other = thread::spawn(increment_without_lock);
    increment_without_lock();
    other.join().unwrap();
}

library_benchmark_group!(
    name = memory,
    benchmarks = [reads_behind_the_end, is_fine, leaks, asks_for_its_thread]
);
library_benchmark_group!(name = threads, benchmarks = [races, is_fine]);
main!(library_benchmark_groups = [memory, threads]);
