//! Properties that a measured process does not inherit: descriptors and random addresses.

use std::os::fd::RawFd;
use std::os::unix::process::CommandExt;
use std::process::Command;

#[cfg(target_os = "linux")]
use nix::sys::personality::{self, Persona};

/// The process inherits no descriptors from `first` on, such as those that cargo or a shell left
/// open, and its addresses are not randomized unless that is wanted.
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
            // Containers may forbid this call, and under Valgrind it makes hardly a difference.
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

/// Logs if addresses stay random although that is not wanted. Between fork and exec nothing can be
/// logged, so the runner tries the call on itself, and takes it back.
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
