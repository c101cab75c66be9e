//! Integers, parsed in place.

use super::Reason;

/// What of a line is not read yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a>(pub(super) &'a [u8]);

impl<'a> Cursor<'a> {
    /// Leaves out blanks; `true` at the end of the line.
    pub(super) fn at_end(&mut self) -> bool {
        while let [b' ' | b'\t', rest @ ..] = self.0 {
            self.0 = rest;
        }
        self.0.is_empty()
    }

    /// The next word, which ends at a blank.
    pub(super) fn word(&mut self) -> Option<&'a [u8]> {
        if self.at_end() {
            return None;
        }
        let end = self.0.iter().position(|byte| matches!(byte, b' ' | b'\t'));
        let (word, rest) = self.0.split_at(end.unwrap_or(self.0.len()));
        self.0 = rest;
        Some(word)
    }

    /// A whole number, decimal or (`0x`) hexadecimal, that ends at a blank or at the end.
    #[inline]
    pub(super) fn number(&mut self) -> Result<u64, Reason> {
        let number = match self.0 {
            [b'0', b'x', rest @ ..] => {
                self.0 = rest;
                self.digits::<16>()?
            }
            _ => self.digits::<10>()?,
        };
        match self.0 {
            [] | [b' ' | b'\t', ..] => Ok(number),
            _ => Err(Reason::NotANumber),
        }
    }

    /// The digits that come next; at least one.
    #[inline]
    pub(super) fn digits<const RADIX: u64>(&mut self) -> Result<u64, Reason> {
        let bytes = self.0;
        let mut number: u64 = 0;
        let mut length = 0;
        while let Some(digit) = bytes.get(length).and_then(|byte| digit::<RADIX>(*byte)) {
            number = number
                .checked_mul(RADIX)
                .and_then(|number| number.checked_add(digit))
                .ok_or(Reason::TooLarge)?;
            length += 1;
        }
        self.0 = &bytes[length..];
        if length == 0 {
            Err(Reason::NotANumber)
        } else {
            Ok(number)
        }
    }
}

#[inline]
fn digit<const RADIX: u64>(byte: u8) -> Option<u64> {
    let digit = match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'f' if RADIX == 16 => byte - b'a' + 10,
        b'A'..=b'F' if RADIX == 16 => byte - b'A' + 10,
        _ => return None,
    };
    Some(u64::from(digit))
}

/// A text that is one number and nothing else but blanks around it.
pub(super) fn single(text: &[u8]) -> Result<u64, Reason> {
    let mut cursor = Cursor(text);
    if cursor.at_end() {
        return Err(Reason::NotANumber);
    }
    let number = cursor.number()?;
    if cursor.at_end() {
        Ok(number)
    } else {
        Err(Reason::NotANumber)
    }
}

/// At most `limit` numbers; those that are left out at the end are 0.
pub(super) fn counts(text: &[u8], limit: usize) -> Result<Vec<u64>, Reason> {
    let mut cursor = Cursor(text);
    let mut counts = Vec::new();
    while !cursor.at_end() {
        let number = cursor.number()?;
        if counts.len() == limit {
            return Err(Reason::TooManyCounts);
        }
        counts.push(number);
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<u64, Reason>) {
        assert_eq!(single(text.as_bytes()), expected, "{text:?}");
    }

    #[test]
    fn whole_numbers_only() {
        check("0", Ok(0));
        check(" 18446744073709551615\t", Ok(u64::MAX));
        check("0xff", Ok(255));
        check("0xFFFFFFFFFFFFFFFF", Ok(u64::MAX));
        check("18446744073709551616", Err(Reason::TooLarge));
        check("0x10000000000000000", Err(Reason::TooLarge));
        for text in [
            "", " ", "-1", "+1", "1.5", "1e3", "1,000", "0x", "seven", "1 2",
        ] {
            check(text, Err(Reason::NotANumber));
        }
    }
}
