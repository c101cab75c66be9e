//! Conversation with the measuring process: packets on a socket, as `protocol::wire` defines them.

use std::fs::File;
use std::io::{self, IoSlice};
use std::mem::size_of;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use iai_callgrind::protocol::wire::{self, Done, Hello, Packet, Started, DESCRIPTORS, MAGIC};
use iai_callgrind::protocol::PROTOCOL;
use nix::errno::Errno;
use nix::poll::{poll, PollFd, PollFlags, PollTimeout};
use nix::sys::socket::{
    bind, listen, recv, send, sendmsg, setsockopt, sockopt::ReceiveTimeout, Backlog,
    ControlMessage, MsgFlags, SockType, UnixAddr,
};
use nix::sys::time::{TimeVal, TimeValLike};

use super::running::Running;
use crate::plan::PlannedCase;
use base::os::descriptors;
use base::os::inherited::pass_on;
use base::tool::Execution;

/// Descriptor of the socket in the measuring process.
pub(super) const SOCKET: RawFd = 3;

const OTHER_PROTOCOL: &str = "the benchmark executable speaks another protocol";

const ENDED: &str = "it ended unexpectedly";

/// Reason for the end of a conversation; the process is of no more use.
pub(super) type ConversationEnd = String;

/// The reason, with the status of the process if it ended by itself. After every other reason the
/// runner stops the process, and the status depends on who was faster.
pub(super) fn with_status(lost: &str, status: ExitStatus) -> String {
    match lost {
        ENDED => format!("{ENDED} ({status})"),
        _ => lost.to_owned(),
    }
}

/// The runner's end of a conversation.
#[derive(Debug)]
pub(super) struct Conversation {
    socket: OwnedFd,
    sequence: u32,
}

impl Conversation {
    /// Makes a pair of sockets. `command` passes the other end on to the process that it starts.
    /// `command` must be dropped after the start: the death of the process is the end of file only
    /// if no one else has that end.
    pub(super) fn with(command: &mut Command) -> io::Result<Self> {
        // Packets and no stream, so that a short packet cannot be taken for the begin of the next.
        let (socket, theirs) = descriptors::socket_pair(SockType::SeqPacket)?;
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
    ) -> Result<Self, ConversationEnd> {
        let begin = Instant::now();
        loop {
            match descriptors::accept(&listener.socket) {
                Ok(socket) => {
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
                _ => return Err(ENDED.to_owned()),
            }
        }
    }

    /// Did the process send anything, or close its end?
    pub(super) fn has_begun(&self) -> bool {
        // Only a look: the packet stays for `greeting`.
        let flags = MsgFlags::MSG_PEEK | MsgFlags::MSG_DONTWAIT;
        let said = recv(self.socket.as_raw_fd(), &mut [0], flags);
        !matches!(said, Err(Errno::EAGAIN | Errno::EINTR))
    }

    /// Waits for the greeting, no longer than the limit.
    pub(super) fn greeting(
        &self,
        case: &PlannedCase,
        execution: Execution,
        limit: Option<Duration>,
    ) -> Result<Hello, ConversationEnd> {
        self.set_limit(limit)?;
        let hello: Hello = self.receive()?;
        self.set_limit(None)?;
        if (hello.magic, hello.protocol) != (MAGIC, PROTOCOL) {
            return Err(OTHER_PROTOCOL.to_owned());
        }
        if hello.benchmarks != case.benchmarks {
            return Err("the benchmark executable has changed since the run began".to_owned());
        }
        if hello.on_valgrind == 0 && execution == Execution::Simulated {
            return Err("the benchmark executable was started, but not under Valgrind".to_owned());
        }
        Ok(hello)
    }

    /// Sends a command and returns the id of the process that executes it, in the directory `place`
    /// if it is given. The process writes to `told` that the benchmark has returned.
    pub(super) fn command(
        &mut self,
        case: &PlannedCase,
        flags: u32,
        place: Option<&Path>,
        streams: [BorrowedFd<'_>; 2],
        told: BorrowedFd<'_>,
    ) -> Result<i32, ConversationEnd> {
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
        // `place::check` has checked the length.
        for (byte, place) in command.directory.iter_mut().zip(place.unwrap_or_default()) {
            *byte = *place;
        }
        let parts = [IoSlice::new(command.bytes())];
        let [stdout, stderr] = streams;
        let numbers: [RawFd; DESCRIPTORS] =
            [stdout, stderr, told].map(|descriptor| descriptor.as_raw_fd());
        let rights = [ControlMessage::ScmRights(&numbers)];
        sendmsg::<()>(
            self.socket.as_raw_fd(),
            &parts,
            &rights,
            descriptors::no_signal(),
            None,
        )
        .map_err(not_sent)?;
        let started: Started = self.receive()?;
        self.expect(started.magic, started.sequence)?;
        Ok(started.pid)
    }

    /// The number of the last command.
    pub(super) fn sequence(&self) -> u32 {
        self.sequence
    }

    /// Waits for the end of the process that executes the last command, and returns its status and
    /// its processor time.
    pub(super) fn end(&self) -> Result<(i32, Duration), ConversationEnd> {
        let done: Done = self.receive()?;
        self.expect(done.magic, done.sequence)?;
        Ok((done.status, Duration::from_millis(done.cpu.into())))
    }

    /// Asks a process with [`wire::TIMED`] for a sample.
    pub(super) fn sample(
        &mut self,
        calls: u32,
        warm_up: u32,
        is_empty: bool,
    ) -> Result<wire::Sample, ConversationEnd> {
        self.sequence += 1;
        let sampling = wire::Sampling {
            magic: MAGIC,
            sequence: self.sequence,
            calls,
            warm_up,
            flags: if is_empty { wire::EMPTY } else { 0 },
        };
        let sent = send(
            self.socket.as_raw_fd(),
            sampling.bytes(),
            descriptors::no_signal(),
        );
        sent.map_err(not_sent)?;
        let sample: wire::Sample = self.receive()?;
        self.expect(sample.magic, sample.sequence)?;
        Ok(sample)
    }

    /// Does the process answer, or end, within this time?
    pub(super) fn is_answered_within(&self, time: Duration) -> bool {
        let time = PollTimeout::try_from(time).unwrap_or(PollTimeout::MAX);
        let socket = PollFd::new(self.socket.as_fd(), PollFlags::POLLIN);
        // A signal ends the wait.
        poll(&mut [socket], time).is_ok_and(|answered| answered > 0)
    }

    /// Waits no longer than this for each answer.
    pub(super) fn set_limit(&self, limit: Option<Duration>) -> Result<(), ConversationEnd> {
        // Zero stands for no limit.
        let limit = limit.unwrap_or_default().as_micros();
        let limit = TimeVal::microseconds(i64::try_from(limit).unwrap_or(i64::MAX));
        setsockopt(&self.socket, ReceiveTimeout, &limit)
            .map_err(|error| format!("cannot limit the time for its answer: {error}"))
    }

    fn expect(&self, magic: u32, sequence: u32) -> Result<(), ConversationEnd> {
        if (magic, sequence) == (MAGIC, self.sequence) {
            Ok(())
        } else {
            Err(OTHER_PROTOCOL.to_owned())
        }
    }

    fn receive<P: Packet>(&self) -> Result<P, ConversationEnd> {
        let mut packet = P::zeroed();
        loop {
            return match recv(
                self.socket.as_raw_fd(),
                packet.bytes_mut(),
                // Returns the true length of a packet that exceeds the buffer, so that it is
                // refused.
                MsgFlags::MSG_TRUNC,
            ) {
                Ok(length) if length == size_of::<P>() => Ok(packet),
                Err(Errno::EAGAIN) => Err("it did not answer in time".to_owned()),
                // The process has closed the socket, or died before it read everything.
                Ok(0) | Err(Errno::ECONNRESET) => Err(ENDED.to_owned()),
                Ok(_) => Err(OTHER_PROTOCOL.to_owned()),
                Err(Errno::EINTR) => continue,
                Err(error) => Err(format!("cannot hear from it: {error}")),
            };
        }
    }
}

/// Why a packet was not sent.
fn not_sent(error: Errno) -> ConversationEnd {
    match error {
        Errno::EPIPE | Errno::ECONNRESET => ENDED.to_owned(),
        error => format!("cannot send it a command: {error}"),
    }
}

/// A socket in the directory of a job, for a process that inherits none. Removed when dropped.
#[derive(Debug)]
pub(super) struct Listener {
    socket: OwnedFd,
    path: PathBuf,
}

impl Listener {
    /// Interval, in milliseconds, of the looks whether the process still runs.
    const TICK: i64 = 20;

    /// Makes the socket in this directory. Addresses of sockets are short, so the directory is
    /// named by its descriptor.
    pub(super) fn in_directory(directory: &Path) -> io::Result<Self> {
        let path = directory.join("socket");
        let folder = File::open(directory)?;
        let short = format!("/proc/self/fd/{}/socket", folder.as_raw_fd());
        let socket = descriptors::socket(SockType::SeqPacket)?;
        bind(socket.as_raw_fd(), &UnixAddr::new(short.as_str())?)?;
        listen(&socket, Backlog::new(1)?)?;
        let tick = TimeVal::milliseconds(Self::TICK);
        setsockopt(&socket, ReceiveTimeout, &tick)?;
        Ok(Self { socket, path })
    }

    /// The path of the socket.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Listener {
    #[expect(clippy::disallowed_methods, reason = "the socket is its own file")]
    fn drop(&mut self) {
        // The socket goes with its directory at the latest.
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;
    use crate::plan::CaseIndex;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "is never started")]
    fn a_process_that_does_not_answer_is_not_waited_for() {
        let case = PlannedCase {
            brackets: false,
            is_malloc: None,
            at_run_time: false,
            tears_down: false,
            index: CaseIndex {
                group: 0,
                function: 0,
                element: 0,
                elements: 0,
                case: 0,
            },
            deterministic_random: false,
            benchmarks: 1,
        };
        // The command owns the other end of the socket until it is dropped.
        let mut command = Command::new("/bench");
        let conversation = Conversation::with(&mut command).unwrap();
        assert!(!conversation.has_begun());
        let answer =
            conversation.greeting(&case, Execution::Simulated, Some(Duration::from_millis(20)));
        assert_eq!(answer, Err("it did not answer in time".to_owned()));
        drop(command);
        assert!(conversation.has_begun());
        let answer = conversation.greeting(&case, Execution::Simulated, None);
        assert_eq!(answer, Err("it ended unexpectedly".to_owned()));
    }
    #[test]
    fn the_status_of_a_process_that_was_stopped_is_not_told() {
        let killed = ExitStatus::from_raw(9);
        assert_eq!(with_status(OTHER_PROTOCOL, killed), OTHER_PROTOCOL);
        let failed = ExitStatus::from_raw(3 << 8);
        let expected = "it ended unexpectedly (exit status: 3)";
        assert_eq!(with_status(ENDED, failed), expected);
    }
}
