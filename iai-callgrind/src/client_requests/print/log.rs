//! The buffer between a formatted text and Valgrind's log.
//!
//! Valgrind wants a format string as that of C's `printf` and a list of arguments, whose layout
//! differs between platforms. So every `%` of the text is doubled, and the list is never read.

use core::fmt;

use crate::client_requests::error::InteriorNulError;
use crate::client_requests::numbers::{
    VG_USERREQ__PRINTF_BACKTRACE_VALIST_BY_REF, VG_USERREQ__PRINTF_VALIST_BY_REF,
};

/// Bytes of text that one request prints, with the NUL byte at its end.
const CAPACITY: usize = 512;

/// An empty `va_list`, larger than on any platform. Valgrind copies it.
static NO_ARGUMENTS: [u64; 8] = [0; 8];

/// Text on its way to the log.
pub(super) struct Log {
    buffer: [u8; CAPACITY],
    /// Bytes of the buffer that are in use.
    used: usize,
    /// Bytes of the text that have come.
    taken: usize,
    /// Place of the NUL byte at which the text ended early.
    interior_nul: Option<InteriorNulError>,
}

impl Log {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self {
            buffer: [0; CAPACITY],
            used: 0,
            taken: 0,
            interior_nul: None,
        }
    }

    pub(super) fn interior_nul(&self) -> Option<InteriorNulError> {
        self.interior_nul
    }

    /// Adds text; what comes after a NUL byte is dropped.
    pub(super) fn write_bytes(&mut self, text: &[u8]) {
        for &byte in text {
            if self.interior_nul.is_some() {
                return;
            }
            match byte {
                0 => {
                    self.interior_nul = Some(InteriorNulError {
                        position: self.taken,
                    });
                }
                b'%' => self.push(b"%%"),
                _ => self.push(&[byte]),
            }
            self.taken += 1;
        }
    }

    /// Adds a newline, also if the text ended early: whatever is printed next is another line.
    pub(super) fn write_newline(&mut self) {
        self.push(b"\n");
    }

    /// Adds bytes which must not be torn.
    fn push(&mut self, piece: &[u8]) {
        // One byte is left for the NUL.
        if self.used + piece.len() >= CAPACITY {
            self.send();
        }
        self.buffer[self.used..self.used + piece.len()].copy_from_slice(piece);
        self.used += piece.len();
    }

    /// Prints what is in the buffer.
    #[inline(always)]
    pub(super) fn send(&mut self) {
        let text = self.end();
        request!(0; VG_USERREQ__PRINTF_VALIST_BY_REF, text, no_arguments());
    }

    /// Prints what is in the buffer, and the stack of the function into which this is inlined.
    #[inline(always)]
    pub(super) fn send_with_backtrace(&mut self) {
        let text = self.end();
        request!(0; VG_USERREQ__PRINTF_BACKTRACE_VALIST_BY_REF, text, no_arguments());
    }

    /// Ends the text with a NUL byte and leaves the buffer to the next one; its address.
    #[inline(always)]
    fn end(&mut self) -> usize {
        self.buffer[self.used] = 0;
        self.used = 0;
        self.buffer.as_ptr() as usize
    }
}

impl fmt::Write for Log {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.write_bytes(text.as_bytes());
        Ok(())
    }
}

#[inline(always)]
fn no_arguments() -> usize {
    NO_ARGUMENTS.as_ptr() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(texts: &[&[u8]]) -> Log {
        let mut log = Log::new();
        for text in texts {
            log.write_bytes(text);
        }
        log
    }

    fn in_buffer(log: &Log) -> &[u8] {
        &log.buffer[..log.used]
    }

    #[test]
    fn a_percent_sign_is_doubled() {
        let log = written(&[b"100% of %s"]);

        assert_eq!(in_buffer(&log), b"100%% of %%s");
        assert_eq!(log.interior_nul(), None);
    }

    #[test]
    fn pieces_follow_each_other() {
        assert_eq!(in_buffer(&written(&[b"one ", b"", b"two"])), b"one two");
    }

    #[test]
    fn the_text_ends_at_a_nul_byte() {
        let log = written(&[b"ab%", b"c\0d", b"e\0f"]);

        assert_eq!(in_buffer(&log), b"ab%%c");
        assert_eq!(log.interior_nul().map(|error| error.position()), Some(4));
    }

    #[test]
    fn a_newline_follows_also_a_text_that_ended_early() {
        let mut log = written(&[b"a\0b"]);
        log.write_newline();

        assert_eq!(in_buffer(&log), b"a\n");
    }

    #[test]
    fn the_last_byte_of_the_buffer_is_for_the_nul() {
        let mut log = written(&[&[b'a'; CAPACITY - 1]]);
        assert_eq!(in_buffer(&log), [b'a'; CAPACITY - 1]);

        log.write_bytes(b"b");
        assert_eq!(in_buffer(&log), b"b");
    }

    #[test]
    fn a_doubled_percent_sign_is_not_torn() {
        let mut log = written(&[&[b'a'; CAPACITY - 2]]);
        log.write_bytes(b"%");

        assert_eq!(in_buffer(&log), b"%%");
    }

    #[test]
    fn the_position_of_a_nul_byte_counts_from_the_beginning_of_the_text() {
        let log = written(&[&[b'%'; 3 * CAPACITY], b"\0"]);

        let position = log.interior_nul().map(|error| error.position());
        assert_eq!(position, Some(3 * CAPACITY));
    }

    #[test]
    fn a_sent_text_ends_with_a_nul_byte() {
        let mut log = written(&[b"long text"]);
        log.send();
        log.write_bytes(b"text");
        log.send();

        assert_eq!(&log.buffer[..5], b"text\0");
        assert_eq!(log.used, 0);
    }
}
