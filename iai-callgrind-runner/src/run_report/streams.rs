//! Stdout and stderr of the runner, shared by reports and the output of running benchmarks.
//!
//! ```text
//! i_lib::misc::printing p:7
//! to stdout 7
//! to stderr 7
//! - end of stdout/stderr
//! ```

use std::borrow::Cow;
use std::io::{self, Write};
use std::os::fd::AsFd;

use nix::sys::stat::fstat;

use super::progress::Progress;
use cli::Stream;
use report::comparison::{json_without_commands, without_commands};
use report::room::wrapped_message;
use report::visible::{visible, visible_json};

/// Stdout for results, stderr for everything else; the output of benchmarks goes to both.
pub(crate) struct Streams {
    sinks: Sinks,
    /// Both are the same file or terminal.
    pub(super) is_one_place: bool,
    /// Columns of the terminal that shows messages and results; `None`: messages are not wrapped.
    pub(super) message_width: Option<usize>,
    /// Messages and results are read by GitHub, which takes lines of them for commands.
    pub(super) is_log_of_github: bool,
    /// The status line, which makes room for whatever is reported.
    pub(super) progress: Progress,
}

struct Sinks {
    out: Sink,
    err: Sink,
}

struct Sink {
    writer: Box<dyn Write + Send>,
    /// The output of a benchmark ended in the middle of a line.
    open_line: bool,
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
        is_one_place: bool,
    ) -> Self {
        let sink = |writer| Sink {
            writer,
            open_line: false,
        };
        Self {
            sinks: Sinks {
                out: sink(out),
                err: sink(err),
            },
            is_one_place,
            message_width: None,
            is_log_of_github: false,
            progress: Progress::none(),
        }
    }

    /// Writes results: to stdout.
    pub(super) fn result(&mut self, text: &str) -> io::Result<()> {
        self.say(Stream::Stdout, &visible(text))
    }

    /// Writes a result with a hyperlink on a part of it, if it has an address: to stdout. Addresses
    /// have no controls.
    pub(super) fn linked_result(
        &mut self,
        before: &str,
        text: &str,
        address: Option<&str>,
        after: &str,
    ) -> io::Result<()> {
        let [before, text, after] = [before, text, after].map(visible);
        let line = match address {
            Some(address) => {
                format!("{before}\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\{after}")
            }
            None => format!("{before}{text}{after}"),
        };
        self.say(Stream::Stdout, &line)
    }

    /// Writes an object: to stdout.
    pub(super) fn object(&mut self, json: &[u8]) -> io::Result<()> {
        let json = visible_json(json);
        match self.is_log_of_github {
            true => {
                let text = String::from_utf8_lossy(&json);
                self.write(Stream::Stdout, json_without_commands(&text).as_bytes())
            }
            false => self.write(Stream::Stdout, &json),
        }
    }

    /// Writes output for programs unchanged to stdout.
    pub(super) fn for_programs(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write(Stream::Stdout, bytes)
    }

    /// Writes everything else: to stderr.
    pub(super) fn message(&mut self, text: &str) -> io::Result<()> {
        let text = match self.message_width {
            Some(width) => Cow::Owned(wrapped_message(text, width)),
            None => visible(text),
        };
        self.say(Stream::Stderr, &text)
    }

    /// Writes text in which no line is a command.
    pub(super) fn say(&mut self, stream: Stream, text: &str) -> io::Result<()> {
        match self.is_log_of_github {
            true => self.write(stream, without_commands(text).as_bytes()),
            false => self.write(stream, text.as_bytes()),
        }
    }

    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let sinks = &mut self.sinks;
        self.progress.without(|| {
            sinks.end_lines()?;
            sinks.sink(stream).write(bytes)
        })
    }

    /// Writes output of a benchmark, as it is.
    pub(super) fn printed(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        // No status line is in the way: there is none where output is shown.
        let sink = self.sinks.sink(stream);
        sink.open_line = !bytes.ends_with(b"\n");
        sink.write(bytes)
    }
}

impl Sinks {
    fn sink(&mut self, stream: Stream) -> &mut Sink {
        match stream {
            Stream::Stdout => &mut self.out,
            Stream::Stderr => &mut self.err,
        }
    }

    /// Ends open lines of both streams: a report begins on a line of its own, also where both
    /// streams are one terminal.
    fn end_lines(&mut self) -> io::Result<()> {
        for sink in [&mut self.out, &mut self.err] {
            if std::mem::take(&mut sink.open_line) {
                sink.write(b"\n")?;
            }
        }
        Ok(())
    }
}

impl Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writer.write_all(bytes)?;
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Seek};

    use super::*;

    #[test]
    fn objects_have_no_command_in_the_log_of_a_job() {
        for (is_log_of_github, expected) in
            [(false, "\"##[error]\""), (true, "\"#\\u0023[error]\"")]
        {
            let mut out = tempfile::tempfile().unwrap();
            let copy = Box::new(out.try_clone().unwrap());
            let mut streams = Streams::new(copy, Box::new(io::sink()), false);
            streams.is_log_of_github = is_log_of_github;
            streams.object(b"\"##[error]\"").unwrap();
            let mut written = String::new();
            out.rewind().unwrap();
            out.read_to_string(&mut written).unwrap();
            assert_eq!(written, expected);
        }
    }
}
