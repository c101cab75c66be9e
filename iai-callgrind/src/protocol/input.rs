//! Arguments of a case as a text that tells them from other ones.
//!
//! The ids of `#[benches]` are numbers, so a case that is inserted moves all others. The text of
//! the arguments is kept with the results, and the runner compares nothing that was measured with
//! others.

use super::json::described;
use crate::shared::hash::hash;

/// The longest text that is kept as it is, in bytes.
const LONGEST: usize = 1000;

/// Bytes at the beginning of a longer text that are kept.
const BEGINNING: usize = 200;

described! {
    /// The arguments of a case.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct Input {
        /// The arguments and the values of const generics as the source has them, however it is
        /// formatted, and without setup and label. A long text is its beginning and a hash.
        pub text: String,
        /// Is the id of the case its place in a list, and not a name?
        pub positional: bool,
    }
}

impl Input {
    /// The arguments with this text.
    #[must_use]
    pub fn new(text: String, positional: bool) -> Self {
        Self {
            text: shortened(text),
            positional,
        }
    }
}

fn shortened(text: String) -> String {
    if text.len() <= LONGEST {
        return text;
    }
    let mut end = BEGINNING;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let beginning = &text[..end];
    let hash = hash(text.as_bytes());
    format!("{beginning}.. ({} bytes, {hash:016x})", text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_that_differ_at_their_end_are_different() {
        let text = |end: &str| Input::new("\u{e4}".repeat(LONGEST) + end, true).text;
        assert_ne!(text("1"), text("2"));
        assert_eq!(text("1"), text("1"));
        assert!(text("1").len() < LONGEST, "{}", text("1"));
        let short = "x".repeat(LONGEST);
        assert_eq!(Input::new(short.clone(), true).text, short);
    }
}
