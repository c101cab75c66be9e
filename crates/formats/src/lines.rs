//! The lines of an input, one at a time, in a buffer that grows only for long lines.

use std::io::{self, Read};

/// Longest line, above anything that a tool writes; an input without line ends is not to fill the memory.
const LONGEST: usize = 16 << 20;

/// Size of the first buffer. Most files are short, and to make a large buffer costs more than to read them; so it grows by
/// steps of four.
const FIRST: usize = 16 << 10;

/// Size of the pieces in which files are read that are longer than the first buffer.
const CHUNK: usize = 256 << 10;

/// Splits an input into lines.
pub struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    /// Start of the bytes in the buffer that are not given out yet; they end at `end`.
    start: usize,
    end: usize,
    /// The last piece filled the buffer, so much more may follow.
    was_full: bool,
    number: u64,
}

/// One line without its end (`\n` or `\r\n`).
#[derive(Debug, Clone, Copy)]
pub struct InputLine<'a> {
    /// Counted from 1.
    pub number: u64,
    /// The text.
    pub text: &'a [u8],
    /// The line has a line end. Only the last line of an input may lack one.
    pub ended: bool,
}

/// Reason why there is no next line.
#[derive(Debug)]
pub enum LineError {
    /// Reading failed.
    Io(io::Error),
    /// The line with this number is longer than anything a tool writes.
    TooLong(u64),
}

impl<R: Read> Lines<R> {
    /// Reads from `input`.
    pub fn new(input: R) -> Self {
        Self {
            input,
            buffer: vec![0; FIRST],
            start: 0,
            end: 0,
            was_full: false,
            number: 0,
        }
    }

    /// The next line; `None` at the end.
    #[allow(clippy::should_implement_trait)] // lends from the buffer, which iterators cannot
    pub fn next(&mut self) -> Result<Option<InputLine<'_>>, LineError> {
        let mut searched = 0;
        loop {
            let pending = &self.buffer[self.start..self.end];
            if let Some(found) = memchr::memchr(b'\n', &pending[searched..]) {
                return Ok(Some(self.take(searched + found, 1)));
            }
            searched = pending.len();
            if searched > LONGEST {
                return Err(LineError::TooLong(self.number + 1));
            }
            if self.fill().map_err(LineError::Io)? == 0 {
                return Ok((searched > 0).then(|| self.take(searched, 0)));
            }
        }
    }

    /// Gives out `length` bytes and skips the line end.
    fn take(&mut self, length: usize, line_end: usize) -> InputLine<'_> {
        let text = &self.buffer[self.start..self.start + length];
        self.start += length + line_end;
        self.number += 1;
        InputLine {
            number: self.number,
            text: text.strip_suffix(b"\r").unwrap_or(text),
            ended: line_end > 0,
        }
    }

    fn fill(&mut self) -> io::Result<usize> {
        let buffer = &mut self.buffer;
        buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.end == buffer.len() {
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
