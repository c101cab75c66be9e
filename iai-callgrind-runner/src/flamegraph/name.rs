//! Names of functions in a picture.
//!
//! Callgrind adds to a name the level of a recursion (`fib'2`) and, with `--separate-callers`, the
//! callers (`shared'dear'main`). Both make the costs exact and are no part of the name.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::parse::callgrind::CallGraph;

/// Callgrind's name of code without a name.
const NO_NAME: &str = "???";

/// A name without Callgrind's suffixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlainName<'a> {
    pub(super) name: &'a [u8],
    /// The function is the second level of a recursion, or a deeper one.
    pub(super) nested: bool,
}

/// The names of all functions of a graph, without Callgrind's suffixes.
pub(super) fn plain(graph: &CallGraph) -> Vec<PlainName<'_>> {
    let functions = || (0..graph.functions.len()).map(|function| graph.name(function));
    // Only suffixes that are names themselves are cut: other names may contain quotes.
    let known: HashSet<&[u8]> = functions()
        .map(|name| &name[..memchr::memchr(b'\'', name).unwrap_or(name.len())])
        .collect();
    functions()
        .map(|name| without_suffixes(name, &known))
        .collect()
}

fn without_suffixes<'a>(mut name: &'a [u8], known: &HashSet<&[u8]>) -> PlainName<'a> {
    let mut nested = false;
    while let Some(quote) = memchr::memrchr(b'\'', name).filter(|quote| *quote > 0) {
        let suffix = &name[quote + 1..];
        let is_level = is_level(suffix);
        if !is_level && !known.contains(suffix) {
            break;
        }
        nested = is_level;
        name = &name[..quote];
    }
    PlainName { name, nested }
}

/// Is this the level of a recursion, `2` and above?
fn is_level(suffix: &[u8]) -> bool {
    let digits = suffix.iter().all(u8::is_ascii_digit);
    digits && !matches!(suffix, [] | [b'0', ..] | b"1")
}

/// The text of a frame. Code without a name gets the name of its object.
pub(super) fn text(plain: PlainName<'_>, object: &[u8]) -> String {
    let name = printable(plain.name);
    if !name.is_empty() && name != NO_NAME && !name.starts_with("0x") {
        return name.into_owned();
    }
    let object = object.rsplit(|byte| *byte == b'/').next().unwrap_or(object);
    let name = if name.is_empty() { NO_NAME } else { &name };
    format!("{name} [{}]", printable(object))
}

/// The text without control characters, which neither XML nor a line can have.
pub(super) fn printable(bytes: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    match text.chars().any(char::is_control) {
        true => text.replace(char::is_control, "\u{fffd}").into(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: &str, nested: bool) {
        let known = ["main", "(below main)", "fib", "shared", "dear", "0x1ab70"];
        let known = known.iter().map(|name| name.as_bytes()).collect();
        let name = without_suffixes(name.as_bytes(), &known);
        let expected = PlainName {
            name: expected.as_bytes(),
            nested,
        };
        assert_eq!(name, expected);
    }

    #[test]
    fn levels_and_callers_are_no_part_of_a_name() {
        check("fib", "fib", false);
        check("fib'2", "fib", true);
        check("fib'12", "fib", true);
        check("fib'2'main'(below main)'0x1ab70", "fib", true);
        check("shared'dear'main", "shared", false);
        check("main'main'2", "main", false);
    }

    #[test]
    fn other_quotes_are() {
        for name in [
            "<V as Visit<'_>>::step",
            "fib'1",
            "fib'02",
            "fib'",
            "'2",
            "for<'a> fn(&'a str)",
            "main'other",
        ] {
            check(name, name, false);
        }
    }

    #[test]
    fn texts_can_be_shown() {
        let text = |name: &[u8]| {
            text(
                PlainName {
                    name,
                    nested: false,
                },
                b"/usr/lib/libc.so.6",
            )
        };
        assert_eq!(text(b"caf\xe9 12"), "caf\u{fffd} 12");
        assert_eq!(text(b"a\tb\x01"), "a\u{fffd}b\u{fffd}");
        assert_eq!(text(b"0x1ab70"), "0x1ab70 [libc.so.6]");
        assert_eq!(text(b""), "??? [libc.so.6]");
        assert_eq!(text(b"semi;colon"), "semi;colon");
    }
}
