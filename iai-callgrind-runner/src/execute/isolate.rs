//! What a process under Valgrind does not get from the runner.

use std::os::fd::RawFd;
use std::os::unix::process::CommandExt;
use std::process::Command;

#[cfg(target_os = "linux")]
use nix::sys::personality::{self, Persona};

/// The process inherits no descriptors from this one on, such as those that cargo or a shell left
/// open, and its addresses are not randomised unless that is wanted.
pub(super) fn isolate(command: &mut Command, first: RawFd, allow_aslr: bool) {
    let prepare = move || {
        #[cfg(target_os = "linux")]
        {
            // Kernels before 5.11 do not know the call.
            // SAFETY: a system call on numbers.
            unsafe {
                libc::syscall(
                    libc::SYS_close_range,
                    first as libc::c_uint,
                    libc::c_uint::MAX,
                    libc::CLOSE_RANGE_CLOEXEC,
                );
            }
            // Containers may forbid it, and under Valgrind it makes hardly a difference.
            if !allow_aslr {
                let _ = personality::get()
                    .and_then(|persona| personality::set(persona | Persona::ADDR_NO_RANDOMIZE));
            }
        }
        Ok(())
    };
    // SAFETY: only system calls that are safe between fork and exec.
    unsafe { command.pre_exec(prepare) };
}

/// Says in the log if addresses stay random although nobody wants that. A process learns of it too late
/// to say anything, so this one tries, and takes it back.
#[cfg(target_os = "linux")]
pub(super) fn try_fixed_addresses() {
    let tried = personality::get().and_then(|persona| {
        personality::set(persona | Persona::ADDR_NO_RANDOMIZE)?;
        personality::set(persona)
    });
    if let Err(error) = tried {
        log::debug!("addresses stay random: {error}");
    }
}
