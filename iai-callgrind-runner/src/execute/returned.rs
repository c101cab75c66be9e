//! The message of a measuring process that its benchmark has returned.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use iai_callgrind::protocol::wire::{self, Packet, MAGIC};
use nix::fcntl::OFlag;
use nix::unistd::{pipe2, read};

use super::ProcessEnd;
use crate::error::{FileContext, Result};

/// A pipe for one message. Nobody waits for the message: the end of the process is known in other ways.
#[derive(Debug)]
pub(super) struct ReturnPipe {
    here: OwnedFd,
    /// The write end, for the process.
    pub(super) there: OwnedFd,
}

impl ReturnPipe {
    pub(super) fn new() -> Result<Self> {
        let pipe = pipe2(OFlag::O_CLOEXEC | OFlag::O_NONBLOCK).map_err(io::Error::from);
        let (here, there) = pipe.context("make", Path::new("a pipe for a benchmark"))?;
        Ok(Self { here, there })
    }

    /// The end of a process whose exit code means `how`. Without the message this is no return, but an exit
    /// with the same code.
    pub(super) fn judge(&self, how: ProcessEnd, sequence: u32) -> ProcessEnd {
        let code = match how {
            ProcessEnd::Returned => wire::RETURNED,
            ProcessEnd::ReturnedWithRegions => wire::RETURNED_WITH_REGIONS,
            other => return other,
        };
        let expected = wire::Returned {
            magic: MAGIC,
            sequence,
            code,
        };
        match self.message() {
            Some(message) if message == expected => how,
            _ => ProcessEnd::Exited(code),
        }
    }

    fn message(&self) -> Option<wire::Returned> {
        let mut message = wire::Returned::zeroed();
        let length = read(&self.here, message.bytes_mut()).ok()?;
        (length == size_of::<wire::Returned>()).then_some(message)
    }
}
