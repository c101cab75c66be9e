//! Totals without reading the body: a profile of 200 MB costs as much as one of 200 kB.
//!
//! The shortcut is sound because Callgrind writes one part to a file, except with
//! `--combine-dumps=yes`; such files are read completely. Whether a file has a second part can only
//! be seen by reading it all, so the figures are taken from the end of the file only if they agree
//! with the beginning: `totals:` (of the last part) must be `summary:` (of the first), except for
//! the few instructions that belong to no function and the system calls outside of the collected
//! functions. Small files and everything unusual are read completely.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::super::lines::Lines;
use super::super::number::counts;
use super::super::{read_path, FileError, ParseError};
use super::reader::{read, CallgrindReader};
use super::{CallgrindItem, CallgrindPart, CallgrindProfile};

/// Up to this size a complete and checked pass costs less than half a millisecond.
const SMALL: u64 = 128 << 10;

/// A head with a command of the greatest length that Linux allows does not fit; such a file is
/// read completely.
const HEAD: u64 = 128 << 10;
const TAIL: u64 = 64 << 10;

/// Reads the file with this path as [`read_totals`] does.
///
/// # Errors
///
/// As [`read_totals`], or the path is not that of a regular file that can be opened.
pub fn read_totals_of_file(path: &Path) -> Result<Option<CallgrindProfile>, FileError> {
    read_path(path, |mut input| read_totals(&mut input))
}

/// Head and totals of a profile that was not written with `--combine-dumps=yes`, which puts several
/// parts into one file: those need [`read`]. `None`: the input is empty or blank.
///
/// Takes as long for 200 MB as for 200 kB, unless something about the file is unusual; then the
/// file is read completely. Lines in the middle are not checked.
///
/// # Errors
///
/// The input cannot be read, or, where it is read completely, as [`read`].
pub fn read_totals(input: &mut (impl Read + Seek)) -> Result<Option<CallgrindProfile>, ParseError> {
    let size = input.seek(SeekFrom::End(0))?;
    if size > SMALL {
        if let Some(part) = head_and_tail(input, size)? {
            return Ok(Some(CallgrindProfile { parts: vec![part] }));
        }
    }
    input.rewind()?;
    read(input)
}

/// The only part, or `None` if the whole file has to be read.
fn head_and_tail(
    input: &mut (impl Read + Seek),
    size: u64,
) -> Result<Option<CallgrindPart>, ParseError> {
    input.rewind()?;
    let Some(mut part) = head(input.by_ref().take(HEAD))? else {
        return Ok(None);
    };
    let tail = tail(input, size)?;
    let Some(totals) = last_totals(&tail, part.events.len()) else {
        return Ok(None);
    };
    let summary = part.summary.as_deref().unwrap_or_default();
    if !agree(&part.events, summary, &totals) {
        return Ok(None);
    }
    part.totals = totals;
    Ok(Some(part))
}

fn head(input: impl Read) -> Result<Option<CallgrindPart>, ParseError> {
    let mut lines = Lines::new(input);
    let mut reader = CallgrindReader::new(|_: CallgrindItem<'_>| {});
    while let Some(line) = lines.next()? {
        if reader.line(line).is_err() {
            return Ok(None); // the complete pass says what is wrong
        }
        if let Some(head) = reader.head() {
            let mut head = head.clone();
            if let Some(summary) = &mut head.summary {
                summary.resize(head.events.len(), 0);
            }
            return Ok(Some(head));
        }
    }
    Ok(None)
}

fn tail(input: &mut (impl Read + Seek), size: u64) -> io::Result<Vec<u8>> {
    input.seek(SeekFrom::Start(size.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    input.take(TAIL).read_to_end(&mut tail)?;
    Ok(tail)
}

/// The counts of the last line, if it is `totals:`, complete, and no other part ends nearby.
fn last_totals(tail: &[u8], events: usize) -> Option<Vec<u64>> {
    let start = 1 + memchr::memmem::rfind(tail, b"\ntotals:")?;
    let (before, last) = tail.split_at(start);
    let last = last.strip_prefix(b"totals:")?;
    let end = memchr::memchr(b'\n', last)?;
    if !last[end..].trim_ascii().is_empty() || memchr::memmem::find(before, b"\ntotals:").is_some()
    {
        return None;
    }
    let mut totals = counts(last[..end].trim_ascii_end(), events).ok()?;
    totals.resize(events, 0);
    Some(totals)
}

/// Can `summary:` and `totals:` belong to the same part?
fn agree(events: &[String], summary: &[u64], totals: &[u64]) -> bool {
    const NOT_ATTRIBUTED: u64 = 64; // seen: 2
    summary.len() == totals.len()
        && events
            .iter()
            .zip(summary.iter().zip(totals))
            .all(|(event, (summary, totals))| {
                // `summary:` includes all that `totals:` has, so a smaller one is of another part.
                summary.checked_sub(*totals).is_some_and(|difference| {
                    difference <= NOT_ATTRIBUTED || event.starts_with("sys")
                })
            })
}
