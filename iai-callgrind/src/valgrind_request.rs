//! The instruction sequence that Valgrind recognises as a request and a real processor as nothing.
//!
//! Six words in memory (number and five arguments), their address in one register and the default
//! result in another. The registers and sequences are those of `valgrind.h`.

/// Asks Valgrind; without Valgrind, or where it has no request of this number, the answer is
/// `default`.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn request(default: usize, words: &[usize; 6]) -> usize {
    let mut result = default;
    // SAFETY: the rotations add up to a full turn and the exchange is one of a register with
    // itself, so nothing but the result changes. Valgrind reads `words`, which outlive the block.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") words.as_ptr(),
            inout("rdx") result,
            options(nostack),
        );
    }
    result
}

/// Asks Valgrind; without Valgrind, or where it has no request of this number, the answer is
/// `default`.
#[cfg(target_arch = "aarch64")]
#[inline]
pub(crate) fn request(default: usize, words: &[usize; 6]) -> usize {
    let mut result = default;
    // SAFETY: as on x86_64.
    unsafe {
        core::arch::asm!(
            "ror x12, x12, #3",
            "ror x12, x12, #13",
            "ror x12, x12, #51",
            "ror x12, x12, #61",
            "orr x10, x10, x10",
            in("x4") words.as_ptr(),
            inout("x3") result,
            options(nostack, preserves_flags),
        );
    }
    result
}

/// Elsewhere every request has its default result.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[inline]
pub(crate) fn request(default: usize, _words: &[usize; 6]) -> usize {
    default
}

/// `VG_USERREQ__RUNNING_ON_VALGRIND`.
const RUNNING_ON_VALGRIND: usize = 0x1001;

/// How many Valgrinds are around this process; 0 on a real processor.
#[inline]
pub(crate) fn running_on_valgrind() -> usize {
    request(0, &[RUNNING_ON_VALGRIND, 0, 0, 0, 0, 0])
}
