//! Names of functions without Callgrind's suffixes: the level of a recursion (`fib'2`) and, with
//! `--separate-callers`, the callers (`shared'dear'main`). Both make costs exact and are no part of
//! the name.

use std::collections::HashSet;

/// A name without Callgrind's suffixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlainName<'a> {
    /// Name as the compiler or the debug information has it.
    pub name: &'a [u8],
    /// The function is the second level of a recursion, or a deeper one.
    pub nested: bool,
}

/// Removes Callgrind's suffixes from the names of functions. `names` has to be all names of a
/// profile: a suffix is known by being a name as well.
pub fn plain_names<'a>(names: impl Iterator<Item = &'a [u8]> + Clone) -> Vec<PlainName<'a>> {
    // Only suffixes that are names themselves are cut: other names may contain quotes.
    let known: HashSet<&[u8]> = names
        .clone()
        .map(|name| &name[..memchr::memchr(b'\'', name).unwrap_or(name.len())])
        .collect();
    names.map(|name| without_suffixes(name, &known)).collect()
}

fn without_suffixes<'a>(mut name: &'a [u8], known: &HashSet<&[u8]>) -> PlainName<'a> {
    let mut nested = false;
    // From the end, where Callgrind puts the callers one after the other.
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
}
