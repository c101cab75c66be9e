//! Valgrind's log: the process, and the figures and errors of the tool at its end.
//!
//! Lines begin with `==pid==` (messages) or `--pid--` (warnings); anything else is foreign and
//! only looked at for Valgrind's own last words.

mod handlers;
mod records;
mod summary;
mod unknown_call;

use std::io::Read;
use std::path::Path;
use std::sync::LazyLock;

use memchr::memmem::Finder;

pub use handlers::HandledSignal;
pub use records::ErrorRecords;
pub use summary::{Amount, DhatSummary, ErrorSummary, HeapSummary};
pub use unknown_call::UnknownCall;

use self::handlers::HandlerLines;
use super::bbv;
use super::lines::{InputLine, Lines};
use super::number::{counts, Cursor};
use super::{read_path, FileError, ParseError, ParseErrorKind};

/// Facts that a log has about one process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    /// Process id.
    pub pid: Option<u32>,
    /// Process id of the parent.
    pub parent_pid: Option<u32>,
    /// The first line: `Callgrind, a call-graph generating cache profiler`.
    pub tool: Option<String>,
    /// Valgrind's version: `3.24.0`.
    pub version: Option<String>,
    /// The command; blanks and backslashes inside an argument have a backslash before them.
    pub command: Option<Vec<u8>>,
    /// Names of Callgrind's events (`Events:`).
    pub events: Vec<String>,
    /// Callgrind's counts over all parts and threads of the process, one for each of
    /// [`events`](Self::events).
    pub collected: Vec<u64>,
    /// Lines that say why the process or Valgrind ended early; empty after a normal end.
    pub fatal: Vec<String>,
    /// Calls to the kernel that Valgrind does not know, each once.
    pub unknown_calls: Vec<UnknownCall>,
    /// Files whose debug information and names of functions Valgrind cannot read, with the reason.
    pub unread: Vec<(String, String)>,
    /// Signal handlers that ran, where Valgrind was asked for them (`--trace-signals=yes`).
    pub handlers: Vec<HandledSignal>,
    /// The log ends where the stack of a handler was to follow.
    pub cut_at_handler: bool,
    /// Numbers of errors that Memcheck, Helgrind or DRD found. Absent if the process was killed.
    pub errors: Option<ErrorSummary>,
    /// Text of the first errors.
    pub records: ErrorRecords,
    /// Memcheck's account of the heap.
    pub heap: HeapSummary,
    /// DHAT's sums over the whole process.
    pub dhat: Option<DhatSummary>,
    /// exp-bbv's totals, one for each thread.
    pub threads: Vec<bbv::BbvTotals>,
    /// Oddities that did not stop the reader.
    pub flags: Vec<LogFlag>,
}

/// A line of Valgrind's own.
struct Message<'a> {
    /// Messages begin with `==`, warnings and debug talk with `--`.
    mark: &'a [u8],
    pid: u32,
    text: &'a [u8],
    /// The line has a line end, so it is complete.
    ended: bool,
}

/// Words with which Valgrind reports that the stack is full, in [`Log::fatal`].
pub const STACK_OVERFLOW: &str = "Stack overflow in thread";

/// Words with which Valgrind reports debug information that it cannot read, in [`Log::fatal`].
pub const UNREADABLE_DEBUG_INFO: &str = "debuginfo reader:";

/// Where Valgrind gives up, it says so for itself.
const OWN: &[u8] = b"Valgrind: ";

/// Begin of the line with the file whose debug information Valgrind skips.
const UNREAD_FILE: &[u8] = b"When reading debug info from ";

/// The most files with such debug information that are kept.
const MOST_UNREAD: usize = 10;

/// The most lines about an end: a stack may be long.
const MOST_FATAL: usize = 30;

/// Words with which a tool reports that it needs the symbols of the loader, in [`Log::fatal`].
pub const NO_REDIRECTION: &str = "which is mandatory for this platform-tool combination";

/// Words with which Valgrind reports an instruction that it does not know, in [`Log::fatal`].
pub const UNHANDLED_INSTRUCTION: &str = "unhandled instruction";

/// The most unknown calls that are kept: programs have a few.
const MOST_CALLS: usize = 100;

/// An oddity that does not stop the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFlag {
    /// The header does not name the command.
    NoCommand,
    /// The tool's figures are missing: the process was killed.
    Incomplete,
    /// Another process wrote into the same log.
    OtherProcess,
}

/// Reads the file with this path as [`read`] does.
///
/// # Errors
///
/// As [`read`], or the path is not that of a regular file that can be opened.
pub fn read_file(path: &Path) -> Result<Option<Log>, FileError> {
    read_path(path, read)
}

/// Reads the log of one process (`--log-file`). `None`: the input is empty or blank.
///
/// # Errors
///
/// The input cannot be read, no line of it is Valgrind's, or a figure is not a number that fits
/// into 64 bits.
pub fn read(input: impl Read) -> Result<Option<Log>, ParseError> {
    let mut lines = Lines::new(input);
    let mut log = Log::default();
    let mut in_fatal = false;
    let mut thread = bbv::BbvTotals::default();
    let mut handlers = HandlerLines::default();
    let mut any_text = false;
    loop {
        let Some(line) = lines.next()? else {
            log.cut_at_handler = handlers.is_cut();
            log.handlers = handlers.finish();
            return log.finish(any_text);
        };
        any_text |= !line.text.trim_ascii().is_empty();
        let result = match message(line) {
            Some(message) if log.owns(&message) && handlers.message(&message) => Ok(()),
            Some(message) => {
                let known = log.fatal.len();
                let result = log.message(&message, &mut thread);
                let is_fatal = log.fatal.len() > known;
                log.about_end(&message, is_fatal, &mut in_fatal);
                result
            }
            None => {
                log.foreign(line.text);
                Ok(())
            }
        };
        result.map_err(|reason| ParseError::syntax(line.position, reason, line.text))?;
    }
}

impl Log {
    /// Has the log nothing but the header: no figures, no errors, no reason of an early end?
    #[must_use]
    pub fn has_header_only(&self) -> bool {
        let header = Self {
            pid: self.pid,
            parent_pid: self.parent_pid,
            tool: self.tool.clone(),
            version: self.version.clone(),
            command: self.command.clone(),
            flags: self.flags.clone(),
            ..Self::default()
        };
        *self == header
    }

    /// The file with the name of this program and the reason, if Valgrind cannot read its debug
    /// information.
    #[must_use]
    pub fn unread_of(&self, program: &Path) -> Option<&(String, String)> {
        // Valgrind resolves links in the path.
        let mut unread = self.unread.iter();
        unread.find(|(file, _)| Path::new(file).file_name() == program.file_name())
    }

    /// Is the message that of the process of this log?
    fn owns(&self, message: &Message<'_>) -> bool {
        self.pid.is_none_or(|pid| pid == message.pid)
    }

    /// Keeps the lines that say more about an early end. `is_fatal`: this one says it, and is kept
    /// already. `in_fatal`: the lines before, up to an empty one, are about it.
    fn about_end(&mut self, message: &Message<'_>, is_fatal: bool, in_fatal: &mut bool) {
        let text = message.text.trim_ascii();
        if !self.owns(message) {
            return;
        }
        // What follows is the same advice for each of these signals.
        if text.is_empty() || text.starts_with(b"If you believe this happened") {
            *in_fatal = false;
        } else if is_fatal {
            *in_fatal = true;
        } else if *in_fatal && message.mark == b"--" {
            // Debug talk in between: the end goes on below.
        } else if *in_fatal || text.starts_with(OWN) || text.starts_with(STACK_OVERFLOW.as_bytes())
        {
            let line = lossy(text.strip_prefix(OWN).unwrap_or(text).trim_ascii_start());
            if self.fatal.len() < MOST_FATAL && !self.fatal.contains(&line) {
                self.fatal.push(line);
            }
        }
    }

    /// `thread`: the footer of exp-bbv that is being read.
    fn message(
        &mut self,
        message: &Message<'_>,
        thread: &mut bbv::BbvTotals,
    ) -> Result<(), ParseErrorKind> {
        let text = message.text.trim_ascii();
        // The first process owns the log: figures of another one would replace its own.
        if *self.pid.get_or_insert(message.pid) != message.pid {
            if text.starts_with(b"Command:") {
                self.flag(LogFlag::OtherProcess);
            }
            return Ok(());
        }
        let in_head = self.command.is_none();
        let after = |start: &[u8]| text.strip_prefix(start).map(<[u8]>::trim_ascii_start);
        if let Some(version) = after(b"Using Valgrind-") {
            // With `-v` a hash and a date follow the version.
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
            // Counts are those of the events before them.
            self.collected.clear();
        } else if let Some(collected) = after(b"Collected").and_then(after_colon) {
            if message.ended {
                self.collected = counts(collected, self.events.len())?;
                self.collected.resize(self.events.len(), 0);
            }
        } else if is_fatal(text) {
            self.fatal.push(lossy(text));
        } else if message.mark == b"--" && self.about_debug_info(text) {
            // Kept there.
        } else if let Some(call) = UnknownCall::of(text) {
            // A loop of unknown requests is a line each.
            if !self.unknown_calls.contains(&call) && self.unknown_calls.len() < MOST_CALLS {
                self.unknown_calls.push(call);
            }
        } else if self.tool.is_none() && !text.is_empty() {
            self.tool = Some(lossy(text));
        } else if let Some(errors) = after(b"ERROR SUMMARY:") {
            // With `-s` there are two of them; the last one counts.
            if message.ended {
                self.errors = summary::errors(errors)?.or(self.errors);
            }
        } else if message.ended && !in_head && message.mark == b"==" {
            self.rest(message.text, thread)?;
        }
        Ok(())
    }

    /// Reads a line of the figures that only some tools write to the log.
    fn rest(&mut self, line: &[u8], thread: &mut bbv::BbvTotals) -> Result<(), ParseErrorKind> {
        let text = line.trim_ascii();
        match self.writer() {
            Writer::Dhat => {
                let mut dhat = self.dhat.unwrap_or_default();
                if dhat.line(text)? {
                    self.dhat = Some(dhat);
                }
            }
            Writer::Bbv => {
                if bbv::footer(text, thread)? == Some(true) {
                    self.threads.push(*thread);
                }
            }
            Writer::ErrorTool => {
                self.heap.line(text)?;
                // The list of errors that `-s` adds repeats them.
                if self.errors.is_none() {
                    self.records.line(line);
                }
            }
            Writer::Other => {}
        }
        Ok(())
    }

    fn writer(&self) -> Writer {
        let tool = self.tool.as_deref().unwrap_or_default();
        // The words after the comma differ between versions: Cachegrind's did from 3.19 to 3.24.
        match tool.split(',').next().unwrap_or_default() {
            "DHAT" => Writer::Dhat,
            "exp-bbv" => Writer::Bbv,
            "Memcheck" | "Helgrind" | "drd" => Writer::ErrorTool,
            _ => Writer::Other,
        }
    }

    fn flag(&mut self, flag: LogFlag) {
        if !self.flags.contains(&flag) {
            self.flags.push(flag);
        }
    }

    fn finish(mut self, any_text: bool) -> Result<Option<Self>, ParseError> {
        if !any_text {
            return Ok(None);
        }
        if self.pid.is_none() && self.fatal.is_empty() {
            return Err(ParseError::Content(ParseErrorKind::NoMessages));
        }
        if self.command.is_none() {
            self.flag(LogFlag::NoCommand);
        }
        let is_whole = match self.writer() {
            Writer::Dhat => self.dhat.is_some(),
            Writer::Bbv => !self.threads.is_empty(),
            Writer::ErrorTool => self.errors.is_some(),
            Writer::Other => true,
        };
        if !is_whole {
            self.flag(LogFlag::Incomplete);
        }
        Ok(Some(self))
    }

    fn foreign(&mut self, text: &[u8]) {
        let own = text.strip_prefix(b"valgrind: ").map(<[u8]>::trim_ascii);
        let line = match own {
            Some(own) => own,
            None if is_fatal(text) => text,
            None => return,
        };
        if !line.is_empty() && self.fatal.len() < MOST_FATAL {
            self.fatal.push(lossy(line));
        }
    }

    /// Reads the lines about debug information that Valgrind skips: the second names the file, the
    /// third the reason.
    fn about_debug_info(&mut self, text: &[u8]) -> bool {
        if let Some(file) = text.strip_prefix(UNREAD_FILE) {
            let file = file.strip_suffix(b":").unwrap_or(file);
            if self.unread.len() < MOST_UNREAD {
                self.unread.push((lossy(file), String::new()));
                return true;
            }
        } else if let Some((_, reason)) = self.unread.last_mut() {
            if reason.is_empty() {
                *reason = lossy(text);
                return true;
            }
        }
        false
    }
}

/// Tools that write figures of their own.
enum Writer {
    Dhat,
    Bbv,
    ErrorTool,
    Other,
}

fn is_fatal(text: &[u8]) -> bool {
    // To prepare a search takes longer than to search a line.
    static WORDS: LazyLock<[Finder<'static>; 4]> = LazyLock::new(|| {
        [
            "Process terminating with",
            "fatal error",
            "the 'impossible' happened",
            UNHANDLED_INSTRUCTION,
        ]
        .map(Finder::new)
    });
    WORDS.iter().any(|words| words.find(text).is_some())
}

/// Splits `==[time ]pid== text`.
fn message(line: InputLine<'_>) -> Option<Message<'_>> {
    let mark = line
        .text
        .get(..2)
        // `**` marks texts of the program itself (`VALGRIND_PRINTF`).
        .filter(|mark| [b"==".as_slice(), b"--", b"**"].contains(mark))?;
    let rest = &line.text[2..];
    let end = rest.windows(mark.len()).position(|text| text == mark)?;
    // With `--time-stamp=yes` the time stands before the process.
    let pid = rest[..end].rsplit(|byte| *byte == b' ').next()?;
    let pid = super::number::single(pid).ok()?;
    Some(Message {
        mark,
        pid: u32::try_from(pid).ok()?,
        text: &rest[end + 2..],
        ended: line.ended,
    })
}

fn after_colon(text: &[u8]) -> Option<&[u8]> {
    text.strip_prefix(b":").map(<[u8]>::trim_ascii_start)
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
