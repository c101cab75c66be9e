//! Globs: patterns for names of benchmarks, functions and events.
//!
//! In: a pattern and a text. Out: whether the pattern is the whole text. Characters are those of
//! Unicode. Only the last `*` that was reached is tried at other places, so the time is at most the
//! product of both lengths, however many stars there are.

use std::str::Chars;

/// Set of the special characters of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// `*` is any text and `?` one character. Names of functions have brackets: `<[T]>::sort`.
    Stars,
    /// Also `[abc]`, `[a-c]` and, for all others, `[!abc]` or `[^abc]`; `\` takes the next
    /// character as it is. A class that is not closed matches itself literally.
    Shell,
}

impl Syntax {
    /// Can the pattern stand for more than one text?
    #[must_use]
    pub fn is_pattern(self, text: &str) -> bool {
        for byte in text.as_bytes() {
            match byte {
                b'*' | b'?' => return true,
                b'[' if self == Self::Shell => return true,
                _ => {}
            }
        }
        false
    }

    /// Does a pattern match a text from its begin to its end?
    #[must_use]
    pub fn matches(self, pattern: &str, text: &str) -> bool {
        let (mut pattern, mut text) = (pattern.chars(), text.chars());
        // Where to go on if what follows the last `*` turns out not to match: one character later.
        let mut retry: Option<(Chars<'_>, Chars<'_>)> = None;
        loop {
            let (mut next_pattern, mut next_text) = (pattern.clone(), text.clone());
            let Some(c) = next_text.next() else {
                return only_stars(pattern.as_str());
            };
            match self.token(&mut next_pattern) {
                Some(Token::Any) => {
                    retry = Some((next_pattern.clone(), text.clone()));
                    pattern = next_pattern;
                }
                Some(token) if token.takes(c) => (pattern, text) = (next_pattern, next_text),
                _ => match &mut retry {
                    Some((after_star, from)) => {
                        from.next();
                        (pattern, text) = (after_star.clone(), from.clone());
                    }
                    None => return false,
                },
            }
        }
    }

    /// Takes the first token from a pattern.
    fn token<'a>(self, pattern: &mut Chars<'a>) -> Option<Token<'a>> {
        let first = pattern.next()?;
        Some(match (self, first) {
            (_, '*') => Token::Any,
            (_, '?') => Token::One,
            (Self::Shell, '[') => class(pattern).unwrap_or(Token::Open),
            // At the end it stands for itself.
            (Self::Shell, '\\') => Token::Char(pattern.next().unwrap_or('\\')),
            (_, c) => Token::Char(c),
        })
    }
}

/// Does the pattern match the empty text?
fn only_stars(pattern: &str) -> bool {
    for byte in pattern.as_bytes() {
        if *byte != b'*' {
            return false;
        }
    }
    true
}

/// Is every class of a pattern with [`Syntax::Shell`] closed?
#[must_use]
pub fn is_closed(pattern: &str) -> bool {
    let mut rest = pattern.chars();
    while let Some(token) = Syntax::Shell.token(&mut rest) {
        if matches!(token, Token::Open) {
            return false;
        }
    }
    true
}

/// A part of a pattern.
enum Token<'a> {
    /// Any text.
    Any,
    /// Any character.
    One,
    /// This character.
    Char(char),
    /// One of the characters and ranges, or with `!` none of them.
    Class { members: &'a str, negated: bool },
    /// A `[` without its `]`.
    Open,
}

impl Token<'_> {
    fn takes(&self, c: char) -> bool {
        match self {
            Self::Any => false,
            Self::One => true,
            Self::Char(expected) => *expected == c,
            Self::Class { members, negated } => is_member(members, c) != *negated,
            Self::Open => c == '[',
        }
    }
}

fn is_member(members: &str, c: char) -> bool {
    let mut members = members.chars();
    while let Some(low) = members.next() {
        // A dash at the end is a member itself, and no range.
        let mut range = members.clone();
        let high = match (range.next(), range.next()) {
            (Some('-'), Some(high)) => {
                members = range;
                high
            }
            _ => low,
        };
        if (low..=high).contains(&c) {
            return true;
        }
    }
    false
}

/// Takes a class, whose `[` was taken already, together with its `]`.
fn class<'a>(pattern: &mut Chars<'a>) -> Option<Token<'a>> {
    let text = pattern.as_str();
    let others = text.strip_prefix("!").or(text.strip_prefix("^"));
    let members = others.unwrap_or(text);
    // A `]` at the begin is a member.
    let first = members.chars().next()?.len_utf8();
    let end = first + members[first..].find(']')?;
    *pattern = members[end + 1..].chars();
    Some(Token::Class {
        members: &members[..end],
        negated: others.is_some(),
    })
}

#[cfg(test)]
mod tests {
    use super::Syntax::{self, Shell, Stars};
    use super::*;

    #[track_caller]
    fn check(syntax: Syntax, pattern: &str, text: &str, expected: bool) {
        assert_eq!(
            syntax.matches(pattern, text),
            expected,
            "{pattern} on {text}"
        );
    }

    #[test]
    fn stars_and_question_marks() {
        for syntax in [Stars, Shell] {
            check(syntax, "main", "main", true);
            check(syntax, "main", "main2", false);
            check(syntax, "*::wrapper::*", "a::b::wrapper::c", true);
            check(syntax, "*::wrapper::*", "wrapper::c", false);
            check(syntax, "*a*b*", "xaxxabx", true);
            check(syntax, "a*aab", "aaaaaaab", true);
            check(syntax, "?", "", false);
            check(syntax, "**", "", true);
            check(syntax, "", "", true);
            check(syntax, "", "a", false);
        }
    }

    #[test]
    fn characters_are_not_bytes() {
        check(Stars, "f::?", "f::ä", true);
        check(Stars, "f::??", "f::ä", false);
        check(Shell, "f::?", "f::ä", true);
        check(Shell, "[ä-ö]", "é", true);
        check(Shell, "[!ä]", "ä", false);
        check(Shell, "*ü*ß", "über maß", true);
    }

    #[test]
    fn classes() {
        check(Shell, "n_[0-2]", "n_1", true);
        check(Shell, "n_[!0-2]", "n_1", false);
        check(Shell, "n_[^0-2]", "n_3", true);
        check(Shell, "[a-c3-9]", "2", false);
        check(Shell, "[]x]", "]", true);
        check(Shell, "[a-]", "-", true);
        check(Shell, "[x", "[x", true);
        check(Shell, r"a\*", "a*", true);
        check(Shell, r"a\*", "ab", false);
        check(Shell, r"*\*", "ab", false);
        check(Shell, "a\\", "a\\", true);
        // In names of functions they are brackets.
        check(Stars, "<[T]>::*", "<[T]>::sort", true);
        check(Stars, "[ab]", "a", false);
        check(Stars, r"a\*", r"a\b", true);
    }

    #[test]
    fn open_classes_are_seen() {
        for open in ["*[", "[a", "a[]", "a[!]", "a[b]c["] {
            assert!(!is_closed(open), "{open}");
        }
        for closed in ["a", "[a]", "a[]]", r"a\[", "*]", ""] {
            assert!(is_closed(closed), "{closed}");
        }
    }

    /// Trying every place for every star would take longer than anybody waits.
    #[test]
    fn many_stars_take_no_time() {
        let text = "a".repeat(2000);
        let pattern = "*a".repeat(200);
        check(Shell, &format!("{pattern}z"), &text, false);
        check(Shell, &format!("{pattern}*"), &text, true);
    }
}
