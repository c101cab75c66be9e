//! Canonical names: their segments, and the short form that people read.

use std::borrow::Cow;

/// Longest name that is shown; the middle of a longer one is left out.
const LONGEST: usize = 300;

/// The segments of a path; `::` inside of brackets does not separate any.
pub(super) fn segments(name: &str) -> Vec<&str> {
    let bytes = name.as_bytes();
    let mut segments = Vec::new();
    let mut depth = 0_usize;
    let mut start = 0;
    let mut index = 0;
    while index < bytes.len() {
        match bytes[index] {
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            // The arrow of a function's type is no bracket.
            b'>' if index > 0 && bytes[index - 1] == b'-' => {}
            // `operator>` of C++ closes a bracket that was never opened.
            b'>' | b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b':' if depth == 0 && bytes.get(index + 1) == Some(&b':') => {
                segments.push(&name[start..index]);
                start = index + 2;
                index += 1;
            }
            _ => {}
        }
        index += 1;
    }
    segments.push(&name[start..]);
    segments
}

/// The crate and the last segment of the trait of `<X as Tr>`.
pub(super) fn implemented_trait(segment: &str) -> Option<(&str, &str)> {
    let inner = segment.strip_prefix('<')?.strip_suffix('>')?;
    let (_, path) = inner.rsplit_once(" as ")?;
    let segments = segments(path);
    let last = segments.last()?;
    // Some have a type that tells them apart: `From<lab::Record>`.
    let last = last.split_once('<').map_or(*last, |(name, _)| name);
    Some((segments[0], last))
}

/// Is this a part of a function that has no name of its own, as `{closure}`?
pub(super) fn is_nameless(segment: &str) -> bool {
    segment.starts_with('{')
}

/// The last segments of a name, with at least `named` of them that are real names.
pub(super) fn last(name: &str, named: usize) -> &str {
    let bytes = name.as_bytes();
    if !bytes
        .iter()
        .any(|byte| matches!(byte, b'<' | b'(' | b'[' | b'{'))
    {
        // Most names have no brackets, and each `::` in them separates segments.
        let separators = (2..bytes.len()).rev();
        let mut starts = separators.filter(|start| bytes[start - 2..*start] == *b"::");
        return &name[starts.nth(named - 1).unwrap_or(0)..];
    }
    let segments = segments(name);
    let mut left = named;
    let mut length = 0;
    for segment in segments.iter().rev() {
        if left == 0 {
            break;
        }
        length += segment.len() + 2;
        left -= usize::from(!is_nameless(segment));
    }
    // The separators are those between the segments: one less than there are.
    let start = name.len().saturating_sub(length.saturating_sub(2));
    &name[start..]
}

/// The name without the crate, if that is the standard library.
pub(super) fn without_std(name: &str) -> &str {
    let crates = ["std::", "core::", "alloc::"];
    let rest = crates.iter().find_map(|prefix| name.strip_prefix(prefix));
    rest.unwrap_or(name)
}

/// Names of Rust's own allocator functions as people know them. Only the compiler and its library
/// say `__rust_alloc`.
const ALLOCATORS: [(&str, &str); 3] = [
    ("__rust_", "alloc"),
    ("__rdl_", "System"),
    ("__rg_", "GlobalAlloc"),
];

/// The name that people know of a function that the compiler makes: `alloc::dealloc` for
/// `__rustc::__rust_dealloc`.
pub fn readable(name: &str) -> Cow<'_, str> {
    let last = last(name, 1);
    // Older compilers give these functions no path, newer ones the crate `__rustc`. With another
    // path it is a function of the user.
    let is_made = last.len() == name.len() || name.starts_with("__rustc::");
    let known = ALLOCATORS.iter().filter(|_| is_made);
    let mut known = known.filter_map(|(prefix, owner)| {
        let function = last.strip_prefix(prefix)?;
        Some(format!("{owner}::{function}").into())
    });
    known.next().unwrap_or(Cow::Borrowed(name))
}

/// The short form of a name: a type and its function, or a crate and its function; of an
/// implementation the trait.
pub(super) fn short(name: &str) -> Cow<'_, str> {
    if let Cow::Owned(readable) = readable(name) {
        return readable.into();
    }
    let last = last(without_std(name), 2);
    if !last.starts_with('<') {
        return last.into();
    }
    let (first, rest) = match segments(last)[..] {
        [first, _, ..] => (first, &last[first.len()..]),
        _ => (last, ""),
    };
    match implemented_trait(first) {
        Some((_, implemented)) => format!("{implemented}{rest}").into(),
        None => last.into(),
    }
}

/// A name that can be shown: of printable characters, and not longer than any screen.
pub(super) fn shown(name: &str) -> String {
    // Names come from executables, and an escape sequence would reach the terminal.
    let name = readable(name).replace(char::is_control, "\u{fffd}");
    if name.chars().count() <= LONGEST {
        return name;
    }
    let part = LONGEST / 2;
    let head: String = name.chars().take(part).collect();
    let tail = name.chars().rev().take(part - 3).collect::<Vec<_>>();
    let tail: String = tail.into_iter().rev().collect();
    format!("{head}...{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_segments() {
        let check = |name: &str, expected: &[&str]| assert_eq!(segments(name), expected);
        check("malloc", &["malloc"]);
        check("lab::sort::{closure}", &["lab", "sort", "{closure}"]);
        check("<a::X as b::Tr>::f", &["<a::X as b::Tr>", "f"]);
        check("<fn(_) -> x::Y as Tr>::f", &["<fn(_) -> x::Y as Tr>", "f"]);
        check("[_]::sort", &["[_]", "sort"]);
        check("a::>b::c", &["a", ">b", "c"]);
        check("", &[""]);
    }

    #[test]
    fn short_names_are_two_segments() {
        let check = |name: &str, expected: &str| assert_eq!(short(name), expected);
        check("malloc", "malloc");
        check("__rustc::__rust_realloc", "alloc::realloc");
        check("__rdl_alloc", "System::alloc");
        check("lab::__rust_alloc", "lab::__rust_alloc");
        check(
            "hashbrown::map::HashMap::rustc_entry",
            "HashMap::rustc_entry",
        );
        check("alloc::str::to_lowercase", "str::to_lowercase");
        check("core::mem::swap", "mem::swap");
        check(
            "<Compound as SerializeMap>::serialize_entry",
            "SerializeMap::serialize_entry",
        );
        check(
            "<std::string::String as std::convert::From<lab::Record>>::from",
            "From::from",
        );
        check(
            "<Map as Iterator>::next::{closure}",
            "Iterator::next::{closure}",
        );
        check("regex::Config::get::{closure}", "Config::get::{closure}");
        check("std::rt", "rt");
        check("{closure}", "{closure}");
        check("a::b", "a::b");
        check("", "");
    }

    #[test]
    fn names_are_printable_and_not_too_long() {
        assert_eq!(shown("lab::f"), "lab::f");
        assert_eq!(shown("a\nb\u{1b}[m"), "a\u{fffd}b\u{fffd}[m");
        let long = format!("lab::{}::end", "ä".repeat(10_000));
        let shown = shown(&long);
        assert_eq!(shown.chars().count(), LONGEST);
        assert!(
            shown.starts_with("lab::ä") && shown.ends_with("ä::end") && shown.contains("ä...ä")
        );
    }
}
