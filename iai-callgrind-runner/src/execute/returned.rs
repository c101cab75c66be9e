//! The message of a measuring process that its benchmark has returned.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use iai_callgrind::protocol::wire::{self, Packet, MAGIC};
use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::unistd::read;

use super::ProcessEnd;
use crate::error::{FileContext, Result};
use base::os::descriptors;

/// A pipe for one message. Nobody waits for the message: the end of the process is known in other
/// ways.
#[derive(Debug)]
pub(super) struct ReturnPipe {
    here: OwnedFd,
    /// The write end, for the process.
    pub(super) there: OwnedFd,
}

impl ReturnPipe {
    pub(super) fn new() -> Result<Self> {
        let pipe = descriptors::pipe(OFlag::O_NONBLOCK).map_err(io::Error::from);
        let (here, there) = pipe.context("make", Path::new("a pipe for a benchmark"))?;
        Ok(Self { here, there })
    }

    /// The end of a process whose exit code means `how`. Without the message this is no return, but
    /// an exit with the same code. Is the pipe empty afterwards, so that it may be used again?
    pub(super) fn judge(&self, how: ProcessEnd, sequence: u32) -> (ProcessEnd, bool) {
        let (message, is_empty) = self.message();
        let code = match how {
            ProcessEnd::Returned => wire::RETURNED,
            ProcessEnd::ReturnedWithRegions => wire::RETURNED_WITH_REGIONS,
            other => return (other, is_empty),
        };
        let expected = wire::Returned {
            magic: MAGIC,
            sequence,
            code,
        };
        match message {
            Some(message) if message == expected => (how, is_empty),
            _ => (ProcessEnd::Exited(code), is_empty),
        }
    }

    /// The message, and whether there was nothing else.
    fn message(&self) -> (Option<wire::Returned>, bool) {
        // Room for more than a message, since a benchmark knows the descriptor as well.
        let mut bytes = [0; 2 * size_of::<wire::Returned>()];
        let (first, _) = bytes.split_at(size_of::<wire::Returned>());
        let whole = first.len();
        let length = match read(&self.here, &mut bytes) {
            Ok(length) => length,
            Err(error) => return (None, error == Errno::EAGAIN),
        };
        let mut message = wire::Returned::zeroed();
        message.bytes_mut().copy_from_slice(&bytes[..whole]);
        ((length >= whole).then_some(message), length == whole)
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
        pipe.judge(ProcessEnd::Returned, 7)
    }

    #[test]
    fn a_pipe_serves_until_something_else_is_in_it() {
        let message = |sequence| wire::Returned {
            magic: MAGIC,
            sequence,
            code: wire::RETURNED,
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
        assert_eq!(pipe.judge(signaled.clone(), 7), (signaled, true));
    }
}
