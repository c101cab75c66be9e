//! Readers of the files that Valgrind's tools and `perf stat` write.
//!
//! **In**: bytes, from anything that implements [`Read`](std::io::Read), or the path of a file.
//! **Out**: a plain value, or an error with line, byte and text.
//!
//! | written by | module | reads |
//! | --- | --- | --- |
//! | Callgrind | [`callgrind`] | totals, costs of functions, calls, costs of instructions |
//! | Cachegrind | [`cachegrind`] | totals |
//! | DHAT | [`dhat`] | allocations, with their stacks |
//! | Massif | [`massif`] | snapshots of the heap |
//! | exp-bbv | [`bbv`] | intervals, instructions |
//! | Memcheck, Helgrind, DRD, all tools | [`log`] | process, errors, leaks, sums of the tool |
//! | `perf stat -j` | [`perf`] | counts of events |
//!
//! Tested with recorded files of Valgrind 3.19, 3.24 and 3.27 and of perf 6.1, 6.12 and 7.2.
//!
//! ```
//! use iai_callgrind_formats::callgrind::{self, CallGraphReader};
//!
//! let file = "\
//! events: Ir
//! fn=main
//! 1 10
//! cfn=work
//! calls=2 5
//! 3 400
//! fn=work
//! 5 400
//! totals: 410
//! ";
//! let profile = callgrind::read(file.as_bytes())?.expect("the file is not empty");
//! assert_eq!(profile.totals()?, [("Ir", 410)]);
//!
//! let mut reader = CallGraphReader::default();
//! reader.add(file.as_bytes())?;
//! let graph = reader.finish();
//! let call = graph.arcs[0];
//! assert_eq!(graph.name(call.callee as usize), b"work");
//! assert_eq!((call.count, graph.inclusive(0)), (2, &[400][..]));
//!
//! let error = callgrind::read("events: Ir\nfn=main\n1 ten\n".as_bytes()).unwrap_err();
//! assert_eq!(error.to_string(), "line 3: not a number: `1 ten`");
//! assert_eq!((error.line(), error.offset()), (Some(3), Some(19)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What every reader has in common
//!
//! - `read` takes an input, `read_file` a path. A path has to be that of a regular file: links,
//!   FIFOs and devices are refused.
//! - The result is `None` if there is nothing in the input. It is a value with flags
//!   ([`CallgrindFlag`](callgrind::CallgrindFlag), [`LogFlag`](log::LogFlag) …) if something is odd
//!   but the figures can be used, for example because the tool was killed while it wrote.
//! - No input makes a reader panic, and memory is bounded: lines have at most 16 MiB.
//! - Names of functions and files are bytes, as in the file. They need not be UTF-8.
//! - Sums never wrap around: one that does not fit into 64 bits is an error.

pub mod bbv;
pub mod cachegrind;
pub mod callgrind;
pub mod dhat;
mod lines;
pub mod log;
pub mod massif;
mod number;
pub mod perf;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use thiserror::Error;

use base::regular_file;
use lines::{LineError, LinePosition};

/// The example of the README is a test as well.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Error of an input.
#[derive(Debug, Error)]
pub enum ParseError {
    /// The system reported an error while the input was read or the file opened.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line cannot be read, or something is missing when the input ends after this line.
    #[error("line {line}: {reason}{excerpt}")]
    Syntax {
        /// Number of the line, counted from 1.
        line: u64,
        /// Byte at which the line begins, counted from 0.
        offset: u64,
        /// Reason why the line is refused.
        reason: ParseErrorKind,
        /// Beginning of the line; empty if the error is about the end of the input.
        excerpt: Excerpt,
    },
    /// The input is not JSON, or lacks a key (DHAT).
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// The input as a whole is refused: an unknown version, an impossible value, too many bytes.
    #[error("{0}")]
    Content(ParseErrorKind),
}

impl ParseError {
    fn syntax(position: LinePosition, reason: ParseErrorKind, text: &[u8]) -> Self {
        Self::Syntax {
            line: position.number,
            offset: position.offset,
            reason,
            excerpt: Excerpt::new(text),
        }
    }

    /// Number of the faulty line, counted from 1. `None`: the error is about the whole input.
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        match self {
            Self::Io(_) | Self::Content(_) => None,
            Self::Syntax { line, .. } => Some(*line),
            Self::Json(error) => Some(error.line() as u64),
        }
    }

    /// Byte at which the faulty line begins, counted from 0. `None`: the error is about the whole
    /// input, or the input is JSON (DHAT), whose errors have line and column in their text.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        match self {
            Self::Io(_) | Self::Content(_) | Self::Json(_) => None,
            Self::Syntax { offset, .. } => Some(*offset),
        }
    }
}

impl From<LineError> for ParseError {
    fn from(error: LineError) -> Self {
        match error {
            LineError::Io(error) => Self::Io(error),
            LineError::TooLong(position) => {
                Self::syntax(position, ParseErrorKind::LineTooLong, b"")
            }
        }
    }
}

/// Reason why a line or a whole input is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// A text is not a whole, non-negative number.
    #[error("not a number")]
    NotANumber,
    /// A number does not fit into 64 bits, or into 32 bits if it is a process id.
    #[error("the number is too large")]
    TooLarge,
    /// A relative position (`+3`, `-3`) leads below 0 or above 64 bits.
    #[error("the relative position is out of range")]
    PositionOutOfRange,
    /// The line has fewer numbers than `positions:` announces.
    #[error("fewer numbers than positions")]
    TooFewPositions,
    /// The line has more counts than `events:` announces.
    #[error("more counts than events")]
    TooManyCounts,
    /// The sum of the counts of this event does not fit into 64 bits.
    #[error("the sum of `{0}` does not fit into 64 bits")]
    SumOverflow(String),
    /// The header has this key twice, with different values.
    #[error("`{0}:` is given twice")]
    GivenTwice(&'static str),
    /// `version:` of a Callgrind profile is not 1.
    #[error("unknown version of the format, expected 1")]
    UnknownVersion,
    /// No line of a log begins as those of Valgrind do (`==pid==`).
    #[error("no line of it is from Valgrind")]
    NoMessages,
    /// `dhatFileVersion` is this number and not 2.
    #[error("unknown version {0} of the format, expected 2")]
    UnknownDhatVersion(u64),
    /// DHAT counts accesses to more bytes than were allocated.
    #[error("a list of accesses is longer than the blocks")]
    HistogramTooLong,
    /// `positions:` names another kind than `instr`, `bb` and `line`.
    #[error("unknown kind of position, expected `instr`, `bb` or `line`")]
    UnknownPosition,
    /// `events:` is missing or empty.
    #[error("no events are named")]
    NoEvents,
    /// `events:` names an event twice.
    #[error("an event is named twice")]
    EventTwice,
    /// A line with costs comes before the first function.
    #[error("costs without a function")]
    CostWithoutFunction,
    /// `calls=` comes without `cfn=` before it.
    #[error("a call without a called function")]
    CallWithoutFunction,
    /// The line after `calls=` is not one with costs.
    #[error("expected the costs of the call in the line before")]
    CallWithoutCost,
    /// The line after `jump=` or `jcnd=` is not one with a position.
    #[error("expected the position of the jump in the line before")]
    JumpWithoutPosition,
    /// A number such as `(7)` stands for a name that was not given before.
    #[error("the number stands for no name")]
    UndefinedName,
    /// A count of perf is below 0.
    #[error("a count is negative")]
    Negative,
    /// The line has none of the forms that the format knows.
    #[error("not a line of this format")]
    UnknownLine,
    /// The line has more than 16 MiB.
    #[error("the line is too long")]
    LineTooLong,
    /// A file that is read as a whole has more than this number of bytes.
    #[error("the file has more than {0} bytes")]
    FileTooLong(u64),
}

/// Beginning of a line for messages, at most 60 characters: displays as ``: `fn=main` ``, or as
/// nothing if the line is empty. Control characters are escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt(Box<str>);

impl Excerpt {
    const LENGTH: usize = 60;

    fn new(line: &[u8]) -> Self {
        // A character has at most 4 bytes, and a line may have 16 MiB.
        let cut = &line[..line.len().min(4 * Self::LENGTH)];
        let text = String::from_utf8_lossy(cut);
        let mut excerpt: String = text
            .chars()
            .take(Self::LENGTH)
            // Messages go to terminals, and names may contain escape sequences.
            .flat_map(char::escape_debug)
            .collect();
        if text.chars().nth(Self::LENGTH).is_some() || cut.len() < line.len() {
            excerpt.push('…');
        }
        Self(excerpt.into())
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            "" => Ok(()),
            text => write!(f, ": `{text}`"),
        }
    }
}

/// Error of a file: its message names the path, its source says what is wrong.
#[derive(Debug, Error)]
#[error("cannot read `{}`", path.display())]
pub struct FileError {
    /// Path of the file, as it was given.
    pub path: PathBuf,
    /// Reason why it cannot be opened or read.
    pub source: ParseError,
}

/// The content of a regular file. `Ok(None)`: it has more than this many bytes.
fn whole_file(path: &Path, most: u64) -> Result<Option<Vec<u8>>, FileError> {
    regular_file::whole(path, most).map_err(|source| FileError {
        path: path.to_owned(),
        source: source.into(),
    })
}

/// Opens a regular file and hands it to `read`, for readers that take an input only:
/// [`CallGraphReader`](callgrind::CallGraphReader), [`read_with`](callgrind::read_with).
///
/// # Errors
///
/// The file cannot be opened, is a link, FIFO, device or directory, or `read` fails.
pub fn read_path<T>(
    path: &Path,
    read: impl FnOnce(File) -> Result<T, ParseError>,
) -> Result<T, FileError> {
    let result = regular_file::open(path)
        .map_err(ParseError::Io)
        .and_then(read);
    result.map_err(|source| FileError {
        path: path.to_owned(),
        source,
    })
}
