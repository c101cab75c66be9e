//! Texts in cold code.
//!
//! Users compile what stands here. The standard library has the same for many kinds of texts, optimized for long
//! ones, which is some twenty times as much code.

use std::fmt::{self, Write};

/// `format!`, whose expansion asks each time whether there is anything to be formatted at all.
macro_rules! formatted {
    ($($part:tt)*) => {
        $crate::shared::text::written(::core::format_args!($($part)*))
    };
}

pub(crate) use formatted;

/// The text as a `String`, for `formatted!`.
#[must_use]
#[inline(never)]
pub fn written(text: fmt::Arguments<'_>) -> String {
    let mut out = String::new();
    let _ = out.write_fmt(text);
    out
}

/// Adds a text to others.
#[inline(never)]
pub fn push(texts: &mut Vec<String>, text: fmt::Arguments<'_>) {
    texts.push(written(text));
}

/// The text as a `String`.
#[must_use]
#[inline(never)]
pub fn owned(text: &str) -> String {
    text.to_owned()
}

/// The parts as one text, with `between` them.
#[must_use]
pub fn joined(parts: &[String], between: &str) -> String {
    let Some((first, rest)) = parts.split_first() else {
        return String::new();
    };
    let mut text = owned(first);
    for part in rest {
        text.push_str(between);
        text.push_str(part);
    }
    text
}

/// The number that the text is, as the standard library reads it.
#[must_use]
pub fn number(text: &str) -> Option<u64> {
    let mut digits = text.as_bytes();
    if let [b'+', rest @ ..] = digits {
        digits = rest;
    }
    let mut number: u64 = 0;
    for byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number = number.checked_mul(10)?.checked_add(u64::from(digit))?;
    }
    (!digits.is_empty()).then_some(number)
}

/// The first place of an ASCII character in the text.
#[must_use]
pub fn place(text: &str, character: u8) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut place = 0;
    while *bytes.get(place)? != character {
        place += 1;
    }
    Some(place)
}

/// The parts before and behind the first place of an ASCII character.
#[must_use]
pub fn parts(text: &str, character: u8) -> Option<(&str, &str)> {
    let place = place(text, character)?;
    Some((&text[..place], &text[place + 1..]))
}

/// Is `part` a part of the text?
#[must_use]
pub fn contains(text: &str, part: &str) -> bool {
    let (mut text, part) = (text.as_bytes(), part.as_bytes());
    while text.len() >= part.len() {
        if text.starts_with(part) {
            return true;
        }
        match text.split_first() {
            Some((_, rest)) => text = rest,
            None => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_texts() {
        for (text, part) in [
            ("", ""),
            ("a", ""),
            ("abc", "bc"),
            ("aab", "ab"),
            ("ä", "ä"),
        ] {
            assert!(contains(text, part), "{text} {part}");
        }
        for (text, part) in [("", "a"), ("ab", "abc"), ("abc", "ac")] {
            assert!(!contains(text, part), "{text} {part}");
        }
    }

    #[test]
    fn places_of_characters() {
        assert_eq!(parts("ä=b=c", b'='), Some(("ä", "b=c")));
        assert_eq!(parts("=", b'='), Some(("", "")));
        assert_eq!(parts("ä", b'='), None);
    }

    #[test]
    fn numbers() {
        for text in [
            "0",
            "0120",
            "18446744073709551615",
            "18446744073709551616",
            "184467440737095516150",
            "",
            "+1",
            "+",
            "++1",
            "-1",
            "1 ",
            "1/",
            "1:",
            "1_0",
        ] {
            assert_eq!(number(text), text.parse().ok(), "{text}");
        }
    }

    #[test]
    fn joined_texts() {
        assert_eq!(joined(&[], ", "), "");
        assert_eq!(joined(&["a".to_owned(), "b".to_owned()], ", "), "a, b");
    }
}
