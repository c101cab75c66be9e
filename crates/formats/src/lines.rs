//! The lines of an input, one at a time, in a buffer that grows only for long lines.

use std::io::{self, Read};

/// Longest line, above anything that a tool writes; an input without line ends is not to fill the
/// memory.
const LONGEST: usize = 16 << 20;

/// Size of the first buffer. Most files are short, and to make a large buffer costs more than to
/// read them; so it grows by steps of four.
const FIRST: usize = 16 << 10;

/// Size of the pieces in which files are read that are longer than the first buffer.
const CHUNK: usize = 256 << 10;

/// Splits an input into lines.
pub(crate) struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    /// Start of the bytes in the buffer that are not given out yet; they end at `end`.
    start: usize,
    end: usize,
    /// Byte of the input that is first in the buffer.
    offset: u64,
    /// The last piece filled the buffer, so much more may follow.
    was_full: bool,
    number: u64,
}

/// One line without its end (`\n` or `\r\n`).
#[derive(Debug, Clone, Copy)]
pub(crate) struct InputLine<'a> {
    pub(crate) position: LinePosition,
    pub(crate) text: &'a [u8],
    /// The line has a line end. Only the last line of an input may lack one.
    pub(crate) ended: bool,
}

/// Position of a line in the input.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LinePosition {
    /// Number, counted from 1.
    pub(crate) number: u64,
    /// Byte at which it begins, counted from 0.
    pub(crate) offset: u64,
}

/// Reason why there is no next line.
#[derive(Debug)]
pub(crate) enum LineError {
    Io(io::Error),
    /// This line is longer than anything a tool writes.
    TooLong(LinePosition),
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(input: R) -> Self {
        Self {
            input,
            buffer: vec![0; FIRST],
            start: 0,
            end: 0,
            offset: 0,
            was_full: false,
            number: 0,
        }
    }

    /// The next line; `None` at the end.
    #[allow(clippy::should_implement_trait)] // lends from the buffer, which iterators cannot
    pub(crate) fn next(&mut self) -> Result<Option<InputLine<'_>>, LineError> {
        // Bytes without a line end are searched once; else a long line would cost its square.
        let mut searched = 0;
        loop {
            let pending = &self.buffer[self.start..self.end];
            if let Some(found) = memchr::memchr(b'\n', &pending[searched..]) {
                return Ok(Some(self.take(searched + found, 1)));
            }
            searched = pending.len();
            if searched > LONGEST {
                let position = LinePosition {
                    number: self.number + 1,
                    offset: self.offset + self.start as u64,
                };
                return Err(LineError::TooLong(position));
            }
            if self.fill().map_err(LineError::Io)? == 0 {
                return Ok((searched > 0).then(|| self.take(searched, 0)));
            }
        }
    }

    /// Gives out `length` bytes and skips the line end.
    fn take(&mut self, length: usize, line_end: usize) -> InputLine<'_> {
        let text = &self.buffer[self.start..self.start + length];
        let offset = self.offset + self.start as u64;
        self.start += length + line_end;
        self.number += 1;
        InputLine {
            position: LinePosition {
                number: self.number,
                offset,
            },
            text: text.strip_suffix(b"\r").unwrap_or(text),
            ended: line_end > 0,
        }
    }

    fn fill(&mut self) -> io::Result<usize> {
        let buffer = &mut self.buffer;
        buffer.copy_within(self.start..self.end, 0);
        self.offset += self.start as u64;
        self.end -= self.start;
        self.start = 0;
        if self.end == buffer.len() {
            // Bounded, since `next` refuses a line that is longer than `LONGEST`.
            buffer.resize(2 * self.end, 0);
        } else if self.was_full && buffer.len() < CHUNK {
            buffer.resize(4 * buffer.len(), 0);
        }
        loop {
            match self.input.read(&mut buffer[self.end..]) {
                Ok(read) => {
                    self.end += read;
                    self.was_full = self.end == buffer.len();
                    return Ok(read);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[track_caller]
    fn check(input: &str, expected: &[(&str, bool)]) {
        let mut lines = Lines::new(input.as_bytes());
        for (text, ended) in expected {
            let line = lines.next().unwrap().unwrap();
            assert_eq!((line.text, line.ended), (text.as_bytes(), *ended));
            let rest = &input.as_bytes()[line.position.offset as usize..];
            assert!(rest.starts_with(text.as_bytes()));
        }
        assert!(lines.next().unwrap().is_none());
    }

    #[test]
    fn lines_end_with_and_without_carriage_return() {
        check("", &[]);
        check("a", &[("a", false)]);
        check("a\n", &[("a", true)]);
        check("a\r\n\nb", &[("a", true), ("", true), ("b", false)]);
    }

    #[test]
    fn lines_may_be_longer_than_the_buffer() {
        let long = "x".repeat(1_000_000);
        check(
            &format!("a\n{long}\n{long}"),
            &[("a", true), (&long, true), (&long, false)],
        );
    }
}
