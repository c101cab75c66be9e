//! Descriptors that a process gets from the runner, besides its streams.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Makes the process inherit these descriptors under these numbers, none of which may be the
/// present number of another one among them. To be called after all others are made to be closed.
pub fn pass_on(command: &mut Command, passed: Vec<(OwnedFd, RawFd)>) {
    let prepare = move || {
        for (from, to) in &passed {
            // SAFETY: plain system calls on numbers. `dup2` on the same number would leave the
            // descriptor to be closed on exec.
            let outcome = unsafe {
                match from.as_raw_fd() == *to {
                    true => libc::fcntl(*to, libc::F_SETFD, 0),
                    false => libc::dup2(from.as_raw_fd(), *to),
                }
            };
            if outcome < 0 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    };
    // SAFETY: only system calls that are safe between fork and exec.
    unsafe { command.pre_exec(prepare) };
}

/// A copy of the descriptor with a number above all that are passed on.
pub fn out_of_the_way(descriptor: OwnedFd) -> io::Result<OwnedFd> {
    const ABOVE: RawFd = 200;
    // SAFETY: a plain call on a descriptor; the new descriptor belongs to nobody else.
    unsafe {
        match libc::fcntl(descriptor.as_raw_fd(), libc::F_DUPFD_CLOEXEC, ABOVE) {
            -1 => Err(match io::Error::last_os_error() {
                // So says the system where its limit is below this number.
                error if error.raw_os_error() == Some(libc::EINVAL) => {
                    io::Error::from_raw_os_error(libc::EMFILE)
                }
                error => error,
            }),
            copy => Ok(OwnedFd::from_raw_fd(copy)),
        }
    }
}
