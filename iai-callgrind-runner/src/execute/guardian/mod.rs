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
//! `process` is what the guardian does.

mod process;

use std::fs::File;
use std::io;
use std::mem::size_of;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};
use std::sync::OnceLock;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{kill, Signal};
use nix::sys::socket::sockopt::ReceiveTimeout;
use nix::sys::socket::{recv, send, setsockopt, shutdown, MsgFlags, Shutdown, SockType};
use nix::sys::time::{TimeVal, TimeValLike};
use nix::sys::wait::{waitpid, WaitPidFlag};
use nix::unistd::Pid;

use super::deadline::PERIOD;
use base::os::children;
use base::os::descriptors;
use base::os::inherited::out_of_the_way;
use base::os::left_behind::LeftBehind;
use time::ProcessTimes;

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

/// A message of a guardian: the number of the note, a value, and of an end the nanoseconds from the
/// start on, with the microseconds, waits and losses of a processor.
type Message = [u64; 6];

/// Length of a message in bytes.
const MESSAGE: usize = size_of::<Message>();

fn is(message: &Message, note: Note) -> bool {
    message[0] == note as u64
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
    ended: OnceLock<(ExitStatus, ProcessTimes)>,
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
        // Without a message it is continued, since somebody may keep stopping it.
        let period = TimeVal::microseconds(PERIOD.as_micros() as i64);
        setsockopt(&socket, ReceiveTimeout, &period)?;
        match hear(&socket, Pid::from_raw(child.id() as i32)) {
            Ok(Some(message)) if is(&message, Note::Started) => Ok(Self {
                child,
                socket: Some(socket),
                leader: Pid::from_raw(message[1] as i32),
                ended: OnceLock::new(),
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

    /// Times of the process, once it has ended.
    pub(super) fn times(&self) -> Option<ProcessTimes> {
        self.ended.get().map(|(_, times)| *times)
    }

    fn look(&self, how: MsgFlags) -> io::Result<Option<ExitStatus>> {
        let status = || self.ended.get().map(|(status, _)| *status);
        let (None, Some(socket)) = (status(), &self.socket) else {
            return Ok(status());
        };
        match receive(socket, how) {
            Ok(Some(message)) => self.take(message),
            Ok(None) => self.take_own_end()?,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => wake(self.id()),
            Err(error) => return Err(error),
        }
        Ok(status())
    }

    fn take(&self, message: Message) {
        if is(&message, Note::Ended) {
            let [_, status, wall, cpu, waits, switches] = message;
            let times = ProcessTimes {
                wall: Duration::from_nanos(wall),
                cpu: Duration::from_micros(cpu),
                waits: waits as u32,
                switches: switches as u32,
            };
            self.ended
                .get_or_init(|| (ExitStatus::from_raw(status as i32), times));
        }
    }

    /// The guardian was killed from outside; then the kernel has killed the process.
    fn take_own_end(&self) -> io::Result<()> {
        // Not reaped: `dismiss` waits for the child, and until then nobody else gets its id.
        children::wait_and_leave(self.child.id() as i32)?;
        let killed = ExitStatus::from_raw(libc::SIGKILL);
        self.ended.get_or_init(|| (killed, ProcessTimes::default()));
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
            if is(&message, Note::Swept) {
                break;
            }
            // The leader may end meanwhile, and its end is told only once.
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
    let mut bytes = [0; MESSAGE];
    loop {
        return match recv(socket.as_raw_fd(), &mut bytes, how) {
            Ok(MESSAGE) => Ok(Some(words(&bytes))),
            Ok(_) | Err(Errno::ECONNRESET) => Ok(None),
            Err(Errno::EINTR) => continue,
            Err(error) => Err(error.into()),
        };
    }
}

/// The numbers of a message, as the guardian has them in memory.
fn words(bytes: &[u8; MESSAGE]) -> Message {
    let mut words = bytes.chunks_exact(size_of::<u64>());
    std::array::from_fn(|_| {
        let word = words.next().and_then(|word| word.try_into().ok());
        word.map_or(0, u64::from_ne_bytes)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_are_in_memory() {
        let message = [Note::Ended as u64, (-1_i32) as u64, u64::MAX, 3, 0, 7];
        let bytes: Vec<u8> = message.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let read = words(&bytes.try_into().unwrap());
        assert_eq!(read, message);
        assert!(is(&read, Note::Ended) && !is(&read, Note::Started));
        assert_eq!(read[1] as i32, -1);
    }
}
