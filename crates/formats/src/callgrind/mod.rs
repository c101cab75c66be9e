//! Callgrind's out files: a profile of one or more parts.
//!
//! [`read_totals`] is what a run needs: it looks at the head and the tail only. [`read`] goes
//! through the whole file once, checks every line and adds up the self costs; [`read_with`] shows
//! each event to a visitor, such as [`CallGraphReader`], which collects functions and calls.
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
pub use totals::{read_file, read_totals};

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::{file, FileError, ParseErrorKind};

/// The reason why no profile can be written of a program at this path, to continue the path. Callgrind writes
/// it into a line, as it is.
pub fn unwritable(program: &Path) -> Option<&'static str> {
    let bytes = program.as_os_str().as_bytes();
    let refused = bytes.contains(&b'\n');
    refused.then_some("has a line break in its path, which files of Callgrind cannot hold")
}

/// Content of one out file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallgrindProfile {
    /// Parts, one for each dump and thread; at least one.
    pub parts: Vec<CallgrindPart>,
}

/// The costs of one process, thread and dump.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallgrindPart {
    /// The program that wrote it: `callgrind-3.24.0`.
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
    /// Event names.
    pub events: Vec<String>,
    /// Unit of the events that are times: `ns` (`--collect-systime`).
    pub time_unit: Option<String>,
    /// Counts since the last dump, also those that belong to no function.
    pub summary: Option<Vec<u64>>,
    /// Counts, one for each event.
    pub totals: Vec<u64>,
    /// Oddities that did not stop the reader.
    pub flags: Vec<CallgrindFlag>,
}

/// A kind of position.
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
    /// A function, file or object without a name.
    NameMissing,
    /// A number stands for two names.
    NameRedefined,
    /// The part has other events than the first one.
    EventsDiffer,
}

/// Reads the file with this path like [`read`].
pub fn read_whole_file(path: &Path) -> Result<Option<CallgrindProfile>, FileError> {
    file(path, read)
}

impl CallgrindProfile {
    /// The counts over all parts, added up by the events' names, in the order of their appearance.
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

    /// Does any part have this flag?
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
