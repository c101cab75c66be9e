//! Words: which of them are names.

use crate::tokens::{Ident, Span};

/// Words that are no names, in any edition. Others are keywords in some places only.
const KEYWORDS: [&str; 52] = [
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield", "_",
];

/// Is the word a keyword, and so no name?
pub(crate) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// May a name have this character behind its first one?
pub(crate) fn is_part_of_name(char: char) -> bool {
    // Reading it as tokens would be an error of the compiler in the user's file.
    let name = format!("x{char}");
    std::panic::catch_unwind(|| Ident::new(&name, Span::call_site())).is_ok()
}

/// Operators of several characters, those first that begin with another one.
const OPERATORS: [&str; 24] = [
    "<<=", ">>=", "...", "..=", "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=",
    "*=", "/=", "%=", "^=", "&=", "|=", "<<", ">>", "..",
];

/// The length of the longest operator at the beginning of a text that begins with one.
pub(crate) fn operator_length(text: &str) -> usize {
    // Most operators are a character before something else.
    if let [_, second, ..] = text.as_bytes() {
        if second.is_ascii_punctuation() {
            for operator in OPERATORS {
                if text.starts_with(operator) {
                    return operator.len();
                }
            }
        }
    }
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `syn` has the same words.
    #[test]
    fn keywords_are_no_names() {
        for word in KEYWORDS {
            assert!(syn::parse_str::<Ident>(word).is_err(), "{word}");
        }
        for word in [
            "a", "r#type", "union", "auto", "raw", "gen", "default", "größe", "__",
        ] {
            assert!(!is_keyword(word), "{word}");
            assert!(syn::parse_str::<Ident>(word).is_ok(), "{word}");
        }
    }

    #[test]
    fn characters_of_names() {
        for (char, expected) in [
            ('a', true),
            ('ß', true),
            ('1', true),
            ('-', false),
            ('½', false),
            ('²', false),
        ] {
            assert_eq!(is_part_of_name(char), expected, "{char}");
        }
    }
}
