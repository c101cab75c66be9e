//! Where the output of benchmarks and hooks goes.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::error::{FileContext, Result};

/// The most that is kept in memory, and shown when something failed.
const MOST: u64 = 64 * 1024;

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

    /// What was printed; of much the end, where most often stands what went wrong.
    pub(super) fn read(&self) -> Result<Vec<u8>> {
        match &self.file {
            Some(path) => end_of(path).context("read", path),
            None => Ok(Vec::new()),
        }
    }
}

fn end_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let left_out = file.metadata()?.len().saturating_sub(MOST);
    let mut output = Vec::new();
    if left_out > 0 {
        file.seek(SeekFrom::Start(left_out))?;
        output.extend(format!("[{left_out} bytes before this are left out]\n").into_bytes());
    }
    file.read_to_end(&mut output)?;
    Ok(output)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_much_output_the_end_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("output");
        let read = || Capture::new(false, &path).unwrap().read().unwrap();
        std::fs::write(&path, "short").unwrap();
        assert_eq!(read(), b"short");
        std::fs::write(&path, [vec![b'x'; MOST as usize], b"end".to_vec()].concat()).unwrap();
        let output = read();
        assert!(output.starts_with(b"[3 bytes before this are left out]\nxxx"));
        assert!(output.ends_with(b"xend"));
    }
}
