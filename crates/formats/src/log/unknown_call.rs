//! Calls to the kernel that Valgrind does not know, by its warnings.

use std::fmt;

use crate::number::Cursor;

/// A call to the kernel that Valgrind does not know, so that the program may have gone another way
/// than without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnknownCall {
    /// A system call with this number. Valgrind let it fail with `ENOSYS`.
    System(u64),
    /// A command of `fcntl`. Valgrind let it fail with `EINVAL`.
    Fcntl(u64),
    /// A request of `ioctl`. The kernel carried it out; the tool does not know what it wrote.
    Ioctl(u64),
}

/// Names of the system calls that came since Linux 5.1. These have the same number on every
/// architecture; Valgrind knows the older ones.
const NAMES: (u64, &[&str]) = (
    424,
    &[
        "pidfd_send_signal",
        "io_uring_setup",
        "io_uring_enter",
        "io_uring_register",
        "open_tree",
        "move_mount",
        "fsopen",
        "fsconfig",
        "fsmount",
        "fspick",
        "pidfd_open",
        "clone3",
        "close_range",
        "openat2",
        "pidfd_getfd",
        "faccessat2",
        "process_madvise",
        "epoll_pwait2",
        "mount_setattr",
        "quotactl_fd",
        "landlock_create_ruleset",
        "landlock_add_rule",
        "landlock_restrict_self",
        "memfd_secret",
        "process_mrelease",
        "futex_waitv",
        "set_mempolicy_home_node",
        "cachestat",
        "fchmodat2",
        "map_shadow_stack",
        "futex_wake",
        "futex_wait",
        "futex_requeue",
        "statmount",
        "listmount",
        "lsm_get_self_attr",
        "lsm_set_self_attr",
        "lsm_list_modules",
        "mseal",
    ],
);

impl UnknownCall {
    /// Reads a line of Valgrind's without the mark before it.
    pub(super) fn of(text: &[u8]) -> Option<Self> {
        let number = |text: &[u8]| Cursor(text.trim_ascii()).number().ok();
        let after = |start: &[u8]| text.strip_prefix(start);
        if let Some(call) = after(b"WARNING: unhandled ") {
            // The platform is the next word: `amd64-linux`.
            let end = call.iter().position(|byte| *byte == b' ')?;
            let call = call[end..].strip_prefix(b" syscall: ")?;
            return number(call).map(Self::System);
        }
        if let Some(command) = after(b"Warning: unimplemented fcntl command: ") {
            return number(command).map(Self::Fcntl);
        }
        let request = after(b"Warning: noted but unhandled ioctl 0x")?;
        let request = request.split(|byte| *byte == b' ').next()?;
        let request = std::str::from_utf8(request).ok()?;
        u64::from_str_radix(request, 16).ok().map(Self::Ioctl)
    }

    /// Did Valgrind refuse it, where the kernel may have carried it out?
    #[must_use]
    pub fn is_refused(self) -> bool {
        !matches!(self, Self::Ioctl(_))
    }
}

impl fmt::Display for UnknownCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::System(number) => {
                let (first, names) = NAMES;
                let place = number
                    .checked_sub(first)
                    .and_then(|it| usize::try_from(it).ok());
                match place.and_then(|place| names.get(place)) {
                    Some(name) => write!(f, "system call `{name}` ({number})"),
                    None => write!(f, "system call {number}"),
                }
            }
            Self::Fcntl(command) => write!(f, "command {command} of `fcntl`"),
            Self::Ioctl(request) => write!(f, "request {request:#x} of `ioctl`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let call = UnknownCall::of(text.as_bytes());
        assert_eq!(call.map(|call| call.to_string()).as_deref(), expected);
    }

    #[test]
    fn the_warnings_of_valgrind_are_read() {
        check(
            "WARNING: unhandled amd64-linux syscall: 449",
            Some("system call `futex_waitv` (449)"),
        );
        check(
            "WARNING: unhandled arm64-linux syscall: 462",
            Some("system call `mseal` (462)"),
        );
        check(
            "WARNING: unhandled amd64-linux syscall: 423",
            Some("system call 423"),
        );
        check(
            "WARNING: unhandled amd64-linux syscall: 18446744073709551615",
            Some("system call 18446744073709551615"),
        );
        check(
            "Warning: unimplemented fcntl command: 1027",
            Some("command 1027 of `fcntl`"),
        );
        check(
            "Warning: noted but unhandled ioctl 0x5441 with no size/direction hints.",
            Some("request 0x5441 of `ioctl`"),
        );
        check("WARNING: unhandled eBPF command 99", None);
        check("WARNING: unhandled", None);
        check("Warning: noted but unhandled ioctl 0xzz", None);
    }
}
