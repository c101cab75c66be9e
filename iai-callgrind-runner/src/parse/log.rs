//! Valgrind's log: who ran, and what Callgrind says it collected.
//!
//! Lines begin with `==pid==` (messages) or `--pid--` (warnings); anything else is foreign and
//! only looked at for Valgrind's own last words.

use std::io::Read;
use std::path::Path;

use super::lines::{LineError, Lines};
use super::number::{counts, Cursor};
use super::{file, FileError, ParseError, Reason};

/// What a log says about one process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    /// The process.
    pub pid: Option<u32>,
    /// The process that started it.
    pub parent_pid: Option<u32>,
    /// The first line: `Callgrind, a call-graph generating cache profiler`.
    pub tool: Option<String>,
    /// Valgrind's version: `3.24.0`.
    pub version: Option<String>,
    /// The command; blanks and backslashes inside an argument have a backslash before them.
    pub command: Option<Vec<u8>>,
    /// The names of what was counted.
    pub events: Vec<String>,
    /// The counts over all parts and threads of the process, one for each event.
    pub collected: Vec<u64>,
    /// Why the process or Valgrind ended early.
    pub fatal: Vec<String>,
}

/// As [`read`], from the file with this path.
pub fn read_file(path: &Path) -> Result<Option<Log>, FileError> {
    file(path, read)
}

/// Reads a log. `None`: it is empty or blank.
pub fn read(input: impl Read) -> Result<Option<Log>, ParseError> {
    let mut lines = Lines::new(input);
    let mut log = Log::default();
    let mut any_text = false;
    loop {
        let line = match lines.next() {
            Ok(None) => return Ok(any_text.then_some(log)),
            Ok(Some(line)) => line,
            Err(LineError::Io(error)) => return Err(error.into()),
            Err(LineError::TooLong(line)) => {
                return Err(ParseError::syntax(line, Reason::LineTooLong, b""));
            }
        };
        any_text |= !line.text.trim_ascii().is_empty();
        let result = match prefix(line.text) {
            Some((pid, text)) => log.message(pid, text.trim_ascii(), line.ended),
            None => {
                log.foreign(line.text);
                Ok(())
            }
        };
        result.map_err(|reason| ParseError::syntax(line.number, reason, line.text))?;
    }
}

impl Log {
    fn message(&mut self, pid: u32, text: &[u8], ended: bool) -> Result<(), Reason> {
        if *self.pid.get_or_insert(pid) != pid {
            return Ok(()); // another process that shares the log
        }
        let after = |start: &[u8]| text.strip_prefix(start).map(<[u8]>::trim_ascii_start);
        if let Some(version) = after(b"Using Valgrind-") {
            let end = version.iter().position(|byte| matches!(byte, b' ' | b'-'));
            self.version = Some(lossy(&version[..end.unwrap_or(version.len())]));
        } else if let Some(command) = after(b"Command:") {
            self.command.get_or_insert(command.to_vec());
        } else if let Some(parent) = after(b"Parent PID:") {
            let parent = Cursor(parent).number().ok();
            self.parent_pid = parent.and_then(|parent| u32::try_from(parent).ok());
        } else if let Some(events) = after(b"Events").and_then(after_colon) {
            let mut cursor = Cursor(events);
            self.events = std::iter::from_fn(|| cursor.word()).map(lossy).collect();
        } else if let Some(collected) = after(b"Collected").and_then(after_colon) {
            if ended {
                self.collected = counts(collected, self.events.len())?;
                self.collected.resize(self.events.len(), 0);
            }
        } else if is_fatal(text) {
            self.fatal.push(lossy(text));
        } else if self.tool.is_none() && !text.is_empty() {
            self.tool = Some(lossy(text));
        }
        Ok(())
    }

    fn foreign(&mut self, text: &[u8]) {
        if text.starts_with(b"valgrind: ") || is_fatal(text) {
            self.fatal.push(lossy(text));
        }
    }
}

fn is_fatal(text: &[u8]) -> bool {
    const WORDS: [&str; 3] = [
        "Process terminating with",
        "fatal error",
        "the 'impossible' happened",
    ];
    WORDS
        .iter()
        .any(|words| memchr::memmem::find(text, words.as_bytes()).is_some())
}

/// Splits `==[time ]pid== text`.
fn prefix(line: &[u8]) -> Option<(u32, &[u8])> {
    let mark = line
        .get(..2)
        .filter(|mark| [b"==".as_slice(), b"--", b"**"].contains(mark))?;
    let rest = &line[2..];
    let end = memchr::memmem::find(rest, mark)?;
    // With `--time-stamp=yes` the time stands before the process.
    let pid = rest[..end].rsplit(|byte| *byte == b' ').next()?;
    let pid = super::number::single(pid).ok()?;
    Some((u32::try_from(pid).ok()?, &rest[end + 2..]))
}

fn after_colon(text: &[u8]) -> Option<&[u8]> {
    text.strip_prefix(b":").map(<[u8]>::trim_ascii_start)
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
