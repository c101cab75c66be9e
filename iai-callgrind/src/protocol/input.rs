//! Arguments of a case as a text that tells them from other ones.
//!
//! The ids of `#[benches]` are numbers, so a case that is inserted moves all others. The text of the
//! arguments is kept with the results, and the runner compares nothing that was measured with others.

use super::json::described;

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

/// FNV-1a, which is the same in every version and on every machine.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_its_authors() {
        // http://www.isthe.com/chongo/tech/comp/fnv/
        assert_eq!(hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash(b"foobar"), 0x8594_4171_f739_67e8);
    }

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
