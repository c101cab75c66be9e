//! Requests of a process to the system about its descendants. All of these are system calls only,
//! so that they are safe between fork and exec.

use std::ffi::CStr;
use std::io;
use std::os::fd::RawFd;

/// Makes this process a subreaper: the parent of descendants whose parents die. A system may forbid
/// it, or have no such call: then only descendants that stay in their group end.
///
/// # Errors
///
/// There was no such change.
pub fn adopt_orphans() -> io::Result<()> {
    system::adopt_orphans()
}

/// The kernel kills this process when its parent dies.
///
/// # Errors
///
/// The system refuses. One that knows no such thing does not: then the process lives on.
pub fn die_with_parent() -> io::Result<()> {
    system::die_with_parent()
}

/// Names this process for `ps`, where that is possible.
pub fn set_name(name: &CStr) {
    system::set_name(name);
}

/// Waits until the descriptor can be read, or one of the signals comes that are not in `blocked`,
/// or for a moment. Returns whether it can be read.
pub fn wait_for(descriptor: RawFd, blocked: &libc::sigset_t) -> bool {
    let mut waiting = libc::pollfd {
        fd: descriptor,
        events: libc::POLLIN,
        revents: 0,
    };
    system::poll(&mut waiting, blocked) > 0
}

/// Waits for the end of a child, but leaves it as a zombie until its status is read.
///
/// # Errors
///
/// The process is no child of this one.
pub fn wait_and_leave(child: libc::pid_t) -> io::Result<()> {
    loop {
        let how = libc::WEXITED | libc::WNOWAIT;
        // SAFETY: `info` is a place of this frame, and all zeros are a value of its type.
        let outcome = unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            libc::waitid(libc::P_PID, child as libc::id_t, &mut info, how)
        };
        match outcome {
            0 => return Ok(()),
            _ => match io::Error::last_os_error() {
                error if error.kind() == io::ErrorKind::Interrupted => {}
                error => return Err(error),
            },
        }
    }
}

/// Use of the processor by a child, and by the processes that it waited for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProcessorUse {
    /// Microseconds of user and system time.
    pub micros: u64,
    /// Number of times that it gave its processor away to wait for something.
    pub waits: u32,
    /// Number of times that it lost its processor.
    pub switches: u32,
}

/// The end of a child, if it has ended, and its use of the processor. The child stays a zombie.
/// All zeros where the system does not tell the use before the status is read.
pub fn ended(child: libc::pid_t, info: &mut libc::siginfo_t) -> Option<ProcessorUse> {
    let how = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    let used = system::wait_id(child, info, how)?;
    // SAFETY: the system has written `info`, and no child has the number 0.
    (unsafe { info.si_pid() } != 0).then_some(used)
}

#[cfg(target_os = "linux")]
mod system {
    use std::ptr::from_mut;

    use super::*;

    /// The C library leaves the use out. `None`: there is no such child.
    pub(super) fn wait_id(
        child: libc::pid_t,
        info: &mut libc::siginfo_t,
        how: libc::c_int,
    ) -> Option<ProcessorUse> {
        // SAFETY: both pointers are to places of the right type, and all zeros are a value of it.
        let (outcome, used) = unsafe {
            let mut used: libc::rusage = std::mem::zeroed();
            let (info, use_of_it) = (from_mut(info), from_mut(&mut used));
            let number = libc::SYS_waitid;
            let outcome = libc::syscall(number, libc::P_PID, child, info, how, use_of_it);
            (outcome, used)
        };
        let micros = |time: libc::timeval| (time.tv_sec as u64) * 1_000_000 + time.tv_usec as u64;
        (outcome == 0).then(|| ProcessorUse {
            micros: micros(used.ru_utime) + micros(used.ru_stime),
            waits: used.ru_nvcsw as u32,
            switches: used.ru_nivcsw as u32,
        })
    }

    pub(super) fn adopt_orphans() -> io::Result<()> {
        // SAFETY: a system call on numbers.
        checked(unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1) })
    }

    pub(super) fn die_with_parent() -> io::Result<()> {
        // SAFETY: a system call on numbers.
        checked(unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) })
    }

    pub(super) fn set_name(name: &CStr) {
        // SAFETY: the name is terminated.
        unsafe { libc::prctl(libc::PR_SET_NAME, name.as_ptr()) };
    }

    fn checked(outcome: libc::c_int) -> io::Result<()> {
        match outcome {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    pub(super) use super::unix::poll;
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::*;

    pub(super) fn wait_id(
        child: libc::pid_t,
        info: &mut libc::siginfo_t,
        how: libc::c_int,
    ) -> Option<ProcessorUse> {
        // SAFETY: `info` is a place of this type.
        let outcome = unsafe { libc::waitid(libc::P_PID, child as libc::id_t, info, how) };
        (outcome == 0).then(ProcessorUse::default)
    }

    pub(super) fn adopt_orphans() -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn die_with_parent() -> io::Result<()> {
        Ok(())
    }

    pub(super) fn set_name(_name: &CStr) {}

    #[cfg(not(target_vendor = "apple"))]
    pub(super) use super::unix::poll;

    /// Without `ppoll` a signal may come right before the wait, which is short therefore.
    #[cfg(target_vendor = "apple")]
    pub(super) fn poll(waiting: &mut libc::pollfd, _blocked: &libc::sigset_t) -> libc::c_int {
        // SAFETY: one place, which is the caller's.
        unsafe { libc::poll(waiting, 1, 10) }
    }
}

#[cfg(not(target_vendor = "apple"))]
mod unix {
    pub(super) fn poll(waiting: &mut libc::pollfd, blocked: &libc::sigset_t) -> libc::c_int {
        // SAFETY: one place and a set, which are the caller's.
        unsafe { libc::ppoll(waiting, 1, std::ptr::null(), blocked) }
    }
}
