//! Bytes of debug information, read from the front.
//!
//! `gimli` reads entries and programs value by value; passing over them is most of the work, and needs no values. Beyond the
//! end there is nothing: every read may give `None`.

use gimli::{EndianSlice, Endianity, Reader, RunTimeEndian};

/// A place in bytes of debug information.
#[derive(Debug, Clone, Copy)]
pub(super) struct ByteCursor<'a> {
    bytes: &'a [u8],
    at: usize,
    endian: RunTimeEndian,
}

impl<'a> ByteCursor<'a> {
    pub(super) fn new(bytes: EndianSlice<'a, RunTimeEndian>) -> Self {
        Self {
            bytes: bytes.slice(),
            at: 0,
            endian: bytes.endian(),
        }
    }

    /// Number of bytes that were read.
    #[inline]
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// Goes to the byte with this position.
    #[must_use]
    pub(super) fn moved(self, at: usize) -> Self {
        Self { at, ..self }
    }

    #[inline]
    pub(super) fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    #[inline]
    pub(super) fn skip(&mut self, length: usize) -> Option<()> {
        let at = self.at.checked_add(length)?;
        (at <= self.bytes.len()).then(|| self.at = at)
    }

    /// Skips a text and the zero behind it.
    pub(super) fn skip_text(&mut self) -> Option<()> {
        let rest = self.bytes.get(self.at..)?;
        self.skip(memchr::memchr(0, rest)? + 1)
    }

    /// A number of so many bytes, eight at most.
    pub(super) fn number(&mut self, size: usize) -> Option<u64> {
        let start = self.at;
        self.skip(size)?;
        let bytes = &self.bytes[start..self.at];
        let mut whole = [0; 8];
        match self.endian.is_big_endian() {
            true => {
                let start = whole.len().checked_sub(size)?;
                whole[start..].copy_from_slice(bytes);
                Some(u64::from_be_bytes(whole))
            }
            false => {
                whole.get_mut(..size)?.copy_from_slice(bytes);
                Some(u64::from_le_bytes(whole))
            }
        }
    }

    /// A number of variable length (ULEB128).
    #[inline]
    pub(super) fn unsigned(&mut self) -> Option<u64> {
        let first = self.byte()?;
        match first {
            0..0x80 => Some(u64::from(first)),
            _ => self
                .longer(u64::from(first & 0x7f))
                .map(|(number, _)| number),
        }
    }

    /// A signed number of variable length (SLEB128).
    #[inline]
    pub(super) fn signed(&mut self) -> Option<i64> {
        let first = self.byte()?;
        let (number, bits) = match first {
            0..0x80 => (u64::from(first), 7),
            _ => self.longer(u64::from(first & 0x7f))?,
        };
        let unused = 64_u32.saturating_sub(bits);
        Some((number << unused) as i64 >> unused)
    }

    /// The number that begins with these seven bits, and how many it has.
    fn longer(&mut self, first: u64) -> Option<(u64, u32)> {
        let (mut number, mut bits) = (first, 7);
        loop {
            let byte = self.byte()?;
            let value = u64::from(byte & 0x7f);
            // Of the tenth byte a single bit is left, and of a negative number the sign.
            let is_over = bits == 63 && !matches!(value, 0 | 1 | 0x7f);
            if is_over || bits > 63 {
                return None;
            }
            number |= value << bits;
            bits += 7;
            if byte < 0x80 {
                return Some((number, bits));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cursor(bytes: &[u8], endian: RunTimeEndian) -> ByteCursor<'_> {
        ByteCursor::new(EndianSlice::new(bytes, endian))
    }

    #[test]
    fn numbers_of_variable_length_are_those_of_gimli() {
        let texts: [&[u8]; 9] = [
            b"\x02",
            b"\x7f",
            b"\x80\x01",
            b"\xe5\x8e\x26",
            b"\x80\x7f",
            b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
            b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f",
            b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02",
            b"\x80",
        ];
        for text in texts {
            let little = || EndianSlice::new(text, RunTimeEndian::Little);
            let unsigned = gimli::Reader::read_uleb128(&mut little()).ok();
            let signed = gimli::Reader::read_sleb128(&mut little()).ok();
            // A negative number of ten bytes is too long without its sign.
            if !text.ends_with(b"\x80\x7f") {
                assert_eq!(ByteCursor::new(little()).unsigned(), unsigned, "{text:x?}");
            }
            if !text.ends_with(b"\xff\x01") {
                assert_eq!(ByteCursor::new(little()).signed(), signed, "{text:x?}");
            }
        }
    }

    #[test]
    fn numbers_of_a_fixed_length_have_the_order_of_the_file() {
        let bytes = [1, 2, 3, 4];
        assert_eq!(
            cursor(&bytes, RunTimeEndian::Little).number(2),
            Some(0x0201)
        );
        assert_eq!(
            cursor(&bytes, RunTimeEndian::Big).number(4),
            Some(0x0102_0304)
        );
        assert_eq!(cursor(&bytes, RunTimeEndian::Big).number(5), None);
        assert_eq!(cursor(&[0; 9], RunTimeEndian::Big).number(9), None);
        assert_eq!(cursor(&[0; 9], RunTimeEndian::Little).number(9), None);
    }

    #[test]
    fn nothing_is_read_beyond_the_end() {
        let mut cursor = cursor(b"ab\0c", RunTimeEndian::Little);
        assert_eq!(cursor.skip_text(), Some(()));
        assert_eq!((cursor.at(), cursor.skip_text()), (3, None));
        assert_eq!((cursor.skip(2), cursor.skip(usize::MAX)), (None, None));
        assert_eq!((cursor.byte(), cursor.is_at_end()), (Some(b'c'), true));
        assert_eq!((cursor.byte(), cursor.moved(9).byte()), (None, None));
    }
}
