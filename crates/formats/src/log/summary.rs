//! Figures at the end of a log, of tools that write no out file or write more than is in it.

use super::super::number::{Cursor, NumberFault};
use super::super::ParseErrorKind;

/// `ERROR SUMMARY: E errors from C contexts (suppressed: E from C)`
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ErrorSummary {
    /// Errors, each as often as it happened.
    pub errors: u64,
    /// Places that caused errors: equal errors with the same stack count once.
    pub contexts: u64,
    /// Errors that a suppression left out.
    pub suppressed: u64,
    /// Suppressions that were used.
    pub suppressed_contexts: u64,
}

/// Memcheck's account of the heap.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeapSummary {
    /// Bytes and blocks that were not freed (`in use at exit`).
    pub at_exit: Option<Amount>,
    /// Number of allocations, number of deallocations, allocated bytes (`total heap usage`).
    pub usage: Option<[u64; 3]>,
    /// Blocks of the leak check by Memcheck's kinds (`definitely lost`, `still reachable`), in the
    /// order of the log.
    pub leaks: Vec<(String, Amount)>,
}

/// Bytes and the blocks that have them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Amount {
    /// Bytes; with `--mode=ad-hoc` units.
    pub bytes: u64,
    /// Blocks; with `--mode=ad-hoc` events.
    pub blocks: u64,
}

/// DHAT's sums over everything.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DhatSummary {
    /// Sum of all blocks.
    pub total: Amount,
    /// Blocks when the heap was largest.
    pub gmax: Option<Amount>,
    /// Blocks at the end.
    pub end: Option<Amount>,
    /// Bytes that were read from blocks.
    pub reads: Option<u64>,
    /// Bytes that were written to blocks.
    pub writes: Option<u64>,
    /// The amounts are units and events instead of bytes and blocks.
    pub ad_hoc: bool,
}

/// `E errors from C contexts (suppressed: E from C)`. `None`: it is cut.
pub(super) fn errors(text: &[u8]) -> Result<Option<ErrorSummary>, ParseErrorKind> {
    let mut numbers = [0; 4];
    let mut cursor = Cursor(text);
    let between: [&[u8]; 4] = [
        b" errors from ",
        b" contexts (suppressed: ",
        b" from ",
        b")",
    ];
    for (number, after) in numbers.iter_mut().zip(between) {
        *number = match cursor.decimal() {
            Ok(number) => number,
            Err(NumberFault::TooLarge) => return Err(ParseErrorKind::TooLarge),
            // The line of a killed process may be cut anywhere.
            Err(NumberFault::NotANumber) => return Ok(None),
        };
        match cursor.0.strip_prefix(after) {
            Some(rest) => cursor.0 = rest,
            None => return Ok(None),
        }
    }
    let [errors, contexts, suppressed, suppressed_contexts] = numbers;
    Ok(Some(ErrorSummary {
        errors,
        contexts,
        suppressed,
        suppressed_contexts,
    }))
}

impl HeapSummary {
    /// Adds a line of the heap or the leak summary; other lines change nothing.
    pub(super) fn line(&mut self, text: &[u8]) -> Result<(), ParseErrorKind> {
        const KINDS: [&str; 5] = [
            "definitely lost",
            "indirectly lost",
            "possibly lost",
            "still reachable",
            "suppressed",
        ];
        let Some(colon) = memchr::memchr(b':', text) else {
            return Ok(());
        };
        let (key, value) = (&text[..colon], &text[colon + 1..]);
        let number = |index| numbers(value).map(|numbers| numbers.get(index).copied().unwrap_or(0));
        match key {
            b"in use at exit" => {
                self.at_exit = Some(Amount {
                    bytes: number(0)?,
                    blocks: number(1)?,
                });
            }
            b"total heap usage" => self.usage = Some([number(0)?, number(1)?, number(2)?]),
            _ => {
                if let Some(kind) = KINDS.iter().find(|kind| kind.as_bytes() == key) {
                    let amount = Amount {
                        bytes: number(0)?,
                        blocks: number(1)?,
                    };
                    // A program may have asked for several checks; the last one is that at the end.
                    self.leaks.retain(|(other, _)| other != kind);
                    self.leaks.push(((*kind).to_owned(), amount));
                }
            }
        }
        Ok(())
    }
}

impl DhatSummary {
    /// Adds a line of the summary. `false`: the line is no such line.
    pub(super) fn line(&mut self, text: &[u8]) -> Result<bool, ParseErrorKind> {
        let Some(colon) = memchr::memchr(b':', text) else {
            return Ok(false);
        };
        let (key, value) = (&text[..colon], &text[colon + 1..]);
        let numbers = || numbers(value);
        let number = |numbers: &[u64], index: usize| numbers.get(index).copied().unwrap_or(0);
        let amount = || {
            numbers().map(|numbers| Amount {
                bytes: number(&numbers, 0),
                blocks: number(&numbers, 1),
            })
        };
        match key {
            b"Total" => {
                self.total = amount()?;
                self.ad_hoc = memchr::memmem::find(value, b" events").is_some();
            }
            b"At t-gmax" => self.gmax = Some(amount()?),
            b"At t-end" => self.end = Some(amount()?),
            b"Reads" => self.reads = Some(number(&numbers()?, 0)),
            b"Writes" => self.writes = Some(number(&numbers()?, 0)),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// The words that are numbers, with commas between groups of three digits.
fn numbers(text: &[u8]) -> Result<Vec<u64>, ParseErrorKind> {
    let mut cursor = Cursor(text);
    let mut numbers = Vec::new();
    while let Some(word) = cursor.word() {
        // `word` never returns an empty text, so there is a first byte.
        if word[0].is_ascii_digit() {
            let digits: Vec<u8> = word.iter().copied().filter(|byte| *byte != b',').collect();
            numbers.push(Cursor(&digits).number()?);
        }
    }
    Ok(numbers)
}
