//! Files for the output of benchmarks and hooks: with files no benchmark waits for a reader, finds
//! a terminal in one run and none in the next, or loses output with the processes that it left
//! running.
//!
//! Output that is shown is read from these files while it is written.

use std::cell::RefCell;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use nix::fcntl::{fcntl, FcntlArg, OFlag};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::stat::fstat;

use super::output::OutputChannel;
use crate::error::{cannot_start, FileContext, FileResult, Result};
use cli::{ShownStreams, Stream};

/// Most bytes of output that are kept in memory and shown after a failure.
const MOST: u64 = 64 * 1024;

/// Delay until output is shown, too short to be noticed.
const LATE: Duration = Duration::from_millis(20);

/// Files of the two streams of a process.
pub(super) struct Capture {
    /// stdout and stderr, for a process that gets them on a socket.
    pub(super) streams: StreamFiles,
    /// The file of each stream; both may share one. `None`: the file has no name.
    paths: Option<[PathBuf; 2]>,
    /// The stream with output that is shown only after a failure; the first one if both are.
    hidden: Option<Stream>,
    followers: RefCell<Vec<Follower>>,
}

/// The descriptors of stdout and stderr, which may be one.
pub(super) struct StreamFiles {
    stdout: File,
    /// `None`: the same as stdout.
    stderr: Option<File>,
}

impl StreamFiles {
    fn of(&self, stream: Stream) -> &File {
        match (stream, &self.stderr) {
            (Stream::Stderr, Some(stderr)) => stderr,
            _ => &self.stdout,
        }
    }

    /// Both descriptors.
    pub(super) fn both(&self) -> [BorrowedFd<'_>; 2] {
        [Stream::Stdout, Stream::Stderr].map(|stream| self.of(stream).as_fd())
    }
}

/// Makes all writes to a file append, also those of several processes.
fn appending(file: &File) -> io::Result<()> {
    fcntl(file, FcntlArg::F_SETFL(OFlag::O_APPEND))?;
    Ok(())
}

impl Capture {
    /// A capture of streams that are both hidden, in a file without a name on the file system of
    /// this directory.
    pub(super) fn hidden(directory: &Path) -> Result<Self> {
        let stdout = tempfile::tempfile_in(directory)
            .and_then(|file| appending(&file).map(|()| file))
            .context("create a file in", directory)?;
        Ok(Self {
            streams: StreamFiles {
                stdout,
                stderr: None,
            },
            paths: None,
            hidden: Some(Stream::Stdout),
            followers: RefCell::default(),
        })
    }

    /// Opens files at `path`. Streams that are shown are passed on to the channel. Streams that are
    /// both hidden, or both go to the same place, share a file, which keeps their order.
    pub(super) fn new(shown: ShownStreams, path: &Path, channel: &OutputChannel) -> Result<Self> {
        let share = match shown {
            ShownStreams::None => true,
            ShownStreams::Both => channel.is_one_place(),
            ShownStreams::Stdout | ShownStreams::Stderr => false,
        };
        let second = path.with_extension("stderr");
        let paths: [&Path; 2] = [path, if share { path } else { &second }];
        let open = |path: &Path| {
            let file = OpenOptions::new()
                .create(true)
                .read(true)
                // Two descriptors of one file would overwrite each other's output, if they did not
                // append.
                .append(true)
                .open(path);
            file.context("create", path)
        };
        let streams = StreamFiles {
            stdout: open(paths[0])?,
            stderr: Some(open(paths[1])?),
        };
        let mut followers = Vec::new();
        let mut hidden = None;
        for (stream, path) in [Stream::Stdout, Stream::Stderr].into_iter().zip(paths) {
            match shown.shows(stream) {
                false => hidden = hidden.or(Some(stream)),
                true if share && stream == Stream::Stderr => {}
                true => {
                    // Opened once more: the reader needs an offset of its own.
                    let file = File::open(path).context("open", path)?;
                    followers.push(Follower::new(file, stream, channel.clone()));
                }
            }
        }
        Ok(Self {
            streams,
            paths: Some(paths.map(Path::to_owned)),
            hidden,
            followers: RefCell::new(followers),
        })
    }

    /// stdout and stderr for a process that gets them at its start.
    pub(super) fn streams(&self) -> Result<[Stdio; 2]> {
        let clones = self.clones();
        let clones = clones.context("pass on", Path::new("stdout and stderr"))?;
        Ok(clones.map(Stdio::from))
    }

    /// Copies of the descriptors of stdout and stderr.
    pub(super) fn clones(&self) -> io::Result<[OwnedFd; 2]> {
        let [stdout, stderr] = self.streams.both();
        Ok([stdout.try_clone_to_owned()?, stderr.try_clone_to_owned()?])
    }

    /// Hidden output until now; of much output the end, where most often the reason of a failure
    /// stands.
    pub(super) fn so_far(&self) -> FileResult<Vec<u8>> {
        match self.hidden {
            Some(stream) if self.has_output() => self.end_of(stream),
            _ => Ok(Vec::new()),
        }
    }

    /// Output of both streams until now, shown or hidden; of much output the end.
    pub(super) fn whole(&self) -> Result<Vec<u8>> {
        let mut whole = self.end_of(Stream::Stdout)?;
        if self.paths.as_ref().is_some_and(|[out, err]| out != err) {
            whole.extend(self.end_of(Stream::Stderr)?);
        }
        Ok(whole)
    }

    /// Forgets hidden output of a process that is replaced by another one.
    pub(super) fn forget(&self) -> FileResult<()> {
        let Some(stream) = self.hidden else {
            return Ok(());
        };
        // Writers append, so the next process begins where the file now ends.
        let emptied = self.streams.of(stream).set_len(0);
        emptied.context("empty", Path::new("the output"))
    }

    /// Output of a stream; if it is long, only its end.
    fn end_of(&self, stream: Stream) -> FileResult<Vec<u8>> {
        end_of(self.streams.of(stream)).context("read", Path::new("the output"))
    }

    /// Was anything printed? Most benchmarks print nothing.
    fn has_output(&self) -> bool {
        let StreamFiles { stdout, stderr } = &self.streams;
        let is_empty = |file: &File| fstat(file).is_ok_and(|file| file.st_size == 0);
        !(is_empty(stdout) && stderr.as_ref().is_none_or(is_empty))
    }

    /// All hidden output, as of `so_far`. To be called when nothing is printed any more.
    pub(super) fn read(&self) -> Result<Vec<u8>> {
        // A follower has shown everything when it is dropped.
        self.followers.borrow_mut().clear();
        let output = self.so_far()?;
        Ok(output)
    }
}

/// Thread that shows a file while it is written. Dropping it shows the rest.
struct Follower {
    /// Dropped to stop the thread.
    going: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
    /// The output, if no thread could be started; then everything is shown at the end.
    at_end: Option<(File, Stream, OutputChannel)>,
}

impl Follower {
    fn new(mut file: File, stream: Stream, output: OutputChannel) -> Self {
        let (going, gone) = mpsc::channel::<()>();
        let at_end = file
            .try_clone()
            .ok()
            .map(|copy| (copy, stream, output.clone()));
        let thread = thread::Builder::new().spawn(move || {
            // While a benchmark is in the foreground, the terminal may stop other processes that
            // write to it.
            let mut blocked = SigSet::empty();
            blocked.add(Signal::SIGTTOU);
            let _ = blocked.thread_block();
            loop {
                let end = gone.recv_timeout(LATE) != Err(RecvTimeoutError::Timeout);
                show_new(&mut file, stream, &output);
                if end {
                    break;
                }
            }
        });
        let thread = match thread {
            Ok(thread) => Some(thread),
            Err(error) => {
                let error = cannot_start(error);
                log::warn!("output is shown only when its benchmark has ended: {error}");
                None
            }
        };
        Self {
            at_end: at_end.filter(|_| thread.is_none()),
            going: Some(going),
            thread,
        }
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        drop(self.going.take());
        if let Some(thread) = self.thread.take() {
            // A panic in the thread was already printed.
            let _ = thread.join();
        }
        if let Some((mut file, stream, output)) = self.at_end.take() {
            show_new(&mut file, stream, &output);
        }
    }
}

/// Shows the output since the last call.
fn show_new(file: &mut File, stream: Stream, output: &OutputChannel) {
    let mut bytes = Vec::new();
    // A failed read only hides output; the measurement does not depend on it.
    let _ = file.read_to_end(&mut bytes);
    output.printed(stream, &bytes);
}

/// The end of a file, read without moving the offset that the descriptor shares with others.
fn end_of(file: &File) -> io::Result<Vec<u8>> {
    let length = file.metadata()?.len();
    let left_out = length.saturating_sub(MOST);
    let mut bytes = vec![0; (length - left_out) as usize];
    let mut read = 0;
    while let more @ 1.. = file.read_at(&mut bytes[read..], left_out + read as u64)? {
        read += more;
    }
    bytes.truncate(read);
    if left_out == 0 {
        return Ok(bytes);
    }
    let before = format!("[{left_out} bytes before this are left out]\n");
    Ok([before.into_bytes(), bytes].concat())
}

/// Copies of the runner's own stdout and stderr.
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
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use super::*;

    type Notes = Arc<Mutex<Vec<(Stream, String)>>>;

    /// A channel, and a list of everything that is shown on it.
    fn noted(one_place: bool) -> (OutputChannel, Notes) {
        let notes = Notes::default();
        let written = Arc::clone(&notes);
        let channel = OutputChannel::new(one_place, move |stream, bytes| {
            let text = String::from_utf8(bytes.to_owned()).unwrap();
            written.lock().unwrap().push((stream, text));
        });
        (channel, notes)
    }

    /// Checks the shown and the hidden output of a process that prints to both streams.
    #[track_caller]
    fn check(shown: ShownStreams, one_place: bool, seen: &[(Stream, &str)], kept: &str) {
        let folder = tempfile::tempdir().unwrap();
        let (channel, notes) = noted(one_place);
        let capture = Capture::new(shown, &folder.path().join("output"), &channel).unwrap();
        let [mut out, mut err] = capture.clones().unwrap().map(File::from);
        out.write_all(b"a").unwrap();
        err.write_all(b"b").unwrap();
        out.write_all(b"c").unwrap();
        let output = capture.read().unwrap();
        assert_eq!(String::from_utf8(output).unwrap(), kept);
        let mut all: Vec<(Stream, String)> = Vec::new();
        for (stream, text) in notes.lock().unwrap().iter() {
            match all.iter_mut().find(|(other, _)| other == stream) {
                Some((_, all)) => all.push_str(text),
                None => all.push((*stream, text.clone())),
            }
        }
        all.sort_by_key(|(stream, _)| *stream == Stream::Stderr);
        let all: Vec<(Stream, &str)> = all.iter().map(|(s, text)| (*s, text.as_str())).collect();
        assert_eq!(all, seen, "{shown:?} {one_place}");
    }

    #[test]
    fn streams_are_shown_or_kept() {
        use Stream::{Stderr, Stdout};
        for one_place in [true, false] {
            check(ShownStreams::None, one_place, &[], "abc");
            check(ShownStreams::Stdout, one_place, &[(Stdout, "ac")], "b");
            check(ShownStreams::Stderr, one_place, &[(Stderr, "b")], "ac");
        }
        check(ShownStreams::Both, true, &[(Stdout, "abc")], "");
        check(
            ShownStreams::Both,
            false,
            &[(Stdout, "ac"), (Stderr, "b")],
            "",
        );
    }

    #[test]
    fn what_is_printed_is_seen_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let (channel, notes) = noted(false);
        let path = folder.path().join("output");
        let capture = Capture::new(ShownStreams::Both, &path, &channel).unwrap();
        let [mut out, _] = capture.clones().unwrap().map(File::from);
        for round in 1..=3 {
            out.write_all(b"x").unwrap();
            let begin = std::time::Instant::now();
            while notes.lock().unwrap().len() < round {
                assert!(begin.elapsed() < Duration::from_secs(60));
                thread::yield_now();
            }
        }
    }

    #[test]
    fn of_much_output_the_end_is_kept() {
        let (channel, _) = noted(false);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("output");
        let read = || {
            Capture::new(ShownStreams::None, &path, &channel)
                .unwrap()
                .read()
                .unwrap()
        };
        std::fs::write(&path, "short").unwrap();
        assert_eq!(read(), b"short");
        std::fs::write(&path, [vec![b'x'; MOST as usize], b"end".to_vec()].concat()).unwrap();
        let output = read();
        assert!(output.starts_with(b"[3 bytes before this are left out]\nxxx"));
        assert!(output.ends_with(b"xend"));
    }
}
