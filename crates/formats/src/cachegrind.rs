//! Cachegrind's out files: the counts of one process.
//!
//! ```text
//! profile = { "desc:" text } [ "cmd:" text ] "events:" names { place | line counts } "summary:" counts
//! place   = "fl=" text | "fn=" text
//! ```
//!
//! The command is written unquoted and may span several lines: any unknown line before `events:` is
//! part of it.

use std::io::Read;
use std::path::Path;

use super::lines::{LinePosition, Lines};
use super::number::{counts, Cursor};
use super::{read_path, FileError, ParseError, ParseErrorKind};
use base::measured_function::is_around;

/// Totals of one process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CachegrindProfile {
    /// Simulated caches: `I1 cache: 32768 B, 64 B, 8-way associative`.
    pub caches: Vec<String>,
    /// The first line of the command, unquoted.
    pub command: Option<Vec<u8>>,
    /// Names of the events: `Ir`, and with simulated caches `I1mr`, `Dr` …
    pub events: Vec<String>,
    /// Counts of the process, one for each of [`events`](Self::events).
    pub totals: Vec<u64>,
    /// Oddities that did not stop the reader.
    pub flags: Vec<CachegrindFlag>,
}

/// An oddity that does not stop the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CachegrindFlag {
    /// `summary:` is missing; the sum of the lines stands in for it.
    Incomplete,
    /// `summary:` is not the sum of the lines.
    Inconsistent,
}

/// Reads the file with this path as [`read`] does.
///
/// # Errors
///
/// As [`read`], or the path is not that of a regular file that can be opened.
pub fn read_file(path: &Path) -> Result<Option<CachegrindProfile>, FileError> {
    read_path(path, read)
}

/// Reads a file as [`read_file`] does. The totals are without the costs of the functions that
/// iai-callgrind runs between its requests to start and to stop and the benchmark function.
///
/// # Errors
///
/// As [`read_file`].
#[doc(hidden)]
pub fn read_benchmark_file(path: &Path) -> Result<Option<CachegrindProfile>, FileError> {
    read_path(path, |input| read_without(input, is_around))
}

/// Reads and checks a profile. `None`: the input is empty or blank.
///
/// # Errors
///
/// The input cannot be read, a line is not one of Cachegrind, no events are named, or a sum
/// overflows.
pub fn read(input: impl Read) -> Result<Option<CachegrindProfile>, ParseError> {
    read_without(input, |_| false)
}

/// Reads a profile as [`read`] does, without the costs of functions that `is_left_out` selects.
fn read_without(
    input: impl Read,
    is_left_out: fn(&str) -> bool,
) -> Result<Option<CachegrindProfile>, ParseError> {
    let mut lines = Lines::new(input);
    let mut reader = CachegrindReader::new(is_left_out);
    let mut last = LinePosition::default();
    while let Some(line) = lines.next()? {
        last = line.position;
        reader.any_text |= !line.text.trim_ascii().is_empty();
        // Cachegrind was stopped inside this line.
        if !line.ended {
            reader.cut = !line.text.trim_ascii().is_empty();
            break;
        }
        let result = match reader.in_body {
            false => reader.head(line.text),
            true => reader.body(line.text),
        };
        result.map_err(|reason| ParseError::syntax(line.position, reason, line.text))?;
    }
    reader
        .finish()
        .map_err(|reason| ParseError::syntax(last, reason, b""))
}

/// The state between two lines.
struct CachegrindReader {
    profile: CachegrindProfile,
    any_text: bool,
    in_body: bool,
    in_function: bool,
    is_left_out: fn(&str) -> bool,
    /// The costs of the current function do not count.
    in_left_out: bool,
    /// Costs that do not count.
    left_out: Vec<u64>,
    summary: Option<Vec<u64>>,
    /// The file ends inside a line.
    cut: bool,
}

impl CachegrindReader {
    fn new(is_left_out: fn(&str) -> bool) -> Self {
        Self {
            profile: CachegrindProfile::default(),
            any_text: false,
            in_body: false,
            in_function: false,
            is_left_out,
            in_left_out: false,
            left_out: Vec::new(),
            summary: None,
            cut: false,
        }
    }

    fn head(&mut self, line: &[u8]) -> Result<(), ParseErrorKind> {
        let after = |key: &[u8]| line.strip_prefix(key).map(<[u8]>::trim_ascii);
        if let Some(text) = after(b"desc:") {
            let text = String::from_utf8_lossy(text);
            // Columns are aligned with blanks, unlike in Callgrind's files.
            let words: Vec<&str> = text.split_whitespace().collect();
            self.profile.caches.push(words.join(" "));
        } else if let Some(command) = after(b"cmd:") {
            // The first one counts: a further line of the command may begin in the same way.
            self.profile.command.get_or_insert(command.to_vec());
        } else if let Some(names) = after(b"events:") {
            let mut cursor = Cursor(names);
            while let Some(name) = cursor.word() {
                let name = String::from_utf8_lossy(name).into_owned();
                if self.profile.events.contains(&name) {
                    return Err(ParseErrorKind::EventTwice);
                }
                self.profile.events.push(name);
            }
            if self.profile.events.is_empty() {
                return Err(ParseErrorKind::NoEvents);
            }
            self.profile.totals = vec![0; self.profile.events.len()];
            self.left_out = self.profile.totals.clone();
            self.in_body = true;
        }
        Ok(())
    }

    fn body(&mut self, line: &[u8]) -> Result<(), ParseErrorKind> {
        if let Some(summary) = line.strip_prefix(b"summary:") {
            if self.summary.is_some() {
                return Err(ParseErrorKind::GivenTwice("summary"));
            }
            let mut summary = counts(summary, self.profile.events.len())?;
            summary.resize(self.profile.events.len(), 0);
            self.summary = Some(summary);
            return Ok(());
        }
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        if self.summary.is_some() {
            return Err(ParseErrorKind::UnknownLine);
        }
        // Blank lines were passed over above, so `line[0]` is there.
        if line.starts_with(b"fl=") {
            // Cachegrind writes `fn=` after each `fl=`.
            self.in_function = false;
            Ok(())
        } else if let Some(name) = line.strip_prefix(b"fn=") {
            self.in_function = true;
            self.in_left_out = (self.is_left_out)(&String::from_utf8_lossy(name));
            Ok(())
        } else if line[0].is_ascii_digit() {
            self.counts(line)
        } else {
            Err(ParseErrorKind::UnknownLine)
        }
    }

    /// Reads a line number and its counts; counts that are left out at the end are 0.
    fn counts(&mut self, line: &[u8]) -> Result<(), ParseErrorKind> {
        if !self.in_function {
            return Err(ParseErrorKind::CostWithoutFunction);
        }
        let CachegrindProfile { events, totals, .. } = &mut self.profile;
        let mut cursor = Cursor(line);
        cursor.number()?;
        let mut column = 0;
        while !cursor.at_end() {
            let Some(total) = totals.get_mut(column) else {
                return Err(ParseErrorKind::TooManyCounts);
            };
            // Versions before 3.21 could write a zero as a dot.
            let count = match cursor.0 {
                [b'.'] | [b'.', b' ' | b'\t', ..] => {
                    cursor.0 = &cursor.0[1..];
                    0
                }
                _ => cursor.number()?,
            };
            *total = total
                .checked_add(count)
                .ok_or_else(|| ParseErrorKind::SumOverflow(events[column].clone()))?;
            if self.in_left_out {
                // Not above the total, so it does not overflow.
                self.left_out[column] += count;
            }
            column += 1;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Option<CachegrindProfile>, ParseErrorKind> {
        if !self.any_text {
            return Ok(None);
        }
        if !self.in_body {
            return Err(ParseErrorKind::NoEvents);
        }
        if self.cut || self.summary.is_none() {
            self.profile.flags.push(CachegrindFlag::Incomplete);
        }
        match self.summary {
            None => {}
            Some(summary) if summary == self.profile.totals => {}
            Some(summary) => {
                self.profile.flags.push(CachegrindFlag::Inconsistent);
                self.profile.totals = summary;
            }
        }
        for (total, left_out) in self.profile.totals.iter_mut().zip(&self.left_out) {
            *total = total.saturating_sub(*left_out);
        }
        Ok(Some(self.profile))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written by Cachegrind 3.24 for an empty function, in a fork of a server.
    const EMPTY: &str = "\
desc: I1 cache:         32768 B, 64 B, 8-way associative
cmd: bench
events: Ir Dr
fl=/w/benches/b.rs
fn=b::__iai_callgrind_function_empty::__iai_callgrind_case_one
4 1 0
fn=b::__iai_callgrind_function_empty::__iai_callgrind_wrapper_mod::empty
4 1 1
fl=/w/src/__internal/call.rs
fn=b::__iai_callgrind_function_empty::__iai_callgrind_case_one
37 1 1
fn=iai_callgrind::__internal::call::begin
62 4 4
fn=iai_callgrind::__internal::call::end
65 2 0
fn=iai_callgrind::__internal::perf::empty
37 3 1
fn=iai_callgrind::__internal::perf::empty::nothing
41 2 1
summary: 14 8
";

    #[test]
    fn functions_around_a_benchmark_can_be_left_out() {
        let totals = |is_left_out: fn(&str) -> bool| {
            let profile = read_without(EMPTY.as_bytes(), is_left_out)
                .unwrap()
                .unwrap();
            assert_eq!(profile.flags, []);
            profile.totals
        };
        assert_eq!(totals(|_| false), [14, 8]);
        assert_eq!(totals(is_around), [1, 1]);
    }
}
