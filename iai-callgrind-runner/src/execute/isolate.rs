//! Properties that a measured process does not inherit: descriptors and random addresses.

use std::os::fd::RawFd;
use std::os::unix::process::CommandExt;
use std::process::Command;

use base::os::{addresses, descriptors};

/// Makes the process inherit no descriptors from `first` on, such as those that cargo or a shell
/// left open, and switches the randomization of its addresses off, unless it is wanted.
pub(super) fn isolate(command: &mut Command, first: RawFd, allow_aslr: bool) {
    let prepare = move || {
        // Not closed before `exec`: until then `spawn` and the guardian talk on descriptors of
        // their own.
        descriptors::close_range(first, libc::c_uint::MAX, true);
        // Containers may forbid this call, and under Valgrind it makes hardly a difference.
        if !allow_aslr {
            let _ = addresses::fix();
        }
        Ok(())
    };
    // SAFETY: only system calls that are safe between fork and exec.
    unsafe { command.pre_exec(prepare) };
}

/// Logs if addresses stay random although that is not wanted. Between fork and exec nothing can be
/// logged, so the runner tries the call on itself, and takes it back.
pub(super) fn try_fixed_addresses() {
    if let Err(error) = addresses::try_to_fix() {
        log::debug!("addresses stay random: {error}");
    }
}
