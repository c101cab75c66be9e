//! Numbers and lists of a digest in bytes.

/// Seven bits of a number are in a byte; the eighth marks that more bytes follow.
const MORE: u8 = 0x80;

/// Writes numbers to a buffer.
#[derive(Default)]
pub(super) struct NumberWriter {
    pub(super) bytes: Vec<u8>,
}

impl NumberWriter {
    pub(super) fn number(&mut self, value: impl Into<u64>) {
        let mut value = value.into();
        while value >= u64::from(MORE) {
            self.bytes.push(value as u8 | MORE);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    pub(super) fn signed(&mut self, value: i64) {
        // Zigzag: small negative numbers take few bytes as well.
        self.number(((value << 1) ^ (value >> 63)) as u64);
    }

    pub(super) fn length(&mut self, length: usize) {
        self.number(length as u64);
    }

    /// An index, plus one.
    pub(super) fn optional(&mut self, index: Option<u32>) {
        self.number(index.map_or(0, |index| u64::from(index) + 1));
    }

    pub(super) fn hash(&mut self, hash: u64) {
        self.bytes.extend_from_slice(&hash.to_le_bytes());
    }

    pub(super) fn data(&mut self, data: &[u8]) {
        self.length(data.len());
        self.bytes.extend_from_slice(data);
    }

    pub(super) fn numbers(&mut self, numbers: &[u64]) {
        self.length(numbers.len());
        for number in numbers {
            self.number(*number);
        }
    }
}

/// Reads numbers. `None`: the bytes are at their end, a number is too large, or the model would
/// take more memory than there is.
pub(super) struct NumberReader<'a> {
    pub(super) bytes: &'a [u8],
    /// Bytes that the model may still take.
    pub(super) memory: usize,
}

impl<'a> NumberReader<'a> {
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*byte)
    }

    #[inline]
    pub(super) fn number(&mut self) -> Option<u64> {
        // Most have one byte.
        match self.bytes {
            [byte @ ..MORE, rest @ ..] => {
                self.bytes = rest;
                Some((*byte).into())
            }
            _ => self.longer_number(),
        }
    }

    fn longer_number(&mut self) -> Option<u64> {
        let mut value = 0;
        for (place, byte) in self.bytes.iter().enumerate() {
            let shift = 7 * place as u32;
            let part = u64::from(byte & !MORE);
            // The tenth byte has room for one bit.
            if shift >= u64::BITS || part << shift >> shift != part {
                return None;
            }
            value |= part << shift;
            if byte & MORE == 0 {
                self.bytes = &self.bytes[place + 1..];
                return Some(value);
            }
        }
        None
    }

    pub(super) fn signed(&mut self) -> Option<i64> {
        let value = self.number()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// A number of 32 bits: an index, or a line.
    pub(super) fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    /// An index that was written plus one.
    pub(super) fn optional(&mut self) -> Option<Option<u32>> {
        match self.number()?.checked_sub(1) {
            None => Some(None),
            Some(index) => Some(Some(u32::try_from(index).ok()?)),
        }
    }

    pub(super) fn hash(&mut self) -> Option<u64> {
        let (hash, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(u64::from_le_bytes(*hash))
    }

    pub(super) fn data(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        // Before memory is taken: a damaged length may be any number.
        let (data, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        self.take(length)?;
        Some(data)
    }

    pub(super) fn numbers(&mut self) -> Option<Vec<u64>> {
        let mut numbers = vec![0; self.count::<u64>(1)?];
        for number in &mut numbers {
            *number = self.number()?;
        }
        Some(numbers)
    }

    /// A list; each item takes at least `least` bytes.
    pub(super) fn list<T>(
        &mut self,
        least: usize,
        mut item: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let count = self.count::<T>(least)?;
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            items.push(item(self)?);
        }
        Some(items)
    }

    /// The number of items of a list, each of which takes at least `least` bytes. Reserves memory
    /// for them.
    fn count<T>(&mut self, least: usize) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        // A damaged count must not make us allocate more items than the file can hold.
        if count > self.bytes.len() / least {
            return None;
        }
        self.take(count * size_of::<T>())?;
        Some(count)
    }

    /// Takes memory for the model.
    pub(super) fn take(&mut self, bytes: usize) -> Option<()> {
        self.memory = self.memory.checked_sub(bytes)?;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [u64; 9] = [
        0,
        1,
        127,
        128,
        16_383,
        16_384,
        1 << 32,
        (1 << 63) - 1,
        u64::MAX,
    ];

    fn reader(bytes: &[u8]) -> NumberReader<'_> {
        NumberReader {
            bytes,
            memory: 1000,
        }
    }

    #[test]
    fn numbers_come_back() {
        let mut writer = NumberWriter::default();
        writer.numbers(&EDGES);
        for number in EDGES {
            writer.signed(number as i64);
        }
        let mut reader = reader(&writer.bytes);
        assert_eq!(reader.numbers().unwrap(), EDGES);
        for number in EDGES {
            assert_eq!(reader.signed(), Some(number as i64));
        }
        assert_eq!(reader.number(), None);
    }

    #[test]
    fn numbers_that_are_too_large_are_refused() {
        let mut bytes = [0xff; 11];
        bytes[9] = 2;
        assert_eq!(reader(&bytes).number(), None);
        bytes[9] = 0xff;
        assert_eq!(reader(&bytes).number(), None);
        assert_eq!(reader(&[0xff, 0xff, 0xff, 0xff, 0x10]).small(), None);
        assert_eq!(reader(&[0]).optional(), Some(None));
    }

    #[test]
    fn lists_need_their_bytes_and_the_memory() {
        assert_eq!(reader(&[3, 1, 2]).numbers(), None);
        assert_eq!(reader(&[2, 1, 2]).numbers(), Some(vec![1, 2]));
        let list = vec![200; 201];
        assert_eq!(reader(&list).numbers(), None);
    }
}
