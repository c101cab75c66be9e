//! The output of a setup that the program reads.
//!
//! The program has the pipe itself. A second descriptor of its end stays here: the setup may write
//! more than the program reads, and that is no reason for it to fail.

use std::fs::File;
use std::io::{self, Read};
use std::process::{Child, Stdio};

#[cfg(unix)]
type Pipe = std::os::fd::OwnedFd;
#[cfg(windows)]
type Pipe = std::os::windows::io::OwnedHandle;

/// The end of the pipe from which the program reads.
pub(super) struct SetupStream(Pipe);

impl SetupStream {
    /// The stream that a setup was started with, if there is one.
    #[inline]
    pub(super) fn of(setup: &mut Child) -> Option<Self> {
        match (setup.stdout.take(), setup.stderr.take()) {
            (Some(stdout), _) => Some(Self(stdout.into())),
            (None, Some(stderr)) => Some(Self(stderr.into())),
            (None, None) => None,
        }
    }

    #[inline]
    pub(super) fn stdin(&self) -> io::Result<Stdio> {
        Ok(self.0.try_clone()?.into())
    }

    /// Reads what the program has left, as long as the setup runs.
    #[inline]
    pub(super) fn read_rest(self, setup: &mut Child) {
        let mut stream = File::from(self.0);
        let mut rest = [0; 4096];
        loop {
            let is_over = match is_silent(&stream) {
                true => !matches!(setup.try_wait(), Ok(None)),
                false => !matches!(stream.read(&mut rest), Ok(1..)),
            };
            if is_over {
                return;
            }
        }
    }
}

/// Waits a moment for something to read, or the end. A process that the setup left behind may have
/// the other end, and nothing comes any more.
#[cfg(unix)]
#[inline]
fn is_silent(stream: &File) -> bool {
    use std::os::fd::AsRawFd;

    let mut looked_at = libc::pollfd {
        fd: stream.as_raw_fd(),
        events: libc::POLLIN,
        revents: 0,
    };
    // SAFETY: it is one descriptor, which is open.
    unsafe { libc::poll(&mut looked_at, 1, 10) <= 0 }
}

#[cfg(not(unix))]
#[inline]
fn is_silent(_stream: &File) -> bool {
    false
}
