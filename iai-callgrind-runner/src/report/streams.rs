//! The two sinks of the report, shared with what benchmarks print while they run.
//!
//! ```text
//! i_lib::misc::printing p:7
//! to stdout 7
//! to stderr 7
//! - end of stdout/stderr
//! ```

use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nix::sys::stat::fstat;

use crate::cli::Stream;
use crate::execute::OutputChannel;

/// Results go to one, everything else to the other; the output of benchmarks to both.
#[derive(Clone)]
pub(super) struct Streams(Arc<Mutex<Sinks>>);

struct Sinks {
    out: Sink,
    err: Sink,
    /// Both are the same file or terminal.
    one_place: bool,
}

struct Sink {
    writer: Box<dyn Write + Send>,
    /// The output of a benchmark ended in the middle of a line.
    open_line: bool,
}

/// The end of a stream that the report writes to.
pub(super) struct Writer {
    streams: Streams,
    stream: Stream,
}

/// Do both streams go to the same file or terminal?
pub(super) fn are_one_place(out: &impl AsFd, err: &impl AsFd) -> bool {
    match (fstat(out), fstat(err)) {
        (Ok(out), Ok(err)) => (out.st_dev, out.st_ino) == (err.st_dev, err.st_ino),
        _ => false,
    }
}

impl Streams {
    pub(super) fn new(
        out: Box<dyn Write + Send>,
        err: Box<dyn Write + Send>,
        one_place: bool,
    ) -> Self {
        let sink = |writer| Sink {
            writer,
            open_line: false,
        };
        Self(Arc::new(Mutex::new(Sinks {
            out: sink(out),
            err: sink(err),
            one_place,
        })))
    }

    pub(super) fn writer(&self, stream: Stream) -> Box<dyn Write + Send> {
        Box::new(Writer {
            streams: self.clone(),
            stream,
        })
    }

    /// Takes what benchmarks print. Where stdout belongs to programs, it all goes to stderr.
    pub(super) fn channel(&self, is_stdout_taken: bool) -> OutputChannel {
        let streams = self.clone();
        let is_one_place = is_stdout_taken || self.lock().one_place;
        OutputChannel::new(is_one_place, move |stream, bytes| match is_stdout_taken {
            true => streams.lock().printed(Stream::Stderr, bytes),
            false => streams.lock().printed(stream, bytes),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Sinks> {
        // Each change is complete in itself.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sinks {
    fn sink(&mut self, stream: Stream) -> &mut Sink {
        match stream {
            Stream::Stdout => &mut self.out,
            Stream::Stderr => &mut self.err,
        }
    }

    /// What the report prints begins on a line of its own, also where both streams are one terminal.
    fn end_lines(&mut self) -> io::Result<()> {
        for sink in [&mut self.out, &mut self.err] {
            if std::mem::take(&mut sink.open_line) {
                sink.writer.write_all(b"\n")?;
                sink.writer.flush()?;
            }
        }
        Ok(())
    }

    /// Who does not want to see it any more is no reason to stop; the report notices it.
    fn printed(&mut self, stream: Stream, bytes: &[u8]) {
        let sink = self.sink(stream);
        sink.open_line = bytes.last() != Some(&b'\n');
        let _ = sink
            .writer
            .write_all(bytes)
            .and_then(|()| sink.writer.flush());
    }
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut sinks = self.streams.lock();
        sinks.end_lines()?;
        sinks.sink(self.stream).writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.streams.lock().sink(self.stream).writer.flush()
    }
}
