//! exp-bbv's out files: which basic blocks ran in each interval of a thread.
//!
//! ```text
//! profile = { "T" { ":" block ":" count } } footer
//! footer  = "# Thread" n { "#   Total …: n" }
//! ```
//!
//! The totals of a run come from the log: a child of the process writes into the file of its
//! parent. This reader checks that a file is whole.

use std::io::Read;
use std::path::Path;

use super::lines::Lines;
use super::number::Cursor;
use super::{read_path, FileError, ParseError, ParseErrorKind};

/// Content of one out file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BbvProfile {
    /// Number of complete intervals, which are the lines that begin with `T`.
    pub intervals: u64,
    /// Instructions in the intervals. `None`: a block's counter of 32 bits was too small
    /// ([`BbvFlag::Wrapped`]).
    pub in_intervals: Option<u64>,
    /// Totals of the footer, which include the rest after the last interval.
    pub totals: Option<BbvTotals>,
    /// Oddities that did not stop the reader.
    pub flags: Vec<BbvFlag>,
}

/// Totals of a thread, in the footer of its file and in the log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BbvTotals {
    /// Number of the thread, counted from 1.
    pub thread: u64,
    /// Complete intervals.
    pub intervals: u64,
    /// Instructions; those with a `rep` prefix count once.
    pub instructions: u64,
    /// Repetitions of instructions with a `rep` prefix.
    pub reps: u64,
    /// Number of times that a repetition began.
    pub unique_reps: u64,
    /// `fldcw` instructions.
    pub fldcw: u64,
}

/// An oddity that does not stop the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BbvFlag {
    /// The footer is missing: the process was killed, or its parent's file was overwritten.
    Incomplete,
    /// A count of a block is negative: the counter has 32 bits.
    Wrapped,
}

/// A line of a footer, in the file and in the log, and the field that takes its number.
type Field = (&'static [u8], fn(&mut BbvTotals) -> &mut u64);

const FIELDS: [Field; 6] = [
    (b"# Thread ", |totals| &mut totals.thread),
    (b"#   Total intervals: ", |totals| &mut totals.intervals),
    (b"#   Total instructions: ", |totals| {
        &mut totals.instructions
    }),
    (b"#   Total reps: ", |totals| &mut totals.reps),
    (b"#   Unique reps: ", |totals| &mut totals.unique_reps),
    (b"#   Total fldcw instructions: ", |totals| {
        &mut totals.fldcw
    }),
];

/// Reads a line of a footer. `None`: the line is no such line. `true`: the line is the last one.
pub(super) fn footer(line: &[u8], totals: &mut BbvTotals) -> Result<Option<bool>, ParseErrorKind> {
    for (index, (key, field)) in FIELDS.into_iter().enumerate() {
        let Some(value) = line.strip_prefix(key) else {
            continue;
        };
        if index == 0 {
            // A footer begins with its thread: figures of the thread before must not fill its gaps.
            *totals = BbvTotals::default();
        }
        let mut cursor = Cursor(value);
        *field(totals) = cursor.number()?;
        return Ok(Some(index + 1 == FIELDS.len()));
    }
    Ok(None)
}

/// Reads the file with this path as [`read`] does.
///
/// # Errors
///
/// As [`read`], or the path is not that of a regular file that can be opened.
pub fn read_file(path: &Path) -> Result<Option<BbvProfile>, FileError> {
    read_path(path, read)
}

/// Reads and checks a profile. `None`: the input is empty or blank.
///
/// # Errors
///
/// The input cannot be read, or a line is not one of exp-bbv.
pub fn read(input: impl Read) -> Result<Option<BbvProfile>, ParseError> {
    let mut lines = Lines::new(input);
    let mut profile = BbvProfile {
        in_intervals: Some(0),
        ..BbvProfile::default()
    };
    let mut totals = BbvTotals::default();
    let mut any_text = false;
    while let Some(line) = lines.next()? {
        any_text |= !line.text.trim_ascii().is_empty();
        // exp-bbv was stopped inside this line.
        if !line.ended {
            break;
        }
        let result = match line.text {
            [b'T', blocks @ ..] => profile.interval(blocks),
            [b'#', ..] => footer(line.text, &mut totals).map(|last| {
                if last == Some(true) {
                    profile.totals = Some(totals);
                }
            }),
            text if text.trim_ascii().is_empty() => Ok(()),
            _ => Err(ParseErrorKind::UnknownLine),
        };
        result.map_err(|reason| ParseError::syntax(line.position, reason, line.text))?;
    }
    if !any_text {
        return Ok(None);
    }
    if profile.totals.is_none() {
        profile.flags.push(BbvFlag::Incomplete);
    }
    Ok(Some(profile))
}

impl BbvProfile {
    /// `:1:11   :2:21   `: number of a block, instructions in it.
    fn interval(&mut self, blocks: &[u8]) -> Result<(), ParseErrorKind> {
        let mut cursor = Cursor(blocks);
        while !cursor.at_end() {
            cursor.0 = cursor
                .0
                .strip_prefix(b":")
                .ok_or(ParseErrorKind::UnknownLine)?;
            cursor.decimal()?;
            cursor.0 = cursor
                .0
                .strip_prefix(b":")
                .ok_or(ParseErrorKind::UnknownLine)?;
            // exp-bbv counts a block in a signed number of 32 bits, so a long interval wraps. A sum
            // with it would be wrong.
            if let Some(rest) = cursor.0.strip_prefix(b"-") {
                cursor.0 = rest;
                cursor.number()?;
                self.in_intervals = None;
                if !self.flags.contains(&BbvFlag::Wrapped) {
                    self.flags.push(BbvFlag::Wrapped);
                }
                continue;
            }
            let count = cursor.number()?;
            if let Some(sum) = self.in_intervals {
                let overflow = || ParseErrorKind::SumOverflow("instructions".to_owned());
                self.in_intervals = Some(sum.checked_add(count).ok_or_else(overflow)?);
            }
        }
        self.intervals += 1;
        Ok(())
    }
}
