//! The output of a process, up to the end of the process.
//!
//! `Command::output` reads up to the end of both streams instead. Processes that were left behind
//! hold them as well, and that end may never come.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::process::{Child, Command, Output};
use std::time::{Duration, Instant};

/// Longest time in which the streams end by themselves after the process.
const GRACE: Duration = Duration::from_millis(50);

/// Longest wait for something to read, in milliseconds.
const MOMENT: libc::c_int = 10;

/// A process that has ended.
pub(super) struct Ended {
    pub(super) output: Output,
    /// Another process still has a stream of it.
    pub(super) is_held: bool,
}

/// A stream and what was read from it.
struct Stream {
    /// `None`: it is at its end, or no pipe.
    pipe: Option<File>,
    bytes: Vec<u8>,
}

impl Stream {
    fn of(pipe: Option<impl Into<OwnedFd>>) -> Self {
        Self {
            pipe: pipe.map(|pipe| File::from(pipe.into())),
            bytes: Vec::new(),
        }
    }

    /// Reads a piece of what is there.
    fn read(&mut self) -> io::Result<()> {
        let Some(pipe) = &mut self.pipe else {
            return Ok(());
        };
        let mut piece = [0; 8192];
        match pipe.read(&mut piece) {
            Ok(0) => self.pipe = None,
            Ok(length) => self.bytes.extend_from_slice(&piece[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

/// Starts a process, and reads its piped streams until it has ended.
pub(super) fn of(command: &mut Command) -> io::Result<Ended> {
    let mut child = command.spawn()?;
    let mut streams = [
        Stream::of(child.stdout.take()),
        Stream::of(child.stderr.take()),
    ];
    let is_held = read(&mut child, &mut streams)?;
    let status = child.wait()?;
    let [stdout, stderr] = streams.map(|stream| stream.bytes);
    Ok(Ended {
        output: Output {
            status,
            stdout,
            stderr,
        },
        is_held,
    })
}

/// Reads up to the end of both streams, or soon after that of the process. Returns whether there
/// was no end of a stream.
fn read(child: &mut Child, streams: &mut [Stream; 2]) -> io::Result<bool> {
    let mut end: Option<Instant> = None;
    while streams.iter().any(|stream| stream.pipe.is_some()) {
        if end.is_some_and(|end| end.elapsed() > GRACE) {
            return Ok(true);
        }
        // The kernel passes over a negative descriptor.
        let descriptor = |stream: &Stream| stream.pipe.as_ref().map_or(-1, AsRawFd::as_raw_fd);
        let mut looked_at = [0, 1].map(|index: usize| libc::pollfd {
            fd: descriptor(&streams[index]),
            events: libc::POLLIN,
            revents: 0,
        });
        // SAFETY: these are two entries, whose descriptors are open or negative.
        let ready = unsafe { libc::poll(looked_at.as_mut_ptr(), 2, MOMENT) };
        if ready > 0 {
            for (stream, looked_at) in streams.iter_mut().zip(looked_at) {
                if looked_at.revents != 0 {
                    stream.read()?;
                }
            }
        }
        // What the process wrote before its end may still be in the pipes.
        if end.is_none() && child.try_wait()?.is_some() {
            end = Some(Instant::now());
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use std::process::Stdio;

    use super::*;

    fn shell(script: &str) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::null());
        of(command.stdout(Stdio::piped()).stderr(Stdio::piped())).unwrap()
    }

    #[test]
    fn everything_up_to_the_end_is_kept() {
        let script = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); echo out$i; done; \
                      exec >&-; echo last >&2; exit 3";
        let ended = shell(script);
        let out = String::from_utf8(ended.output.stdout).unwrap();
        assert_eq!(out.lines().count(), 20_000);
        assert!(out.ends_with("out20000\n"));
        assert_eq!(ended.output.stderr, b"last\n");
        assert_eq!(ended.output.status.code(), Some(3));
        assert!(!ended.is_held);
    }

    #[test]
    fn processes_that_are_left_are_not_waited_for() {
        for left in ["sleep 60", "while :; do echo more; done"] {
            let start = Instant::now();
            let script = format!("({left}) & echo before; echo $! >&2");
            let ended = shell(&script);
            let pid = String::from_utf8(ended.output.stderr).unwrap();
            let killed = Command::new("kill").args(["-9", pid.trim()]).status();
            assert!(killed.unwrap().success(), "{left}");
            assert!(ended.is_held, "{left}");
            assert!(ended.output.stdout.starts_with(b"before\n") || left.contains("more"));
            assert!(start.elapsed() < Duration::from_secs(30), "{left}");
        }
    }
}
