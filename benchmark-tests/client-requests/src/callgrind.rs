//! Requests of Callgrind. Each kernel has two instructions a round, and no others in between.

use std::arch::asm;
use std::sync::Barrier;

use iai_callgrind::client_requests::callgrind;

/// Two instructions a round.
#[inline(never)]
pub(crate) fn kernel(rounds: u64) {
    // SAFETY: counts a register down.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!("2:", "dec {n}", "jnz 2b", n = inout(reg) rounds => _, options(nomem, nostack));
        #[cfg(target_arch = "aarch64")]
        asm!("2:", "subs {n}, {n}, #1", "b.ne 2b", n = inout(reg) rounds => _, options(nomem, nostack));
        #[cfg(target_arch = "arm")]
        asm!("2:", "subs {n}, {n}, #1", "bne 2b", n = inout(reg) rounds as u32 => _, options(nomem, nostack));
        #[cfg(target_arch = "riscv64")]
        asm!("2:", "addi {n}, {n}, -1", "bnez {n}, 2b", n = inout(reg) rounds => _, options(nomem, nostack));
    }
}

/// Counts 1000 rounds of 7000, if nothing is counted at first.
pub(crate) fn toggle() {
    kernel(2000);
    callgrind::toggle_collect();
    kernel(1000);
    callgrind::toggle_collect();
    kernel(4000);
}

/// Counts nothing, if nothing is counted at first.
pub(crate) fn toggle_empty() {
    kernel(2000);
    callgrind::toggle_collect();
    callgrind::toggle_collect();
    kernel(4000);
}

/// Three parts: 1000, 2000 and 4000 rounds.
pub(crate) fn dump() {
    callgrind::toggle_collect();
    kernel(1000);
    callgrind::dump_stats();
    kernel(2000);
    callgrind::dump_stats_at(c"after two thousand");
    kernel(4000);
    callgrind::toggle_collect();
}

/// Forgets 1000 rounds and counts 2000.
pub(crate) fn zero() {
    callgrind::toggle_collect();
    kernel(1000);
    callgrind::zero_stats();
    kernel(2000);
    callgrind::toggle_collect();
}

/// Forgets 1000 rounds, then two parts: 2000 and 4000 rounds.
pub(crate) fn zero_dump() {
    kernel(1000);
    callgrind::zero_stats();
    kernel(2000);
    callgrind::dump_stats();
    kernel(4000);
    callgrind::dump_stats();
}

/// Counts 1000 rounds of 7000, with instrumentation off at first.
pub(crate) fn instrumentation() {
    kernel(2000);
    callgrind::start_instrumentation();
    kernel(1000);
    callgrind::stop_instrumentation();
    kernel(4000);
}

/// Counts 1000 rounds of 9000, with instrumentation and counting off at first.
pub(crate) fn instrumentation_and_toggle() {
    kernel(2000);
    callgrind::start_instrumentation();
    kernel(2000);
    callgrind::toggle_collect();
    kernel(1000);
    callgrind::toggle_collect();
    callgrind::stop_instrumentation();
    kernel(4000);
}

/// Counts 1000 rounds of 5000 with closures, with instrumentation and counting off at first.
pub(crate) fn closures() {
    let result = callgrind::instrument(|| {
        kernel(2000);
        callgrind::collect(|| {
            kernel(1000);
            7
        })
    });
    assert_eq!(result, 7);
    kernel(2000);
}

/// A panic leaves closures, and then 100,000 rounds are not counted.
pub(crate) fn closures_panic() {
    let result = std::panic::catch_unwind(|| {
        callgrind::collect(|| {
            callgrind::instrument(|| std::panic::resume_unwind(Box::new(())));
        });
    });
    assert!(result.is_err());
    callgrind::start_instrumentation();
    kernel(100_000);
}

/// Two threads count 1000 rounds and 2000, the main thread nothing, if nothing is counted at first.
pub(crate) fn threads() {
    let both_are_there = Barrier::new(2);
    let work = |rounds| {
        both_are_there.wait();
        callgrind::toggle_collect();
        kernel(rounds);
        callgrind::toggle_collect();
    };
    std::thread::scope(|scope| {
        scope.spawn(|| work(1000));
        scope.spawn(|| work(2000));
    });
    kernel(8000);
}
