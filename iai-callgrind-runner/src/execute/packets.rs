//! Conversation with the measuring process: packets on a socket, as `protocol::wire` defines them.

use std::fs::File;
use std::io::{self, IoSlice};
use std::mem::size_of;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use iai_callgrind::protocol::wire::{self, Done, Hello, Packet, Started, DESCRIPTORS, MAGIC};
use iai_callgrind::protocol::PROTOCOL;
use nix::errno::Errno;
use nix::sys::socket::{
    accept4, bind, listen, recv, sendmsg, setsockopt, socket, socketpair, sockopt::ReceiveTimeout,
    AddressFamily, Backlog, ControlMessage, MsgFlags, SockFlag, SockType, UnixAddr,
};
use nix::sys::time::{TimeSpec, TimeVal, TimeValLike};

use super::descriptors::pass_on;
use super::processes::Running;
use crate::plan::Case;
use crate::tool::Tool;

/// The socket's number in the measuring process.
pub(super) const SOCKET: RawFd = 3;

const OTHER_PROTOCOL: &str = "the benchmark executable speaks another protocol";

/// Why the conversation ended; the process is of no more use.
pub(super) type Lost = String;

/// The runner's end of a conversation.
#[derive(Debug)]
pub(super) struct Conversation {
    socket: OwnedFd,
    sequence: u32,
}

impl Conversation {
    /// A pair of sockets. `command` passes the other end on to the process that it starts. It must be
    /// dropped after the start: the death of the process is the end of file only if no one else
    /// has that end.
    pub(super) fn with(command: &mut Command) -> io::Result<Self> {
        let (socket, theirs) = socketpair(
            AddressFamily::Unix,
            SockType::SeqPacket,
            None,
            SockFlag::SOCK_CLOEXEC,
        )?;
        pass_on(command, vec![(theirs, SOCKET)]);
        Ok(Self {
            socket,
            sequence: 0,
        })
    }

    /// Waits for a process that connects to a listener, as long as `process` runs.
    pub(super) fn from(
        listener: &Listener,
        process: &Running,
        limit: Duration,
    ) -> Result<Self, Lost> {
        let begin = Instant::now();
        loop {
            match accept4(listener.socket.as_raw_fd(), SockFlag::SOCK_CLOEXEC) {
                Ok(socket) => {
                    // SAFETY: it was just made, and nobody else knows it.
                    let socket = unsafe { OwnedFd::from_raw_fd(socket) };
                    let sequence = 0;
                    return Ok(Self { socket, sequence });
                }
                Err(Errno::EAGAIN | Errno::EINTR) => {}
                Err(error) => return Err(format!("cannot hear from it: {error}")),
            }
            match process.has_ended() {
                Ok(None) if begin.elapsed() > limit => {
                    return Err("it did not answer in time".to_owned());
                }
                Ok(None) => {}
                _ => return Err("it ended unexpectedly".to_owned()),
            }
        }
    }

    /// Waits for the greeting, no longer than the limit. Returns the number of threads in the process,
    /// 0 if it does not know.
    pub(super) fn greeting(
        &self,
        case: &Case,
        tool: Tool,
        limit: Option<Duration>,
    ) -> Result<u32, Lost> {
        self.set_limit(limit)?;
        let hello: Hello = self.receive()?;
        self.set_limit(None)?;
        if (hello.magic, hello.protocol) != (MAGIC, PROTOCOL) {
            return Err(OTHER_PROTOCOL.to_owned());
        }
        if hello.benchmarks != case.benchmarks {
            return Err("the benchmark executable has changed since the run began".to_owned());
        }
        if hello.on_valgrind == 0 && tool != Tool::Perf {
            return Err("the benchmark executable was started, but not under Valgrind".to_owned());
        }
        Ok(hello.threads)
    }

    /// Sends a command and returns the process that executes it, in this place if there is one. It says on
    /// `told` that the benchmark has returned.
    pub(super) fn command(
        &mut self,
        case: &Case,
        flags: u32,
        place: Option<&Path>,
        streams: &[OwnedFd; 2],
        told: &OwnedFd,
    ) -> Result<i32, Lost> {
        self.sequence += 1;
        let mut command = wire::Command::zeroed();
        command.magic = MAGIC;
        command.sequence = self.sequence;
        command.group = case.index.group;
        command.function = case.index.function;
        command.case = case.index.case;
        command.element = case.index.element;
        command.elements = case.index.elements;
        command.flags = flags;
        let place = place.map(|place| place.as_os_str().as_bytes());
        // Its length was checked when it was made ready.
        for (byte, place) in command.directory.iter_mut().zip(place.unwrap_or_default()) {
            *byte = *place;
        }
        let parts = [IoSlice::new(command.bytes())];
        let [stdout, stderr] = streams;
        let numbers: [RawFd; DESCRIPTORS] = [stdout, stderr, told].map(AsRawFd::as_raw_fd);
        let rights = [ControlMessage::ScmRights(&numbers)];
        sendmsg::<()>(
            self.socket.as_raw_fd(),
            &parts,
            &rights,
            MsgFlags::MSG_NOSIGNAL,
            None,
        )
        .map_err(|error| format!("cannot send it a command: {error}"))?;
        let started: Started = self.receive()?;
        self.expect(started.magic, started.sequence)?;
        Ok(started.pid)
    }

    /// The number of the last command.
    pub(super) fn sequence(&self) -> u32 {
        self.sequence
    }

    /// Waits for the end of the process that executes the last command, and returns its status.
    pub(super) fn end(&self) -> Result<i32, Lost> {
        let done: Done = self.receive()?;
        self.expect(done.magic, done.sequence)?;
        Ok(done.status)
    }

    fn set_limit(&self, limit: Option<Duration>) -> Result<(), Lost> {
        // Zero stands for none.
        let limit = TimeSpec::from(limit.unwrap_or_default());
        let limit = TimeVal::new(limit.tv_sec(), limit.tv_nsec() / 1000);
        setsockopt(&self.socket, ReceiveTimeout, &limit)
            .map_err(|error| format!("cannot limit the time for its answer: {error}"))
    }

    fn expect(&self, magic: u32, sequence: u32) -> Result<(), Lost> {
        if (magic, sequence) == (MAGIC, self.sequence) {
            Ok(())
        } else {
            Err(OTHER_PROTOCOL.to_owned())
        }
    }

    fn receive<P: Packet>(&self) -> Result<P, Lost> {
        let mut packet = P::zeroed();
        loop {
            return match recv(
                self.socket.as_raw_fd(),
                packet.bytes_mut(),
                // The length of the packet, also if it is longer: then it is another one.
                MsgFlags::MSG_TRUNC,
            ) {
                Ok(length) if length == size_of::<P>() => Ok(packet),
                // Closed, or died with something of ours unread.
                Err(Errno::EAGAIN) => Err("it did not answer in time".to_owned()),
                Ok(0) | Err(Errno::ECONNRESET) => Err("it ended unexpectedly".to_owned()),
                Ok(_) => Err(OTHER_PROTOCOL.to_owned()),
                Err(Errno::EINTR) => continue,
                Err(error) => Err(format!("cannot hear from it: {error}")),
            };
        }
    }
}

/// A socket in the directory of a job, for a process that inherits none. Removed when dropped.
#[derive(Debug)]
pub(super) struct Listener {
    socket: OwnedFd,
    path: PathBuf,
}

impl Listener {
    /// How often is looked whether the process still runs.
    const TICK: i64 = 20;

    /// Addresses of sockets are short, so the directory is named by its number.
    pub(super) fn in_directory(directory: &Path) -> io::Result<Self> {
        let path = directory.join("socket");
        let folder = File::open(directory)?;
        let short = format!("/proc/self/fd/{}/socket", folder.as_raw_fd());
        let socket = socket(
            AddressFamily::Unix,
            SockType::SeqPacket,
            SockFlag::SOCK_CLOEXEC,
            None,
        )?;
        bind(socket.as_raw_fd(), &UnixAddr::new(short.as_str())?)?;
        listen(&socket, Backlog::new(1)?)?;
        let tick = TimeVal::milliseconds(Self::TICK);
        setsockopt(&socket, ReceiveTimeout, &tick)?;
        Ok(Self { socket, path })
    }

    /// Where the process finds it.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // It goes with its directory at the latest.
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Index;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "is never started")]
    fn a_process_that_does_not_answer_is_not_waited_for() {
        let case = Case {
            brackets: false,
            is_malloc: None,
            tears_down: false,
            index: Index {
                group: 0,
                function: 0,
                element: 0,
                elements: 0,
                case: 0,
            },
            deterministic_random: false,
            benchmarks: 1,
        };
        // As long as the command is there, so is the other end.
        let mut command = Command::new("/bench");
        let conversation = Conversation::with(&mut command).unwrap();
        let answer = conversation.greeting(&case, Tool::Dhat, Some(Duration::from_millis(20)));
        assert_eq!(answer, Err("it did not answer in time".to_owned()));
        drop(command);
        let answer = conversation.greeting(&case, Tool::Dhat, None);
        assert_eq!(answer, Err("it ended unexpectedly".to_owned()));
    }
}
