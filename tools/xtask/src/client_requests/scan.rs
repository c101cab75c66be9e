//! Reads request numbers out of a header of Valgrind as text, without a compiler.
//!
//! In goes the text of a header, out come the enumerators of its `enum { … }` bodies with their
//! values. Three forms occur: `NAME`, which is one more than the one before, `NAME = 0x1001`, and
//! `NAME = VG_USERREQ_TOOL_BASE('M','C') + 256`. Everything else is an error, so that a new form is
//! not overlooked.

use anyhow::{bail, Context, Result};

/// A named number of a header.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Enumerator {
    /// Name as the header spells it.
    pub(super) name: String,
    /// The number of the request.
    pub(super) number: u32,
}

/// All enumerators of a header, in its order.
pub(super) fn enumerators(header: &str) -> Result<Vec<Enumerator>> {
    let text = with_bases(&without_comments(header))?;
    let mut enumerators = Vec::new();
    for body in bodies(&text) {
        let mut next = 0;
        for item in body.split(',').map(str::trim) {
            // There may be a comma after the last one.
            if item.is_empty() {
                continue;
            }
            let (name, number) = match item.split_once('=') {
                Some((name, value)) => (name.trim(), value_of(value.trim())?),
                None => (item, next),
            };
            if !is_name(name) {
                bail!("`{item}` is no enumerator of a form that is known");
            }
            enumerators.push(Enumerator {
                name: name.to_owned(),
                number,
            });
            next = number + 1;
        }
    }
    Ok(enumerators)
}

/// The major and minor version that `valgrind.h` states.
pub(super) fn version(header: &str) -> Result<(u32, u32)> {
    let part = |name: &str| {
        let mut lines = header.lines().filter_map(|line| {
            let mut words = line.split_whitespace();
            let is_it = words.next() == Some("#define") && words.next() == Some(name);
            is_it.then(|| words.next()).flatten()
        });
        let word = lines
            .next()
            .with_context(|| format!("`valgrind.h` does not define `{name}`"))?;
        word.parse::<u32>()
            .with_context(|| format!("`{name}` is `{word}`, which is no number"))
    };
    Ok((part("__VALGRIND_MAJOR__")?, part("__VALGRIND_MINOR__")?))
}

/// A comment becomes a space, as in C: it separates what is beside it.
fn without_comments(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        let (before, comment) = rest.split_at(start);
        let end = if comment.starts_with("/*") {
            "*/"
        } else {
            "\n"
        };
        code.push_str(before);
        code.push(' ');
        rest = comment[2..].split_once(end).map_or("", |(_, after)| after);
    }
    code + rest
}

/// Writes the base of a tool as a number: its two letters in the upper half. Done first, since the
/// macro has a comma of its own.
fn with_bases(text: &str) -> Result<String> {
    const MACRO: &str = "VG_USERREQ_TOOL_BASE(";
    let mut parts = text.split(MACRO);
    let mut written = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (letters, after) = part
            .split_once(')')
            .with_context(|| format!("`{MACRO}` without its `)`"))?;
        match letters.replace(' ', "").as_bytes() {
            [b'\'', a, b'\'', b',', b'\'', b, b'\''] => {
                let base = u32::from(*a) << 24 | u32::from(*b) << 16;
                written.push_str(&format!("{base:#x}"));
            }
            // The macro's definition, and its use by other macros.
            _ => written.push_str(letters),
        }
        written.push_str(after);
    }
    Ok(written)
}

/// Text between the braces of each `enum`.
fn bodies(text: &str) -> impl Iterator<Item = &str> {
    text.split("enum").skip(1).filter_map(|after| {
        let body = after.trim_start().strip_prefix('{')?;
        body.split_once('}').map(|(body, _)| body)
    })
}

/// A sum of numbers and bases of tools.
fn value_of(expression: &str) -> Result<u32> {
    expression.split('+').map(|term| summand(term.trim())).sum()
}

fn summand(term: &str) -> Result<u32> {
    let number = match term.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => term.parse().ok(),
    };
    number.with_context(|| format!("`{term}` is no number of a form that is known"))
}

fn is_name(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(header: &str, expected: &[(&str, u32)]) {
        let found = enumerators(header).expect("the sample is well-formed");
        let found: Vec<_> = found.iter().map(|e| (e.name.as_str(), e.number)).collect();
        assert_eq!(found, expected);
    }

    #[track_caller]
    fn check_error(header: &str, expected: &str) {
        let error = enumerators(header).expect_err("the sample is wrong");
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn numbers_are_given_or_count_on() {
        check(
            "typedef enum { A = 0x1001,\n B = 0x1002, C, D = 7 } Requests;",
            &[("A", 0x1001), ("B", 0x1002), ("C", 0x1003), ("D", 7)],
        );
    }

    #[test]
    fn a_tool_has_a_base_of_two_letters() {
        check(
            "#define VG_USERREQ_TOOL_BASE(a,b) ((unsigned int)(a))\n\
             enum { FIRST = VG_USERREQ_TOOL_BASE('M','C'), SECOND,\n\
             FAR\n  = VG_USERREQ_TOOL_BASE( 'H', 'G' )\n  + 256 + 33, NEXT };",
            &[
                ("FIRST", 0x4d43_0000),
                ("SECOND", 0x4d43_0001),
                ("FAR", 0x4847_0121),
                ("NEXT", 0x4847_0122),
            ],
        );
    }

    #[test]
    fn comments_are_nothing() {
        check(
            "/* enum { NO = 1 } */ enum { /* char*, int */ A = 5, /* B = 6,\n C, */ D,\n\
             // Don't use it, http://x */ E = 7\n F/**/= 9 };",
            &[("A", 5), ("D", 6), ("F", 9)],
        );
    }

    #[test]
    fn several_bodies_and_other_uses_of_the_word() {
        check(
            "enum named; int enumerated; enum { A = 1 } x; enum{B} y;",
            &[("A", 1), ("B", 0)],
        );
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        check_error(
            "enum { A = OTHER }",
            "`OTHER` is no number of a form that is known",
        );
        check_error(
            "enum { A B }",
            "`A B` is no enumerator of a form that is known",
        );
        check_error(
            "enum { A = VG_USERREQ_TOOL_BASE('M' }",
            "`VG_USERREQ_TOOL_BASE(` without its `)`",
        );
    }

    #[test]
    fn the_version_is_two_definitions() {
        let header = "#define __VALGRIND_MAJOR__    3\n#define __VALGRIND_MINOR__    19\n";
        assert_eq!(version(header).unwrap(), (3, 19));
        let error = version("#define __VALGRIND_MAJOR__ 3\n").unwrap_err();
        let expected = "`valgrind.h` does not define `__VALGRIND_MINOR__`";
        assert_eq!(error.to_string(), expected);
    }
}
