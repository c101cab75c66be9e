//! Files for the output of benchmarks and hooks: with files no benchmark waits for a reader, finds a
//! terminal in one run and none in the next, or loses output with the processes that it left running.
//!
//! Output that is shown is read from these files while it is written.

use std::cell::RefCell;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use nix::sys::signal::{SigSet, Signal};
use nix::sys::stat::fstat;

use super::output::OutputChannel;
use crate::cli::{ShownStreams, Stream};
use crate::error::{cannot_start, FileContext, Result};

/// Most bytes of output that are kept in memory and shown after a failure.
const MOST: u64 = 64 * 1024;

/// Delay until output is shown, too short to be noticed.
const LATE: Duration = Duration::from_millis(20);

/// Files of the two streams of a process.
pub(super) struct Capture {
    /// stdout and stderr, for a process that gets them on a socket.
    pub(super) descriptors: [OwnedFd; 2],
    /// The file of each stream; both may share one.
    paths: [PathBuf; 2],
    /// The file with output that is shown only after a failure.
    hidden: Option<PathBuf>,
    followers: RefCell<Vec<Follower>>,
}

impl Capture {
    /// Opens files at `path`. Streams that are shown go on to the channel. Streams that are both hidden, or
    /// both go to the same place, share a file, which keeps their order.
    pub(super) fn new(shown: ShownStreams, path: &Path, channel: &OutputChannel) -> Result<Self> {
        let share = match shown {
            ShownStreams::None => true,
            ShownStreams::Both => channel.is_one_place(),
            ShownStreams::Stdout | ShownStreams::Stderr => false,
        };
        let second = path.with_extension("stderr");
        let paths: [&Path; 2] = [path, if share { path } else { &second }];
        let open = |path: &Path| {
            let file = OpenOptions::new().create(true).append(true).open(path);
            file.context("create", path).map(OwnedFd::from)
        };
        let descriptors = [open(paths[0])?, open(paths[1])?];
        let mut followers = Vec::new();
        let mut hidden = None;
        for (stream, path) in [Stream::Stdout, Stream::Stderr].into_iter().zip(paths) {
            match shown.shows(stream) {
                false => hidden = Some(path.to_owned()),
                true if share && stream == Stream::Stderr => {}
                true => {
                    let file = File::open(path).context("open", path)?;
                    followers.push(Follower::new(file, stream, channel.clone()));
                }
            }
        }
        Ok(Self {
            descriptors,
            paths: paths.map(Path::to_owned),
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
        let [stdout, stderr] = &self.descriptors;
        Ok([stdout.try_clone()?, stderr.try_clone()?])
    }

    /// Hidden output until now; of much output the end, where most often the reason of a failure stands.
    pub(super) fn so_far(&self) -> Result<Vec<u8>> {
        match &self.hidden {
            Some(path) if self.has_output() => end_of(path).context("read", path),
            _ => Ok(Vec::new()),
        }
    }

    /// Output of both streams until now, shown or hidden; of much output the end.
    pub(super) fn whole(&self) -> Result<Vec<u8>> {
        let [stdout, stderr] = &self.paths;
        let mut whole = end_of(stdout).context("read", stdout)?;
        if stderr != stdout {
            whole.extend(end_of(stderr).context("read", stderr)?);
        }
        Ok(whole)
    }

    /// Forgets hidden output of a process that is replaced by another one.
    pub(super) fn forget(&self) -> Result<()> {
        match &self.hidden {
            Some(path) => File::create(path).map(drop).context("empty", path),
            None => Ok(()),
        }
    }

    /// Has anything been printed? Most benchmarks print nothing, and then no file is opened.
    fn has_output(&self) -> bool {
        let empty = |descriptor| fstat(descriptor).is_ok_and(|file| file.st_size == 0);
        !self.descriptors.iter().all(empty)
    }

    /// All hidden output, as of `so_far`. To be called when nothing is printed any more.
    pub(super) fn read(&self) -> Result<Vec<u8>> {
        // A follower has shown everything when it is dropped.
        self.followers.borrow_mut().clear();
        self.so_far()
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
            // While a benchmark is in the foreground, the terminal may stop other processes that write to it.
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

/// Shows what was written since the last look.
fn show_new(file: &mut File, stream: Stream, output: &OutputChannel) {
    let mut bytes = Vec::new();
    // A failed read only hides output; the measurement does not depend on it.
    let _ = file.read_to_end(&mut bytes);
    output.printed(stream, &bytes);
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
