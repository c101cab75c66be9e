//! The message of a measuring process that its benchmark has returned.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use iai_callgrind::protocol::wire::{self, Packet, MAGIC};
use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::unistd::read;

use super::{ProcessEnd, ReturnFacts};
use crate::error::{FileContext, Result};
use base::os::descriptors;

/// Most bytes that are read: more than a pipe holds.
const MOST: usize = 128 << 10;

/// A pipe for one message. Nobody waits for the message: the end of the process is known in other
/// ways.
#[derive(Debug)]
pub(super) struct ReturnPipe {
    here: OwnedFd,
    /// The write end, for the process.
    pub(super) there: OwnedFd,
}

/// The end of a process, after its message was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JudgedEnd {
    pub(super) how: ProcessEnd,
    pub(super) facts: ReturnFacts,
    /// Nothing but the message was in the pipe, so that it may be used again.
    pub(super) is_empty: bool,
}

impl ReturnPipe {
    pub(super) fn new() -> Result<Self> {
        let pipe = descriptors::pipe(OFlag::O_NONBLOCK).map_err(io::Error::from);
        let (here, there) = pipe.context("make", Path::new("a pipe for a benchmark"))?;
        Ok(Self { here, there })
    }

    /// The end of a process whose exit code means `how`. Without the message this is no return, but
    /// an exit with the same code.
    pub(super) fn judge(&self, how: ProcessEnd, sequence: u32) -> JudgedEnd {
        let (message, snapshot, is_empty) = self.message();
        let end = |how, facts| JudgedEnd {
            how,
            facts,
            is_empty,
        };
        let code = match how {
            ProcessEnd::Returned => wire::RETURNED,
            ProcessEnd::ReturnedWithRegions => wire::RETURNED_WITH_REGIONS,
            other => return end(other, ReturnFacts::default()),
        };
        // The number of the command is part of it, so that a late message of an earlier benchmark
        // proves nothing.
        let proof = (MAGIC, sequence, code);
        match message {
            Some(told) if (told.magic, told.sequence, told.code) == proof => {
                let stopped = told.stopped != 0;
                end(how, ReturnFacts { stopped, snapshot })
            }
            _ => end(ProcessEnd::Exited(code), ReturnFacts::default()),
        }
    }

    /// The message, Massif's snapshot after it, and whether there was nothing else.
    fn message(&self) -> (Option<wire::Returned>, Vec<u8>, bool) {
        const WHOLE: usize = size_of::<wire::Returned>();
        // More than a pipe holds, since a benchmark knows the descriptor as well.
        let mut bytes = vec![0; MOST];
        let length = match read(&self.here, &mut bytes) {
            Ok(length) => length,
            Err(error) => return (None, Vec::new(), error == Errno::EAGAIN),
        };
        bytes.truncate(length);
        if bytes.len() < WHOLE {
            return (None, Vec::new(), false);
        }
        let snapshot = bytes.split_off(WHOLE);
        let mut message = wire::Returned::zeroed();
        message.bytes_mut().copy_from_slice(&bytes);
        // Every file of Massif begins with this line.
        match snapshot.is_empty() || snapshot.starts_with(b"desc:") {
            true => (Some(message), snapshot, true),
            false => (Some(message), Vec::new(), false),
        }
    }
}

#[cfg(test)]
mod tests {
    use nix::unistd::write;

    use super::*;

    /// The judgement of a benchmark that wrote this and ended with the exit code of a return.
    fn judged(pipe: &ReturnPipe, written: &[u8]) -> (ProcessEnd, bool) {
        if !written.is_empty() {
            assert_eq!(write(&pipe.there, written), Ok(written.len()));
        }
        let JudgedEnd { how, is_empty, .. } = pipe.judge(ProcessEnd::Returned, 7);
        (how, is_empty)
    }

    #[test]
    fn a_pipe_serves_until_something_else_is_in_it() {
        let message = |sequence| wire::Returned {
            magic: MAGIC,
            sequence,
            code: wire::RETURNED,
            stopped: 0,
        };
        let (right, other) = (message(7), message(6));
        let exited = ProcessEnd::Exited(wire::RETURNED);
        let pipe = ReturnPipe::new().unwrap();
        for _ in 0..2 {
            let returned = (ProcessEnd::Returned, true);
            assert_eq!(judged(&pipe, right.bytes()), returned);
            assert_eq!(judged(&pipe, b""), (exited.clone(), true));
            assert_eq!(judged(&pipe, other.bytes()), (exited.clone(), true));
        }
        let twice = [right.bytes(), right.bytes()].concat();
        assert_eq!(judged(&pipe, &twice), (ProcessEnd::Returned, false));
        assert_eq!(judged(&pipe, b"x"), (exited, false));
        let signaled = ProcessEnd::Signaled(9);
        let end = |how, stopped, snapshot: &[u8]| JudgedEnd {
            how,
            facts: ReturnFacts {
                stopped,
                snapshot: snapshot.to_vec(),
            },
            is_empty: true,
        };
        assert_eq!(pipe.judge(signaled.clone(), 7), end(signaled, false, b""));
        let stopped = wire::Returned {
            stopped: 1,
            ..right
        };
        assert_eq!(write(&pipe.there, stopped.bytes()), Ok(16));
        let returned = ProcessEnd::Returned;
        assert_eq!(
            pipe.judge(returned.clone(), 7),
            end(returned.clone(), true, b"")
        );
        let snapshot = b"desc: --heap=yes\ncmd: x\n";
        for part in [right.bytes(), &snapshot[..]] {
            assert_eq!(write(&pipe.there, part), Ok(part.len()));
        }
        assert_eq!(
            pipe.judge(returned.clone(), 7),
            end(returned, false, snapshot)
        );
    }
}
