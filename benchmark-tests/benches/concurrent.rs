//! Work on threads and in processes, which is not counted unless someone asks for it.

use std::arch::asm;
use std::process::Command;

use iai_callgrind::{library_benchmark, library_benchmark_group, main};

/// Two instructions a round.
#[inline(never)]
fn elsewhere(n: u64) {
    // SAFETY: counts a register down.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!("2:", "dec {n}", "jnz 2b", n = inout(reg) n => _, options(nomem, nostack));
        #[cfg(target_arch = "aarch64")]
        asm!("2:", "subs {n}, {n}, #1", "b.ne 2b", n = inout(reg) n => _, options(nomem, nostack));
    }
}

#[library_benchmark]
#[bench::long(1_000_000)]
#[bench::short(1000)]
fn thread(n: u64) {
    std::thread::spawn(move || elsewhere(n)).join().unwrap();
}

#[library_benchmark]
fn process() {
    assert!(Command::new("/bin/true").status().unwrap().success());
}

library_benchmark_group!(name = group, benchmarks = [thread, process]);
main!(library_benchmark_groups = [group]);
