//! The processors that a fork may use: all that its server might use when it started.
//!
//! Where servers are as many as processors, the runner gives each of them one of its own afterwards (in the runner:
//! `execute/own_processor.rs`). That is the server's alone: a benchmark may ask how many processors there are.

#[cfg(target_os = "linux")]
pub(super) use self::linux::Processors;
#[cfg(not(target_os = "linux"))]
pub(super) use self::other::Processors;

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::c_long;

    /// As many as the C library's `cpu_set_t` has room for. Where there are more, the runner asks in vain as well, and
    /// gives none away.
    const MOST: usize = 1024;

    /// A set of processors.
    pub(in super::super) struct Processors {
        bits: [u64; MOST / 64],
        /// Length in bytes as the kernel counts it; 0 if it does not answer.
        length: c_long,
    }

    impl Processors {
        /// Those that this process may use.
        pub(in super::super) fn of_this_process() -> Self {
            let mut bits = [0; MOST / 64];
            let room = size_of_val(&bits);
            // SAFETY: the kernel writes no more than the room that we say.
            let length = unsafe { libc::syscall(libc::SYS_sched_getaffinity, 0, room, &mut bits) };
            let length = length.max(0);
            Self { bits, length }
        }

        /// Lets this process use them. Without an answer before, the kernel refuses the empty set.
        #[inline(never)]
        pub(in super::super) fn allow(&self) {
            // SAFETY: the kernel reads no more than it wrote.
            unsafe { libc::syscall(libc::SYS_sched_setaffinity, 0, self.length, &self.bits) };
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    /// Not known.
    pub(in super::super) struct Processors;

    impl Processors {
        pub(in super::super) fn of_this_process() -> Self {
            Self
        }

        pub(in super::super) fn allow(&self) {}
    }
}
