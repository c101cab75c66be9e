//! Random numbers that are the same in every run.
//!
//! The standard library seeds its hash maps from `getrandom`, so the order of a `HashMap`, and with
//! it the count of a benchmark, differ from run to run. An executable of library benchmarks defines
//! the C functions itself through which programs ask the system: `getrandom` and `getentropy`. With
//! `main!(deterministic_random = true)`, and where we can write it, also `syscall`, through which
//! some crates ask for the same; that costs two instructions in each system call through it, so it
//! is not the default. They are switched on right before the benchmark, in the measuring process
//! only; otherwise the numbers come from the kernel.

use std::cell::Cell;
use std::ffi::{c_int, c_uint, c_void};
use std::ptr;
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
        return unsafe { of_kernel(buffer, length, flags) };
    }
    // SAFETY: as promised by the caller.
    unsafe { fill(buffer.cast(), length) };
    length as isize
}

/// Writes the next numbers of this thread.
///
/// The buffer may be uninitialized, so no reference to it is made. Nothing is written if it has no
/// bytes: some crates only test whether the function exists.
///
/// # Safety
///
/// The same as for [`getrandom`].
unsafe fn fill(buffer: *mut u8, length: usize) {
    let mut done = 0;
    while done < length {
        let bytes = next().to_ne_bytes();
        let count = bytes.len().min(length - done);
        // SAFETY: within the place that the caller promised.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), buffer.add(done), count) };
        done += count;
    }
}

/// `getentropy(3)`: all or nothing, and not more than 256 bytes.
///
/// # Safety
///
/// `buffer` is a place of `length` bytes to write to.
pub unsafe fn getentropy(buffer: *mut c_void, length: usize) -> c_int {
    const MOST: usize = 256;
    if length > MOST {
        // SAFETY: the place is that of this thread.
        unsafe { *libc::__errno_location() = libc::EIO };
        return -1;
    }
    let mut done = 0;
    while done < length {
        // SAFETY: within the place that the caller promised.
        let filled = unsafe { getrandom(buffer.byte_add(done), length - done, 0) };
        match usize::try_from(filled) {
            Ok(filled) => done += filled,
            // SAFETY: the place is that of this thread.
            Err(_) if unsafe { *libc::__errno_location() } == libc::EINTR => {}
            Err(_) => return -1,
        }
    }
    0
}

/// Asks the kernel. Not by the C function `syscall` where that is our own, which comes back here.
///
/// # Safety
///
/// The same as for [`getrandom`].
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
unsafe fn of_kernel(buffer: *mut c_void, length: usize, flags: c_uint) -> isize {
    use std::arch::asm;

    let mut result: isize;
    // SAFETY: writes to the place only. The kernel keeps all other registers.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!(
            "syscall",
            inlateout("rax") libc::SYS_getrandom as isize => result,
            in("rdi") buffer, in("rsi") length, in("rdx") u64::from(flags),
            lateout("rcx") _, lateout("r11") _,
            options(nostack)
        );
        #[cfg(target_arch = "aarch64")]
        asm!(
            "svc #0",
            in("x8") libc::SYS_getrandom,
            inlateout("x0") buffer as isize => result,
            in("x1") length, in("x2") u64::from(flags),
            options(nostack)
        );
    }
    if result < 0 {
        // SAFETY: the place is that of this thread.
        unsafe { *libc::__errno_location() = -result as c_int };
        return -1;
    }
    result
}

/// Asks the kernel.
///
/// # Safety
///
/// The same as for [`getrandom`].
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
unsafe fn of_kernel(buffer: *mut c_void, length: usize, flags: c_uint) -> isize {
    // SAFETY: as promised by the caller.
    unsafe { libc::syscall(libc::SYS_getrandom, buffer, length, flags) as isize }
}

/// Result of our own `syscall` for an error of the kernel: `-1`, with the number of the error in
/// `errno`.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub extern "C" fn refused(error: isize) -> isize {
    // SAFETY: the place is that of this thread.
    unsafe { *libc::__errno_location() = -error as c_int };
    -1
}

/// Defines the C function `syscall` in an executable: `getrandom` is taken from here, everything
/// else goes to the kernel as in the C library. In assembly, since the function takes any number of
/// arguments, which cannot be written in Rust; and as a macro, since only executables that ask for
/// it may have it.
#[macro_export]
#[doc(hidden)]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
macro_rules! __deterministic_syscall {
    () => {
        ::core::arch::global_asm!(
            ".pushsection .text.__iai_callgrind_syscall,\"ax\",@progbits",
            ".p2align 4",
            ".globl syscall",
            ".type syscall,@function",
            "syscall:",
            ".cfi_startproc",
            "cmp rdi, 318", // getrandom
            "je 2f",
            "mov rax, rdi",
            "mov rdi, rsi",
            "mov rsi, rdx",
            "mov rdx, rcx",
            "mov r10, r8",
            "mov r8, r9",
            "mov r9, [rsp + 8]",
            "syscall",
            "cmp rax, -4095",
            "jae 3f",
            "ret",
            "2:",
            "mov rdi, rsi",
            "mov rsi, rdx",
            "mov rdx, rcx",
            "jmp {getrandom}",
            "3:",
            "mov rdi, rax",
            "jmp {refused}",
            ".cfi_endproc",
            ".size syscall, . - syscall",
            ".popsection",
            getrandom = sym getrandom,
            refused = sym $crate::__internal::refused,
        );
    };
}

/// The same function for AArch64.
#[macro_export]
#[doc(hidden)]
#[cfg(all(target_os = "linux", target_arch = "aarch64"))]
macro_rules! __deterministic_syscall {
    () => {
        ::core::arch::global_asm!(
            ".pushsection .text.__iai_callgrind_syscall,\"ax\",@progbits",
            ".p2align 4",
            ".globl syscall",
            ".type syscall,@function",
            "syscall:",
            ".cfi_startproc",
            "cmp x0, #278", // getrandom
            "b.eq 2f",
            "mov x8, x0",
            "mov x0, x1",
            "mov x1, x2",
            "mov x2, x3",
            "mov x3, x4",
            "mov x4, x5",
            "mov x5, x6",
            "mov x6, x7",
            "svc #0",
            "cmn x0, #4095",
            "b.cs 3f",
            "ret",
            "2:",
            "mov x0, x1",
            "mov x1, x2",
            "mov x2, x3",
            "b {getrandom}",
            "3:",
            "b {refused}",
            ".cfi_endproc",
            ".size syscall, . - syscall",
            ".popsection",
            getrandom = sym getrandom,
            refused = sym $crate::__internal::refused,
        );
    };
}

/// Elsewhere the function stays that of the C library.
#[macro_export]
#[doc(hidden)]
#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
macro_rules! __deterministic_syscall {
    () => {};
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
    fn places_of_any_length_are_filled() {
        let mut buffer = [std::mem::MaybeUninit::<u8>::uninit(); 11];
        let expected = std::thread::spawn(|| [next().to_ne_bytes(), next().to_ne_bytes()].concat());
        // SAFETY: the buffer is as long as we say, and nothing is written to a place without
        // length.
        let found = unsafe {
            fill(ptr::null_mut(), 0);
            fill(buffer.as_mut_ptr().cast(), buffer.len());
            buffer.map(|byte| byte.assume_init())
        };
        assert_eq!(found, expected.join().unwrap()[..11]);
    }

    #[test]
    fn entropy_is_all_or_nothing() {
        let mut buffer = [0_u8; 257];
        // SAFETY: the buffer is as long as we say.
        let mut fill = |length| unsafe { getentropy(buffer.as_mut_ptr().cast(), length) };
        assert_eq!([fill(0), fill(256), fill(257)], [0, 0, -1]);
        let reason = std::io::Error::last_os_error().raw_os_error();
        assert_eq!(reason, Some(libc::EIO));
        assert_ne!(buffer[..256], [0; 256]);
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
