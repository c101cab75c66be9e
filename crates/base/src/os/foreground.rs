//! The terminal, for a command that reads from it.
//!
//! Each process of the runner leads a group of its own, and a terminal stops members of other
//! groups than the one in its foreground when they read. So a command with the terminal as its
//! stdin is put into the foreground, and the runner back afterwards. Meanwhile the keys that
//! interrupt reach the command only.

use std::io::{self, IsTerminal};
use std::os::fd::BorrowedFd;
use std::os::unix::process::CommandExt;
use std::process::Command;

use nix::sys::signal::{SigSet, SigmaskHow, Signal};
use nix::unistd::{getpgrp, getpid, tcgetpgrp, tcsetpgrp, Pid};

/// A command in the foreground, until this is dropped.
#[derive(Debug)]
pub struct Foreground {
    before: Pid,
}

impl Foreground {
    /// Puts the process that the command starts into the foreground. `None`: stdin is no terminal,
    /// or the runner is not in the foreground itself.
    #[must_use]
    pub fn for_command(command: &mut Command) -> Option<Self> {
        if !io::stdin().is_terminal() || tcgetpgrp(stdin()) != Ok(getpgrp()) {
            return None;
        }
        let prepare = || {
            // If the terminal is gone, the first read fails.
            let _ = give_to(getpid());
            Ok(())
        };
        // SAFETY: only system calls that are safe between fork and exec.
        unsafe { command.pre_exec(prepare) };
        Some(Self { before: getpgrp() })
    }
}

impl Drop for Foreground {
    fn drop(&mut self) {
        // The terminal may be gone.
        let _ = give_to(self.before);
    }
}

/// Puts a group into the foreground. A process in the background that does this is stopped by
/// SIGTTOU, unless the signal is blocked.
fn give_to(group: Pid) -> nix::Result<()> {
    let mut blocked = SigSet::empty();
    blocked.add(Signal::SIGTTOU);
    let before = blocked.thread_swap_mask(SigmaskHow::SIG_BLOCK)?;
    let given = tcsetpgrp(stdin(), group);
    before.thread_set_mask()?;
    given
}

fn stdin() -> BorrowedFd<'static> {
    // SAFETY: the runner never closes its stdin.
    unsafe { BorrowedFd::borrow_raw(libc::STDIN_FILENO) }
}
