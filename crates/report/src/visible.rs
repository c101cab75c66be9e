//! Escapes untrusted text on a terminal: characters that would move the cursor, hide or turn around
//! other text, or set the title or the clipboard, are shown as an escape, such as `\u{202e}`.
//!
//! All results and messages pass through here on their way to stdout and stderr, so names of files,
//! labels, arguments and texts of errors need no care of their own. The colors of this program
//! pass. What a benchmark prints while its output is shown does not come here. JSON has escapes of
//! its own, with which its texts stay what they are.

use std::borrow::Cow;

use base::colors::color;
pub use base::colors::without_colors;
use base::invisible::is_invisible;

/// The longest sentence that is shown whole, in characters.
pub(crate) const LONGEST_TEXT: usize = 1000;

/// The text as a terminal may have it.
pub fn visible(text: &str) -> Cow<'_, str> {
    let escaped = |c: char, out: &mut String| match c {
        '\r' => *out += "\\r",
        c => out.extend(c.escape_unicode()),
    };
    with_escapes(text, own_color, escaped)
}

/// The length of the color of ours that this text begins with, if there is one.
pub(super) fn own_color(text: &str) -> Option<usize> {
    let codes = color(text).filter(|codes| is_own_color(codes))?;
    // `ESC [ codes m`
    Some(3 + codes.len())
}

/// JSON as a terminal may have it. Other characters than those of ASCII stand in its texts alone,
/// where an escape means the same.
pub fn visible_json(json: &[u8]) -> Cow<'_, [u8]> {
    let Ok(text) = std::str::from_utf8(json) else {
        return Cow::Borrowed(json);
    };
    let escaped = |c: char, out: &mut String| {
        // JSON escapes units of UTF-16: a character beyond the first plane takes two.
        for unit in c.encode_utf16(&mut [0; 2]) {
            *out += &format!("\\u{unit:04x}");
        }
    };
    match with_escapes(text, |_| None, escaped) {
        Cow::Borrowed(_) => Cow::Borrowed(json),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// The text with escapes. `passes`: the length of the beginning of a text that is not escaped,
/// whatever is in it.
fn with_escapes<'a>(
    text: &'a str,
    passes: impl Fn(&str) -> Option<usize>,
    escape: impl Fn(char, &mut String),
) -> Cow<'a, str> {
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    // Most texts are nothing else. Without a way out of a block the processor looks at many bytes
    // at once.
    let block = |block: &[u8]| {
        block
            .iter()
            .fold(true, |plain, byte| plain & is_plain(byte))
    };
    if text.as_bytes().chunks(64).all(block) {
        return Cow::Borrowed(text);
    }
    let plain = |text: &str| text.bytes().take_while(is_plain).count();
    let mut rest = text;
    let mut shown = String::new();
    let mut before = ' ';
    loop {
        let length = plain(rest);
        shown.push_str(&rest[..length]);
        before = rest[..length].chars().next_back().unwrap_or(before);
        rest = &rest[length..];
        let Some(c) = rest.chars().next() else {
            return Cow::Owned(shown);
        };
        let passing = passes(rest).or_else(|| is_visible(c, before).then_some(c.len_utf8()));
        match passing {
            Some(length) => shown.push_str(&rest[..length]),
            None => escape(c, &mut shown),
        }
        // A joiner behind an escape has nothing to join, so it is escaped as well.
        before = passing.map_or(' ', |_| c);
        rest = &rest[passing.unwrap_or(c.len_utf8())..];
    }
}

/// Long texts without their middle.
pub(crate) fn short(text: &str, longest: usize) -> String {
    let length = text.chars().count();
    if length <= longest {
        return text.to_owned();
    }
    let half = longest / 2;
    let start: String = text.chars().take(half).collect();
    let end: String = text.chars().skip(length - half).collect();
    format!("{start}...{end}")
}

/// Text of a record on one line, without anything that a terminal obeys, and without its middle if
/// it would take the place of everything else.
pub(super) fn one_line(text: &str) -> Cow<'_, str> {
    let line = whole_line(text);
    // Bytes are a quick look: there are at least as many as characters, which `short` counts.
    match text.len() > LONGEST_TEXT {
        true => Cow::Owned(short(&line, LONGEST_TEXT)),
        false => line,
    }
}

fn whole_line(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| matches!(c, ' '..='~');
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let text = without_colors(text);
    let text = visible(&text).replace('\n', "\\n").replace('\t', "\\t");
    Cow::Owned(text)
}

/// Are these the codes of a color of ours, or those of its end?
pub(super) fn is_own_color(codes: &str) -> bool {
    // Codes of `text/paint.rs`, whose test checks that each of them is here.
    let is_ink = |code: &str| matches!(code, "31" | "32" | "33" | "34" | "36" | "90" | "91" | "92");
    match codes.split_once(';') {
        None => matches!(codes, "0" | "1" | "2") || is_ink(codes),
        Some((bold, color)) => bold == "1" && is_ink(color),
    }
}

fn is_visible(c: char, before: char) -> bool {
    match c {
        '\n' | '\t' => true,
        // Behind other characters than those of ASCII they are a part of these: of an emoji, or of
        // a word.
        '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' if !before.is_ascii() => true,
        c => !c.is_control() && !is_invisible(c),
    }
}

#[cfg(test)]
mod tests {
    use proptest::{prop_assert, prop_assert_eq, proptest};

    use super::*;

    #[test]
    fn what_a_terminal_would_obey_or_hide_is_shown() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            assert_eq!(visible(text), expected);
            assert_eq!(visible(expected), expected);
        }
        check("plain: 1|2\n\tnext\n", "plain: 1|2\n\tnext\n");
        check("grün µs → ✓", "grün µs → ✓");
        check("a\u{202e}b\u{2066}c", "a\\u{202e}b\\u{2066}c");
        check("zero\u{200b}width\u{feff}", "zero\\u{200b}width\\u{feff}");
        check("x\u{e0041}", "x\\u{e0041}");
        check("a\u{2028}b\u{85}c", "a\\u{2028}b\\u{85}c");
        check("done\rerror", "done\\rerror");
        check("\x1b]0;title\x07", "\\u{1b}]0;title\\u{7}");
        check("\x1b]52;c;ZXZpbA==\x1b\\", "\\u{1b}]52;c;ZXZpbA==\\u{1b}\\");
        check("\x1b[2J\u{9b}2J\x7f", "\\u{1b}[2J\\u{9b}2J\\u{7f}");
        // Hidden text is no color of ours.
        check("\x1b[8mhidden\x1b[0m", "\\u{1b}[8mhidden\x1b[0m");
    }

    proptest! {
        #[test]
        fn nothing_is_left_to_hide(text in "([a-zé👩 \n\r]|\x1b|\x1b\\[(1;91|8|0|2J|m)|\\PC|\\pC){0,40}") {
            let shown = visible(&text).into_owned();
            prop_assert_eq!(visible(&shown), shown.as_str());
            let plain = without_colors(&shown);
            let is_odd = |c: char| c.is_control() && c != '\n' && c != '\t';
            prop_assert!(!plain.contains(is_odd) && !plain.contains('\u{202e}'), "{:?}", plain);
            let is_plain = |c: char| c == '\n' || (' '..='~').contains(&c);
            if text.chars().all(is_plain) {
                prop_assert_eq!(shown, text);
            }
        }
    }

    #[test]
    fn long_texts_of_records_lose_their_middle() {
        assert_eq!(one_line("a\n\tb"), "a\\n\\tb");
        assert_eq!(one_line(&"a".repeat(LONGEST_TEXT)).len(), LONGEST_TEXT);
        for character in ["a", "ä", "\u{202e}"] {
            let text = one_line(&character.repeat(200_000)).into_owned();
            assert_eq!(text.chars().count(), LONGEST_TEXT + 3);
            assert!(text.contains("..."));
        }
    }

    #[test]
    fn json_means_the_same() {
        for text in [
            "plain",
            "grün ✓",
            "a\u{202e}b\u{e0041}c\u{7f}\u{9b}",
            "👩\u{200d}💻\u{200b}",
        ] {
            let json = serde_json::to_vec(&serde_json::json!({ "a": text })).unwrap();
            let shown = visible_json(&json);
            let read: serde_json::Value = serde_json::from_slice(&shown).unwrap();
            assert_eq!(read["a"], text);
            let shown = std::str::from_utf8(&shown).unwrap();
            assert_eq!(visible(shown), shown);
        }
    }

    #[test]
    fn our_colors_and_joined_emojis_stay() {
        for text in [
            "\x1b[1;91m+5%\x1b[0m|\x1b[90m(No change)\x1b[0m\n",
            "⚠\u{fe0f} 👩\u{200d}💻",
        ] {
            assert_eq!(visible(text), text);
        }
        assert_eq!(visible("ir\u{200d}"), "ir\\u{200d}");
        assert_eq!(visible("ir\u{fe0f}"), "ir\\u{fe0f}");
    }

    #[test]
    fn output_loses_its_colors_and_nothing_else() {
        #[track_caller]
        fn check(output: &str, expected: &str) {
            assert_eq!(without_colors(output), expected);
        }
        check("plain", "plain");
        check(
            "\x1b[31mred\x1b[0m and \x1b[38;5;9mother\x1b[m",
            "red and other",
        );
        check("\x1b]0;title\x07\x1b[2J", "\x1b]0;title\x07\x1b[2J");
        check("end \x1b", "end \x1b");
        check("end \x1b[3", "end \x1b[3");
    }
}
