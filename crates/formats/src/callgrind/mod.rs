//! Callgrind's out files: a profile of one or more parts.
//!
//! | question | answered by |
//! | --- | --- |
//! | How much did the program execute? | [`read_totals`], of head and tail of the file |
//! | Is the file whole, and do its costs add up? | [`read`]; [`CallgrindFlag::Incomplete`]: cut off |
//! | Which function executed how much, and who called it? | [`CallGraphReader`] |
//! | Which instruction or line executed how much? | [`InstructionReader`] |
//! | Anything else | [`read_with`], which shows each item to a closure |
//!
//! ```text
//! profile = { part }
//! part    = { key ": " value } "events: " names [ "summary: " counts ] body "totals: " counts
//! body    = { name "=" text | position counts | "calls=" … }
//! ```

mod below;
mod calls;
mod cost_rows;
mod graph;
mod instructions;
mod interned;
mod names;
mod plain_name;
mod reader;
mod text;
mod totals;

pub use calls::{read_calls_of_file, EnteredCalls, TotalsOf};
pub use graph::{CallArc, CallGraph, CallGraphReader, CallgrindFunction};
pub use instructions::{CallPlace, CostPlace, InstructionProfile, InstructionReader, ProfileName};
pub use plain_name::{plain_names, PlainName};
pub use reader::{read, read_with, CallgrindItem, PositionName};
pub use text::{objects_of_file, ProfileText};
pub use totals::{read_totals, read_totals_of_file};

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::{read_path, FileError, ParseErrorKind};

/// Reason why Callgrind cannot write a profile of the program at this path that can be read again.
///
/// Callgrind writes paths into lines as they are, so a path with a line break spoils the file. The
/// reason is made to follow the path in a message. `None`: the path is fine.
#[doc(hidden)]
#[must_use]
pub fn unwritable(program: &Path) -> Option<&'static str> {
    let bytes = program.as_os_str().as_bytes();
    let refused = bytes.contains(&b'\n');
    refused.then_some("has a line break in its path, which files of Callgrind cannot hold")
}

/// Head and totals of one out file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallgrindProfile {
    /// Parts in the order of the file, one for each dump and thread; at least one.
    pub parts: Vec<CallgrindPart>,
}

/// Head and totals of one dump of one thread.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallgrindPart {
    /// Program that wrote the part: `callgrind-3.24.0`.
    pub creator: Option<String>,
    /// Process id.
    pub pid: Option<u32>,
    /// The command, unquoted: blanks inside and between arguments look alike.
    pub command: Option<Vec<u8>>,
    /// The number of the dump, from 1.
    pub part: Option<u64>,
    /// The slot of the thread, from 1. Later threads reuse the slots of finished ones.
    pub thread: Option<u64>,
    /// Reason of the dump: `Program termination`, `Client Request: <text>` …
    pub trigger: Option<Vec<u8>>,
    /// Simulated caches: `I1 cache: 32768 B, 64 B, 8-way associative`. Empty without simulation.
    pub caches: Vec<String>,
    /// Kinds of the positions before the costs of a line; empty stands for `line`.
    pub positions: Vec<PositionKind>,
    /// Names of the events: `Ir`, and with simulated caches `Dr`, `Dw`, `I1mr` …
    pub events: Vec<String>,
    /// Unit of the events that are times: `ns` (`--collect-systime`).
    pub time_unit: Option<String>,
    /// Counts since the last dump, one for each event, with those that belong to no function.
    pub summary: Option<Vec<u64>>,
    /// Counts of all functions of the part, one for each of [`events`](Self::events).
    pub totals: Vec<u64>,
    /// Oddities that did not stop the reader.
    pub flags: Vec<CallgrindFlag>,
}

/// Meaning of a number before the costs of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PositionKind {
    /// The address of the instruction in its object.
    Instruction,
    /// The address of the basic block in its object.
    BasicBlock,
    /// The line of the source file.
    Line,
}

/// An oddity that does not stop the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallgrindFlag {
    /// The writer was stopped, there are no `totals:`.
    Incomplete,
    /// `summary:` stands in for the missing `totals:`.
    SummaryUsed,
    /// The sum of the costs stands in for the missing `totals:` and `summary:`.
    SumUsed,
    /// `totals:` is not the sum of the costs.
    Inconsistent,
    /// A line has an unknown `key=` and was skipped.
    UnknownSpec,
    /// A function, file or object has no name.
    NameMissing,
    /// A number stands for two names in the same part.
    NameRedefined,
    /// The part has other events than the first one.
    EventsDiffer,
}

/// Reads the file with this path as [`read`] does. [`read_totals_of_file`] is faster for large
/// files.
///
/// # Errors
///
/// As [`read`], or the path is not that of a regular file that can be opened.
pub fn read_file(path: &Path) -> Result<Option<CallgrindProfile>, FileError> {
    read_path(path, read)
}

impl CallgrindProfile {
    /// Names and counts of all events, added up over all parts, in the order of their appearance.
    ///
    /// # Errors
    ///
    /// A sum does not fit into 64 bits.
    pub fn totals(&self) -> Result<Vec<(&str, u64)>, ParseErrorKind> {
        let mut sums: Vec<(&str, u64)> = Vec::new();
        for part in &self.parts {
            for (name, count) in part.events.iter().zip(&part.totals) {
                match sums.iter_mut().find(|(known, _)| known == name) {
                    None => sums.push((name, *count)),
                    Some((_, sum)) => {
                        let overflow = || ParseErrorKind::SumOverflow(name.clone());
                        *sum = sum.checked_add(*count).ok_or_else(overflow)?;
                    }
                }
            }
        }
        Ok(sums)
    }

    /// Has any part this flag?
    #[must_use]
    pub fn has(&self, flag: CallgrindFlag) -> bool {
        self.parts.iter().any(|part| part.flags.contains(&flag))
    }
}

impl CallgrindPart {
    fn flag(&mut self, flag: CallgrindFlag) {
        if !self.flags.contains(&flag) {
            self.flags.push(flag);
        }
    }
}

impl std::fmt::Display for CallgrindFlag {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Incomplete => "the profile is incomplete, Callgrind was stopped while writing",
            Self::SummaryUsed => "the totals are missing, the summary is used instead",
            Self::SumUsed => "the totals are missing, the costs were added up instead",
            Self::Inconsistent => "the totals are not the sum of the costs",
            Self::UnknownSpec => "lines of an unknown kind were left out",
            Self::NameMissing => "a name is empty",
            Self::NameRedefined => "a number stands for two names",
            Self::EventsDiffer => "the parts have different events",
        })
    }
}
