//! Guardians: nothing that a benchmark started survives it, however the benchmark or the runner
//! ends.
//!
//! Between the runner and each process that it starts stands a small process, a fork of the runner.
//! It is the *subreaper* of everything below: a process whose parent dies becomes its child, also
//! if that process has left its group and its session. When the runner closes their socket, or
//! dies, the guardian kills all that is left. The kernel kills the measured process when its
//! guardian dies. Guardians have groups of their own and hear no signals. That of a server ends
//! after each benchmark what its fork left.
//!
//! A guardian finds its children by the kernel's list (`/proc`). Without one only those end that
//! stay in their group.
//!
//! `process` is what the guardian does, `left_behind` finds the names of processes that are about
//! to be killed.

mod left_behind;
mod process;

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};
use std::sync::OnceLock;

use nix::errno::Errno;
use nix::sys::signal::{kill, Signal};
use nix::sys::socket::sockopt::ReceiveTimeout;
use nix::sys::socket::{recv, send, setsockopt, shutdown, MsgFlags, Shutdown, SockType};
use nix::sys::time::TimeVal;
use nix::sys::wait::{waitpid, WaitPidFlag};
use nix::unistd::Pid;

pub(super) use self::left_behind::LeftBehind;
use super::descriptors::out_of_the_way;
use base::os::{children, descriptors};

/// Time without a message after which a guardian is continued, which somebody may keep stopping.
const PERIOD: TimeVal = TimeVal::new(0, 100_000);

/// Event of which a guardian notifies the runner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Note {
    /// The process has started; with its id.
    Started = 1,
    /// The process has ended; with its status.
    Ended = 2,
    /// Nothing but the process itself is left.
    Swept = 3,
}

/// A message of a guardian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Message {
    note: Note,
    value: i32,
}

impl Message {
    fn bytes(note: Note, value: i32) -> [u8; 8] {
        let [a, b, c, d] = (note as i32).to_ne_bytes();
        let [e, f, g, h] = value.to_ne_bytes();
        [a, b, c, d, e, f, g, h]
    }

    fn read([a, b, c, d, e, f, g, h]: [u8; 8]) -> Option<Self> {
        let note = match i32::from_ne_bytes([a, b, c, d]) {
            1 => Note::Started,
            2 => Note::Ended,
            3 => Note::Swept,
            _ => return None,
        };
        let value = i32::from_ne_bytes([e, f, g, h]);
        Some(Self { note, value })
    }
}

/// The runner's end of the socket to a guardian that is not started yet.
#[derive(Debug)]
pub(super) struct GuardianSocket(OwnedFd);

/// A process between the runner and one that it started.
#[derive(Debug)]
pub(super) struct Guardian {
    child: Child,
    /// `None`: the guardian was asked to end everything.
    socket: Option<OwnedFd>,
    /// The process below, the leader of a group.
    leader: Pid,
    status: OnceLock<ExitStatus>,
    /// The kernel's list of the guardian's children, open while it is asked again and again.
    /// `None`: there is no list, as without `/proc`.
    children: OnceLock<Option<File>>,
}

/// Makes the command start below a guardian. To be called after everything else that happens
/// between fork and exec.
pub(super) fn stand_above(command: &mut Command) -> io::Result<GuardianSocket> {
    let (ours, theirs) = descriptors::socket_pair(SockType::Stream)?;
    // Descriptors with small numbers are replaced in the new process.
    let theirs = out_of_the_way(theirs)?;
    // A terminal stops and interrupts the group of the runner; the guardian has to live on.
    command.process_group(0);
    let prepare = move || process::divide(theirs.as_raw_fd());
    // SAFETY: only system calls that are safe between fork and exec.
    unsafe { command.pre_exec(prepare) };
    Ok(GuardianSocket(ours))
}

impl Guardian {
    /// The guardian that this child became.
    pub(super) fn of(mut child: Child, GuardianSocket(socket): GuardianSocket) -> io::Result<Self> {
        setsockopt(&socket, ReceiveTimeout, &PERIOD)?;
        match hear(&socket, Pid::from_raw(child.id() as i32)) {
            Ok(Some(message)) if message.note == Note::Started => Ok(Self {
                child,
                socket: Some(socket),
                leader: Pid::from_raw(message.value),
                status: OnceLock::new(),
                children: OnceLock::new(),
            }),
            Ok(_) => {
                drop(socket);
                let status = child.wait()?;
                Err(io::Error::other(format!("its guardian ended ({status})")))
            }
            Err(error) => Err(error),
        }
    }

    /// The guardian itself.
    pub(super) fn id(&self) -> Pid {
        Pid::from_raw(self.child.id() as i32)
    }

    /// The process below, which leads a group.
    pub(super) fn leader(&self) -> Pid {
        self.leader
    }

    /// Waits for the end of the process. Others that it has started run on.
    pub(super) fn wait(&self) -> io::Result<ExitStatus> {
        loop {
            if let Some(status) = self.look(MsgFlags::empty())? {
                return Ok(status);
            }
        }
    }

    /// The status of the process. `None`: it runs.
    pub(super) fn has_ended(&self) -> io::Result<Option<ExitStatus>> {
        self.look(MsgFlags::MSG_DONTWAIT)
    }

    fn look(&self, how: MsgFlags) -> io::Result<Option<ExitStatus>> {
        let (None, Some(socket)) = (self.status.get(), &self.socket) else {
            return Ok(self.status.get().copied());
        };
        match receive(socket, how) {
            Ok(Some(message)) => self.take(message),
            Ok(None) => self.take_own_end()?,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => wake(self.id()),
            Err(error) => return Err(error),
        }
        Ok(self.status.get().copied())
    }

    fn take(&self, message: Message) {
        if message.note == Note::Ended {
            self.status
                .get_or_init(|| ExitStatus::from_raw(message.value));
        }
    }

    /// The guardian was killed from outside; then the kernel has killed the process.
    fn take_own_end(&self) -> io::Result<()> {
        children::wait_and_leave(self.child.id() as i32)?;
        self.status
            .get_or_init(|| ExitStatus::from_raw(libc::SIGKILL));
        Ok(())
    }

    /// The processes below the guardian besides the leader. `None`: they are not known.
    pub(super) fn left_behind(&self) -> Option<LeftBehind> {
        let list = self.children.get_or_init(|| {
            let guardian = self.child.id();
            File::open(format!("/proc/{guardian}/task/{guardian}/children")).ok()
        });
        let read = || LeftBehind::in_list(list.as_ref()?, self.leader.as_raw()).ok();
        // The kernel may pass over a process while another one leaves the list.
        read().filter(|left| !left.is_empty()).or_else(read)
    }

    /// Kills everything below the guardian besides the leader, and waits for the end of it.
    pub(super) fn sweep(&self) -> io::Result<()> {
        let Some(socket) = &self.socket else {
            return Ok(());
        };
        match send(socket.as_raw_fd(), b"s", descriptors::no_signal()) {
            // Then nothing is left.
            Err(Errno::EPIPE | Errno::ECONNRESET) => return Ok(()),
            sent => sent?,
        };
        while let Some(message) = hear(socket, self.id())? {
            if message.note == Note::Swept {
                break;
            }
            self.take(message);
        }
        Ok(())
    }

    /// Kills everything below the guardian, and waits for its end.
    pub(super) fn dismiss(&mut self) -> io::Result<()> {
        if let Some(socket) = self.socket.take() {
            // Its end of the conversation: from now on the guardian tells nothing but its own end.
            let _ = shutdown(socket.as_raw_fd(), Shutdown::Write);
            while let Ok(Some(_)) = hear(&socket, self.id()) {}
            self.child.wait()?;
            // A guardian that had nothing to kill has left the leader to the runner, so that until
            // now nobody else could get its id.
            let _ = waitpid(self.leader, Some(WaitPidFlag::WNOHANG));
        }
        Ok(())
    }
}

/// Waits for a message, whatever stops the guardian meanwhile. `None`: it is gone.
fn hear(socket: &OwnedFd, guardian: Pid) -> io::Result<Option<Message>> {
    loop {
        match receive(socket, MsgFlags::empty()) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => wake(guardian),
            heard => return heard,
        }
    }
}

/// Continues a guardian, which a benchmark, or what it left, may have stopped.
fn wake(guardian: Pid) {
    // It may be gone, and is not waited for yet.
    let _ = kill(guardian, Signal::SIGCONT);
}

/// Waits for a message, no longer than the socket does. `None`: the guardian is gone.
fn receive(socket: &OwnedFd, how: MsgFlags) -> io::Result<Option<Message>> {
    let mut bytes = [0; 8];
    loop {
        return match recv(socket.as_raw_fd(), &mut bytes, how) {
            Ok(8) => Ok(Message::read(bytes)),
            Ok(_) | Err(Errno::ECONNRESET) => Ok(None),
            Err(Errno::EINTR) => continue,
            Err(error) => Err(error.into()),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_written() {
        for (note, value) in [(Note::Started, 7), (Note::Ended, -1), (Note::Swept, 0)] {
            let message = Message::read(Message::bytes(note, value));
            assert_eq!(message, Some(Message { note, value }));
        }
        assert_eq!(Message::read([9; 8]), None);
    }
}
