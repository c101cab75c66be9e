//! The processors that a process may run on. Only Linux is asked; elsewhere every process runs
//! where it wants.

use std::io;
use std::process::Command;

/// The processors that this process may use, by number. Empty: not known.
pub fn allowed() -> io::Result<Vec<usize>> {
    system::allowed()
}

/// Lets the process that the command starts use these processors only.
pub fn restrict(command: &mut Command, processors: &[usize]) -> io::Result<()> {
    system::restrict(command, processors)
}

/// The most processors that there can be.
pub use self::system::most;

#[cfg(target_os = "linux")]
mod system {
    use std::os::unix::process::CommandExt;

    use nix::sched::{sched_getaffinity, sched_setaffinity, CpuSet};
    use nix::unistd::Pid;

    use super::*;

    /// This thread, or the process between fork and exec.
    const THIS: Pid = Pid::from_raw(0);

    pub(super) fn allowed() -> io::Result<Vec<usize>> {
        let allowed = sched_getaffinity(THIS)?;
        let all = (0..most()).filter(|number| allowed.is_set(*number).unwrap_or(false));
        Ok(all.collect())
    }

    pub(super) fn restrict(command: &mut Command, processors: &[usize]) -> io::Result<()> {
        let set = set(processors)?;
        let prepare = move || Ok(sched_setaffinity(THIS, &set)?);
        // SAFETY: one system call, which is safe between fork and exec.
        unsafe { command.pre_exec(prepare) };
        Ok(())
    }

    fn set(processors: &[usize]) -> nix::Result<CpuSet> {
        let mut set = CpuSet::new();
        for number in processors {
            set.set(*number)?;
        }
        Ok(set)
    }

    /// The most processors that a set may have.
    #[must_use]
    pub const fn most() -> usize {
        CpuSet::count()
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::*;

    pub(super) fn allowed() -> io::Result<Vec<usize>> {
        Ok(Vec::new())
    }

    pub(super) fn restrict(_command: &mut Command, _processors: &[usize]) -> io::Result<()> {
        Ok(())
    }

    /// The most processors that a set may have.
    #[must_use]
    pub const fn most() -> usize {
        1024
    }
}
