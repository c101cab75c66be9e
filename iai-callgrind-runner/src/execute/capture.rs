//! Where the output of benchmarks and hooks goes.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::error::{FileContext, Result};

/// Where the two streams of a process go: to one file, so that their order is kept, or to where the
/// runner's own go.
pub(super) struct Capture {
    /// For a process that gets its streams on a socket.
    pub(super) descriptors: [OwnedFd; 2],
    file: Option<PathBuf>,
}

impl Capture {
    pub(super) fn new(nocapture: bool, path: &Path) -> Result<Self> {
        if nocapture {
            let streams = own_streams();
            return Ok(Self {
                descriptors: streams.context("pass on", Path::new("stdout and stderr"))?,
                file: None,
            });
        }
        let open = || OpenOptions::new().create(true).append(true).open(path);
        let file: File = open().context("create", path)?;
        let second = file.try_clone().context("open", path)?;
        Ok(Self {
            descriptors: [file.into(), second.into()],
            file: Some(path.to_owned()),
        })
    }

    /// For a process that gets its streams at its start.
    pub(super) fn streams(&self) -> Result<[Stdio; 2]> {
        let clones = self.clones();
        let clones = clones.context("pass on", Path::new("stdout and stderr"))?;
        Ok(clones.map(Stdio::from))
    }

    /// The same, as descriptors.
    pub(super) fn clones(&self) -> io::Result<[OwnedFd; 2]> {
        let [stdout, stderr] = &self.descriptors;
        Ok([stdout.try_clone()?, stderr.try_clone()?])
    }

    /// What was printed.
    pub(super) fn read(&self) -> Result<Vec<u8>> {
        match &self.file {
            Some(path) => std::fs::read(path).context("read", path),
            None => Ok(Vec::new()),
        }
    }
}

/// Where the runner itself prints.
#[expect(
    clippy::disallowed_methods,
    reason = "passes the streams on, does not write"
)]
pub(super) fn own_streams() -> io::Result<[OwnedFd; 2]> {
    Ok([
        io::stdout().as_fd().try_clone_to_owned()?,
        io::stderr().as_fd().try_clone_to_owned()?,
    ])
}
