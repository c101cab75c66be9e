//! Tool output to models: bytes in, a value or an error with line and text out.
//!
//! Nothing here knows settings, the terminal or where files are kept. Every reader has four
//! outcomes: a value, a value with flags (incomplete, a fallback was used …), no data (`None`:
//! the file is empty or blank) and an error. Names stay bytes; text is made for display only.

pub mod bbv;
pub mod cachegrind;
pub mod callgrind;
pub mod dhat;
pub mod lines;
pub mod log;
pub mod massif;
mod number;
pub mod perf;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use thiserror::Error;

use base::regular_file;
use lines::LineError;

/// Reason why a file could not be read.
#[derive(Debug, Error)]
pub enum ParseError {
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line, or the file up to this line, does not have the form of the format.
    #[error("line {line}: {reason}{excerpt}")]
    Syntax {
        /// The line, counted from 1.
        line: u64,
        /// Reason of the error.
        reason: ParseErrorKind,
        /// The beginning of the line.
        excerpt: Excerpt,
    },
    /// The file is no JSON, or not of the expected form.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// A value in the file is not possible, or its version is not known.
    #[error("{0}")]
    Content(ParseErrorKind),
}

impl ParseError {
    fn syntax(line: u64, reason: ParseErrorKind, text: &[u8]) -> Self {
        Self::Syntax {
            line,
            reason,
            excerpt: Excerpt::new(text),
        }
    }

    /// Number of the faulty line, if there is one.
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        match self {
            Self::Io(_) | Self::Content(_) => None,
            Self::Syntax { line, .. } => Some(*line),
            Self::Json(error) => Some(error.line() as u64),
        }
    }
}

impl From<LineError> for ParseError {
    fn from(error: LineError) -> Self {
        match error {
            LineError::Io(error) => Self::Io(error),
            LineError::TooLong(line) => Self::syntax(line, ParseErrorKind::LineTooLong, b""),
        }
    }
}

/// Reason why a line or a file is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParseErrorKind {
    /// A number was expected.
    #[error("not a number")]
    NotANumber,
    /// A number does not fit into 64 bits, or into the field that takes it.
    #[error("the number is too large")]
    TooLarge,
    /// A relative position points below zero or above 64 bits.
    #[error("the relative position is out of range")]
    PositionOutOfRange,
    /// The line has fewer numbers than positions.
    #[error("fewer numbers than positions")]
    TooFewPositions,
    /// The line has more counts than there are events.
    #[error("more counts than events")]
    TooManyCounts,
    /// A sum of counts does not fit into 64 bits.
    #[error("the sum of `{0}` does not fit into 64 bits")]
    SumOverflow(String),
    /// A header key has two values.
    #[error("`{0}:` is given twice")]
    GivenTwice(&'static str),
    /// A version that is not known.
    #[error("unknown version of the format, expected 1")]
    UnknownVersion,
    /// A log without a single line of Valgrind.
    #[error("no line of it is from Valgrind")]
    NoMessages,
    /// A version of DHAT's format that is not known.
    #[error("unknown version {0} of the format, expected 2")]
    UnknownDhatVersion(u64),
    /// There are accesses to more bytes than were allocated.
    #[error("a list of accesses is longer than the blocks")]
    HistogramTooLong,
    /// A kind of position that is not known.
    #[error("unknown kind of position, expected `instr`, `bb` or `line`")]
    UnknownPosition,
    /// `events:` is missing or empty.
    #[error("no events are named")]
    NoEvents,
    /// `events:` names an event twice.
    #[error("an event is named twice")]
    EventTwice,
    /// Costs before the first function.
    #[error("costs without a function")]
    CostWithoutFunction,
    /// `calls=` without `cfn=`.
    #[error("a call without a called function")]
    CallWithoutFunction,
    /// The line after `calls=` has no costs.
    #[error("expected the costs of the call in the line before")]
    CallWithoutCost,
    /// The line after `jump=` has no position.
    #[error("expected the position of the jump in the line before")]
    JumpWithoutPosition,
    /// A number stands for a name that was not given.
    #[error("the number stands for no name")]
    UndefinedName,
    /// A count of perf that is below zero.
    #[error("a count is negative")]
    Negative,
    /// A line of no known form.
    #[error("not a line of this format")]
    UnknownLine,
    /// A line is longer than anything a tool writes.
    #[error("the line is too long")]
    LineTooLong,
    /// A file that is read as a whole has more bytes than this, and than anything a tool writes.
    #[error("the file has more than {0} bytes")]
    FileTooLong(u64),
}

/// The beginning of a line as text, for messages: ``: `fn=main` ``, or nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt(String);

impl Excerpt {
    const LENGTH: usize = 60;

    fn new(line: &[u8]) -> Self {
        let cut = &line[..line.len().min(4 * Self::LENGTH)];
        let text = String::from_utf8_lossy(cut);
        let mut excerpt: String = text
            .chars()
            .take(Self::LENGTH)
            .flat_map(char::escape_debug)
            .collect();
        if text.chars().nth(Self::LENGTH).is_some() || cut.len() < line.len() {
            excerpt.push('…');
        }
        Self(excerpt)
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_str() {
            "" => Ok(()),
            text => write!(f, ": `{text}`"),
        }
    }
}

/// Error of a file, with its path.
#[derive(Debug, Error)]
#[error("cannot read `{}`", path.display())]
pub struct FileError {
    /// Path of the file.
    pub path: PathBuf,
    /// Reason of the error.
    pub source: ParseError,
}

/// The content of a regular file. `Ok(None)`: it has more than this many bytes.
fn whole_file(path: &Path, most: u64) -> Result<Option<Vec<u8>>, FileError> {
    regular_file::whole(path, most).map_err(|source| FileError {
        path: path.to_owned(),
        source: source.into(),
    })
}

/// Opens a regular file and reads it with `read`; errors name the file.
pub fn file<T>(
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
