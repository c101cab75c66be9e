//! The three streams of a command.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::{io, process};

use iai_callgrind::protocol::{Stdin, Stdio};
use nix::fcntl::OFlag;

use super::capture::{self, Capture};
use crate::plan::PlannedCommand;
use base::os::descriptors;

/// Opens the streams of a command. Relative paths begin at `root`; `of_setup` is the read end of
/// the pipe that its setup writes to. `Err`: the reason of a failure.
pub(super) fn open(
    command: &PlannedCommand,
    root: &Path,
    of_setup: Option<OwnedFd>,
    capture: &Capture,
) -> Result<[process::Stdio; 3], String> {
    let stdin = match &command.stdin {
        Stdin::Inherit => process::Stdio::inherit(),
        Stdin::Null => process::Stdio::null(),
        Stdin::File(path) => {
            let path = root.join(path);
            let file = File::open(&path);
            file.map_err(|error| cannot("read its stdin from", &path, &error))?
                .into()
        }
        Stdin::Setup(_) | Stdin::Pipe => match of_setup {
            Some(end) => end.into(),
            // Nobody has the write end: the command reads the end of file.
            None => pipe().map_err(no_stream)?.0.into(),
        },
    };
    let own = capture::own_streams().map_err(no_stream)?;
    let kept = capture.clones().map_err(no_stream)?;
    let [(own_out, kept_out), (own_err, kept_err)] = pairs(own, kept);
    let stdout = output(&command.stdout, "stdout", root, own_out, kept_out)?;
    let stderr = match (&command.stdout, &command.stderr) {
        // Two descriptors with positions of their own would overwrite each other's output.
        (Stdio::File(first), Stdio::File(second)) if first == second => {
            stdout.try_clone().map_err(no_stream)?
        }
        _ => output(&command.stderr, "stderr", root, own_err, kept_err)?,
    };
    Ok([stdin, stdout.into(), stderr.into()])
}

/// A pipe: its read end and its write end.
pub(super) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(descriptors::pipe(OFlag::empty())?)
}

fn output(
    stream: &Stdio,
    name: &str,
    root: &Path,
    own: OwnedFd,
    kept: OwnedFd,
) -> Result<OwnedFd, String> {
    let create = |path: &Path| {
        let file = File::create(path).map(OwnedFd::from);
        file.map_err(|error| cannot(&format!("write its {name} to"), path, &error))
    };
    match stream {
        Stdio::Inherit => Ok(own),
        Stdio::Null => create(Path::new("/dev/null")),
        Stdio::File(path) => create(&root.join(path)),
        Stdio::Pipe => Ok(kept),
    }
}

fn pairs<T>([a, b]: [T; 2], [c, d]: [T; 2]) -> [(T, T); 2] {
    [(a, c), (b, d)]
}

fn cannot(action: &str, path: &Path, error: &io::Error) -> String {
    format!("cannot {action} `{}`: {error}", path.display())
}

fn no_stream(error: io::Error) -> String {
    format!("cannot open its streams: {error}")
}
