//! Names, paths and words in the room that a line has.

use crate::room::{columns, cut};

/// A name without leading segments until it fits; if the last one is still too long, its middle is
/// cut.
pub(in crate::text) fn fit_name(name: &str, room: usize) -> String {
    let mut rest = name;
    while columns(rest) > room {
        // The last segment alone may say nothing: `{closure}`, `new`.
        match rest.split_once("::") {
            // `<a::B as c::D>::new` cut at its first `::` would begin inside of the brackets.
            Some((first, shorter)) if shorter.contains("::") && !first.contains('<') => {
                rest = shorter;
            }
            _ => return cut(rest, room),
        }
    }
    rest.to_owned()
}

/// A path without leading folders until it fits.
pub(in crate::text) fn fit_path(path: &str, room: usize) -> String {
    let mut rest = path;
    while columns(rest) > room {
        match rest.split_once('/') {
            Some((_, shorter)) => rest = shorter,
            None => return cut(rest, room),
        }
    }
    rest.to_owned()
}

/// Lines of whole words. What a cause came through is a line of its own where all does not fit on
/// one.
pub fn wrap(text: &str, room: usize) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    if columns(text) <= room {
        return vec![text.to_owned()];
    }
    let (first, rest) = match text.split_once(": ") {
        Some((first, rest)) if first.starts_with("through ") => (format!("{first}:"), rest),
        _ => (String::new(), text),
    };
    let mut lines = match first.is_empty() {
        true => Vec::new(),
        false => words(&first, room),
    };
    lines.extend(words(rest, room));
    lines
}

fn words(text: &str, room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let word = cut(word, room);
        match lines.last_mut() {
            Some(line) if columns(line) + 1 + columns(&word) <= room => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_leading_segments_then_their_middle() {
        let check = |name: &str, room: usize, expected: &str| {
            assert_eq!(fit_name(name, room), expected);
            assert!(expected.chars().count() <= room);
        };
        check("lab::sort::{closure}", 20, "lab::sort::{closure}");
        check("lab::sort::{closure}", 19, "sort::{closure}");
        check("lab::sort::{closure}", 14, "sort:...osure}");
        check("a_function_without_segments", 10, "a_f...ents");
        check("<Type as Trait>::next", 12, "<Typ...:next");
    }

    #[test]
    fn paths_lose_leading_folders() {
        assert_eq!(fit_path("crates/core/src/lib.rs", 12), "src/lib.rs");
        assert_eq!(fit_path("a_very_long_name.rs", 12), "a_ve...me.rs");
    }

    #[test]
    fn words_stay_whole() {
        assert_eq!(wrap("", 10), [""; 0]);
        assert_eq!(wrap("one two", 10), ["one two"]);
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(
            wrap("through a: calls b 1 -> 2 times", 20),
            ["through a:", "calls b 1 -> 2 times"]
        );
        assert_eq!(wrap("unbreakable_word", 9), ["unb...ord"]);
    }
}
