//! One processor for a measured process.
//!
//! Valgrind runs one thread at a time anyway, but which one is next depends less on chance if they
//! all wait for the same processor.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

use nix::sched::{sched_getaffinity, sched_setaffinity, CpuSet};
use nix::unistd::Pid;

/// Has the process run on one of the processors that the runner may use: another one for each
/// `number`, so that several processes do not share one.
pub(super) fn pin(command: &mut Command, number: usize) -> io::Result<()> {
    let this = Pid::from_raw(0);
    let allowed = sched_getaffinity(this)?;
    let allowed: Vec<usize> = (0..CpuSet::count())
        .filter(|cpu| allowed.is_set(*cpu).unwrap_or(false))
        .collect();
    let mut one = CpuSet::new();
    one.set(allowed[number % allowed.len()])?;
    let prepare = move || Ok(sched_setaffinity(this, &one)?);
    // SAFETY: one system call, which is safe between fork and exec.
    unsafe { command.pre_exec(prepare) };
    Ok(())
}
