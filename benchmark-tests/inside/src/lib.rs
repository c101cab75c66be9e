//! Benchmarks with something defined inside of them, in `benches`, and the work that they do: its
//! instructions can be counted by hand.

use std::arch::asm;

/// Two instructions a round, and no access to memory.
#[inline(always)]
pub fn rounds(n: u64) {
    // SAFETY: counts a register down.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!("2:", "dec {n}", "jnz 2b", n = inout(reg) n => _, options(nomem, nostack));
        #[cfg(target_arch = "aarch64")]
        asm!("2:", "subs {n}, {n}, #1", "b.ne 2b", n = inout(reg) n => _, options(nomem, nostack));
    }
}
