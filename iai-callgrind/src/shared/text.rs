//! Texts in cold code.
//!
//! Users compile what stands here. The standard library has the same for many kinds of texts, optimized for long
//! ones, which is some twenty times as much code.

/// The text as a `String`.
#[must_use]
#[inline(never)]
pub fn owned(text: &str) -> String {
    text.to_owned()
}

/// The parts as one text, with `between` them.
#[must_use]
pub fn joined(parts: &[String], between: &str) -> String {
    let mut text = String::new();
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            text.push_str(between);
        }
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
