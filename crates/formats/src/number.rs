//! Integers, parsed in place.

use super::ParseErrorKind;

/// Reason why a text is no number. Small, since millions of them are passed on without being looked
/// at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberFault {
    NotANumber,
    TooLarge,
}

impl From<NumberFault> for ParseErrorKind {
    fn from(fault: NumberFault) -> Self {
        match fault {
            NumberFault::NotANumber => Self::NotANumber,
            NumberFault::TooLarge => Self::TooLarge,
        }
    }
}

/// Rest of a line that is not read yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a>(pub(super) &'a [u8]);

impl<'a> Cursor<'a> {
    /// Skips blanks; `true` at the end of the line.
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
    pub(super) fn number(&mut self) -> Result<u64, NumberFault> {
        let number = match self.0 {
            [b'0', b'x', rest @ ..] => {
                self.0 = rest;
                self.hexadecimal()?
            }
            _ => self.decimal()?,
        };
        match self.0 {
            // The digits of `12ab` are a number, the word is none.
            [] | [b' ' | b'\t', ..] => Ok(number),
            _ => Err(NumberFault::NotANumber),
        }
    }

    /// The decimal digits that come next; at least one.
    #[inline]
    pub(super) fn decimal(&mut self) -> Result<u64, NumberFault> {
        /// Numbers of this length always fit.
        const SAFE: usize = 19;
        let mut number: u64 = 0;
        let mut length = 0;
        for byte in self.0 {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            // Longer numbers may wrap here and are read again with checks, which most need not pay
            // for.
            number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
            length += 1;
        }
        let (digits, rest) = self.0.split_at(length);
        self.0 = rest;
        match length {
            0 => Err(NumberFault::NotANumber),
            1..=SAFE => Ok(number),
            _ => checked(digits, 10),
        }
    }

    fn hexadecimal(&mut self) -> Result<u64, NumberFault> {
        /// Numbers of this length always fit.
        const SAFE: usize = 16;
        let mut number: u64 = 0;
        let mut length = 0;
        for byte in self.0 {
            let Some(digit) = char::from(*byte).to_digit(16) else {
                break;
            };
            // As above: a longer number is read again.
            number = number << 4 | u64::from(digit);
            length += 1;
        }
        let (digits, rest) = self.0.split_at(length);
        self.0 = rest;
        match length {
            0 => Err(NumberFault::NotANumber),
            1..=SAFE => Ok(number),
            _ => checked(digits, 16),
        }
    }
}

/// Value of digits of this radix; fails at any other byte.
fn checked(digits: &[u8], radix: u32) -> Result<u64, NumberFault> {
    let mut number: u64 = 0;
    for byte in digits {
        let digit = char::from(*byte)
            .to_digit(radix)
            .ok_or(NumberFault::NotANumber)?;
        number = number
            .checked_mul(u64::from(radix))
            .and_then(|number| number.checked_add(u64::from(digit)))
            .ok_or(NumberFault::TooLarge)?;
    }
    Ok(number)
}

/// The number of a text that is nothing but one number with blanks around it.
pub(super) fn single(text: &[u8]) -> Result<u64, NumberFault> {
    let mut cursor = Cursor(text);
    if cursor.at_end() {
        return Err(NumberFault::NotANumber);
    }
    let number = cursor.number()?;
    if cursor.at_end() {
        Ok(number)
    } else {
        Err(NumberFault::NotANumber)
    }
}

/// At most `limit` numbers; missing ones at the end are 0.
pub(super) fn counts(text: &[u8], limit: usize) -> Result<Vec<u64>, ParseErrorKind> {
    let mut cursor = Cursor(text);
    let mut counts = Vec::new();
    while !cursor.at_end() {
        let number = cursor.number()?;
        if counts.len() == limit {
            return Err(ParseErrorKind::TooManyCounts);
        }
        counts.push(number);
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<u64, NumberFault>) {
        assert_eq!(single(text.as_bytes()), expected, "{text:?}");
    }

    #[test]
    fn whole_numbers_only() {
        check("0", Ok(0));
        check(" 18446744073709551615\t", Ok(u64::MAX));
        check("0xff", Ok(255));
        check("0xFFFFFFFFFFFFFFFF", Ok(u64::MAX));
        check("0x0123456789abcdef", Ok(0x0123_4567_89ab_cdef));
        check("0xABCDEF", Ok(0x00ab_cdef));
        check("0x00000000000000001", Ok(1));
        check("18446744073709551616", Err(NumberFault::TooLarge));
        check("0x10000000000000000", Err(NumberFault::TooLarge));
        for text in [
            "", " ", "-1", "+1", "1.5", "1e3", "1,000", "0x", "seven", "1 2",
        ] {
            check(text, Err(NumberFault::NotANumber));
        }
    }
}
