//! Random numbers that are the same in every run.
//!
//! The standard library seeds its hash maps from `getrandom`, so the order of a `HashMap`, and with
//! it the count of a benchmark, differ from run to run. An executable with
//! `main!(deterministic_random = true)` defines the C function itself. It is switched on right before
//! the benchmark, in the measuring process only; otherwise the numbers come from the kernel.

use std::cell::Cell;
use std::ffi::{c_uint, c_void};
use std::sync::atomic::{AtomicBool, Ordering};

static ON: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Each thread has its own sequence, so that it does not depend on the order of threads.
    static STATE: Cell<u64> = const { Cell::new(0) };
}

/// From here on the numbers are the same in every run.
pub(super) fn switch_on() {
    ON.store(true, Ordering::Relaxed);
}

/// `getrandom(2)`.
///
/// # Safety
///
/// `buffer` is a place of `length` bytes to write to.
pub unsafe fn getrandom(buffer: *mut c_void, length: usize, flags: c_uint) -> isize {
    if !ON.load(Ordering::Relaxed) {
        // SAFETY: as promised by the caller.
        return unsafe { libc::syscall(libc::SYS_getrandom, buffer, length, flags) as isize };
    }
    // SAFETY: as promised by the caller.
    let bytes = unsafe { std::slice::from_raw_parts_mut(buffer.cast::<u8>(), length) };
    for chunk in bytes.chunks_mut(8) {
        chunk.copy_from_slice(&next().to_ne_bytes()[..chunk.len()]);
    }
    length as isize
}

/// The next number of this thread: SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom
/// Number Generators, 2014) from the seed 0.
fn next() -> u64 {
    const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;
    let state = STATE.get().wrapping_add(GOLDEN_GAMMA);
    STATE.set(state);
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_that_of_the_paper() {
        // The first numbers of the reference implementation for the seed 0.
        let expected = [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4];
        assert_eq!([next(), next()], expected);
    }

    #[test]
    fn switched_off_it_is_the_kernels() {
        let mut buffers = [[0_u8; 16]; 2];
        for buffer in &mut buffers {
            // SAFETY: the buffer is as long as we say.
            let filled = unsafe { getrandom(buffer.as_mut_ptr().cast(), 16, 0) };
            assert_eq!(filled, 16);
        }
        assert_ne!(buffers[0], buffers[1]);
    }
}
