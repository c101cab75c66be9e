//! Descriptors that no program inherits by accident: closed on exec from the start.
//!
//! On macOS descriptors are made first and marked afterwards. A program that another thread starts in between inherits
//! them; nothing is measured there.

use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use nix::sys::socket::{self, AddressFamily, MsgFlags, SockType};

pub use self::system::{accept, close_range, pipe, socket, socket_pair, NO_SIGNAL};

/// [`NO_SIGNAL`] for `nix`.
pub fn no_signal() -> MsgFlags {
    MsgFlags::from_bits_retain(NO_SIGNAL)
}

/// Takes ownership of a descriptor that was just made.
fn owned(descriptor: RawFd) -> OwnedFd {
    // SAFETY: the system has just made it for this process.
    unsafe { OwnedFd::from_raw_fd(descriptor) }
}

#[cfg(not(target_vendor = "apple"))]
mod system {
    use nix::fcntl::OFlag;
    use nix::sys::socket::SockFlag;
    use nix::unistd::pipe2;

    use super::*;

    /// A message to a process that is gone is an error, and no signal.
    pub const NO_SIGNAL: libc::c_int = libc::MSG_NOSIGNAL;

    /// A pipe: its read end and its write end, with further flags.
    pub fn pipe(flags: OFlag) -> nix::Result<(OwnedFd, OwnedFd)> {
        pipe2(OFlag::O_CLOEXEC | flags)
    }

    /// Two sockets that are connected.
    pub fn socket_pair(kind: SockType) -> nix::Result<(OwnedFd, OwnedFd)> {
        let flags = SockFlag::SOCK_CLOEXEC;
        socket::socketpair(AddressFamily::Unix, kind, None, flags)
    }

    /// A socket that has no address yet.
    pub fn socket(kind: SockType) -> nix::Result<OwnedFd> {
        let flags = SockFlag::SOCK_CLOEXEC;
        socket::socket(AddressFamily::Unix, kind, flags, None)
    }

    /// Accepts a waiting connection.
    pub fn accept(listener: &OwnedFd) -> nix::Result<OwnedFd> {
        let made = socket::accept4(listener.as_raw_fd(), SockFlag::SOCK_CLOEXEC)?;
        Ok(owned(made))
    }

    /// Closes all descriptors from `first` to `last`, or has them closed on exec. Returns whether the system knows
    /// how.
    #[cfg(target_os = "linux")]
    pub fn close_range(first: RawFd, last: libc::c_uint, on_exec: bool) -> bool {
        let how = if on_exec {
            libc::CLOSE_RANGE_CLOEXEC
        } else {
            0
        };
        // Kernels before 5.11 do not know the call with this flag, those before 5.9 no such call.
        // SAFETY: a system call on numbers.
        unsafe { libc::syscall(libc::SYS_close_range, first, last, how) == 0 }
    }

    #[cfg(not(target_os = "linux"))]
    pub fn close_range(_first: RawFd, _last: libc::c_uint, _on_exec: bool) -> bool {
        false
    }
}

#[cfg(target_vendor = "apple")]
mod system {
    use nix::fcntl::{fcntl, FcntlArg, FdFlag, OFlag};
    use nix::sys::socket::SockFlag;

    use super::*;

    // Rust's runtime ignores the signal.
    pub const NO_SIGNAL: libc::c_int = 0;

    pub fn pipe(flags: OFlag) -> nix::Result<(OwnedFd, OwnedFd)> {
        let (from, to) = both(nix::unistd::pipe()?)?;
        for end in [&from, &to] {
            fcntl(end, FcntlArg::F_SETFL(flags))?;
        }
        Ok((from, to))
    }

    pub fn socket_pair(kind: SockType) -> nix::Result<(OwnedFd, OwnedFd)> {
        let flags = SockFlag::empty();
        both(socket::socketpair(AddressFamily::Unix, kind, None, flags)?)
    }

    pub fn socket(kind: SockType) -> nix::Result<OwnedFd> {
        let flags = SockFlag::empty();
        marked(socket::socket(AddressFamily::Unix, kind, flags, None)?)
    }

    pub fn accept(listener: &OwnedFd) -> nix::Result<OwnedFd> {
        marked(owned(socket::accept(listener.as_raw_fd())?))
    }

    pub fn close_range(_first: RawFd, _last: libc::c_uint, _on_exec: bool) -> bool {
        false
    }

    fn both((one, other): (OwnedFd, OwnedFd)) -> nix::Result<(OwnedFd, OwnedFd)> {
        Ok((marked(one)?, marked(other)?))
    }

    fn marked(descriptor: OwnedFd) -> nix::Result<OwnedFd> {
        fcntl(&descriptor, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC))?;
        Ok(descriptor)
    }
}
