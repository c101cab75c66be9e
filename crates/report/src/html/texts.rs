//! Texts and numbers of a page.

use std::borrow::Cow;

use serde::Serialize;

use super::super::comparison::{json_without_commands, referenced_commands};
use super::super::visible::{visible, without_colors};
use metrics::decimals;

/// Characters of the longest name; the middle of a longer one is left out.
const LONGEST_NAME: usize = 300;

/// Characters of the longest text.
const LONGEST_TEXT: usize = 4000;

/// Text that people can see as it is, of one or several lines.
pub(super) fn plain(text: &str) -> String {
    if text.len() <= LONGEST_TEXT && is_as_seen(text) {
        return text.to_owned();
    }
    let text = without_colors(text);
    let text = visible(&text);
    shortened(&text.replace(is_no_character, "\u{fffd}"), LONGEST_TEXT)
}

/// Is it on one line, and of nothing but characters that everyone sees? So are almost all.
fn is_as_seen(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// Is it a noncharacter, which no text may have by the standard of HTML?
fn is_no_character(character: char) -> bool {
    let code = u32::from(character);
    // The last two code points of each plane end with FFFE and FFFF.
    matches!(code, 0xfdd0..=0xfdef) || code & 0xfffe == 0xfffe
}

/// Name that people can see as it is, on one line.
pub(super) fn name(text: &str) -> String {
    shortened(&on_one_line(text), LONGEST_NAME)
}

/// Text on one line, not longer than this.
pub(super) fn short(text: &str, longest: usize) -> String {
    shortened(&on_one_line(text), longest)
}

fn on_one_line(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST_TEXT && is_as_seen(text) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(plain(text).replace(['\n', '\t'], " "))
}

/// Text as content of an element or of an attribute in quotes.
pub(super) fn html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '&' => escaped += "&amp;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            character => escaped.push(character),
        }
    }
    // The page may be written to the log of a job.
    referenced_commands(&escaped)
}

/// JSON that cannot end the script element that contains it, and is no command in the log of a job.
pub(super) fn json(value: &impl Serialize) -> serde_json::Result<String> {
    // It stands in texts alone, where the escape means the same.
    let json = serde_json::to_string(value)?.replace('<', "\\u003c");
    Ok(json_without_commands(&json))
}

/// A percentage, rounded to the decimals of the terminal.
pub(super) fn rounded(percent: f64) -> f64 {
    let text = format!("{percent:.*}", decimals(percent));
    text.parse().unwrap_or(percent)
}

/// A text with a mark in place of its middle, if it is longer than this.
fn shortened(text: &str, longest: usize) -> String {
    // Characters are not fewer than a fourth of the bytes, and not more than these.
    if text.len() <= longest || text.chars().count() <= longest {
        return text.to_owned();
    }
    // The mark takes the place of one character of the second half, and `nth` counts from 0.
    let half = longest / 2;
    let head = text.char_indices().nth(half);
    let tail = text.char_indices().rev().nth(half.saturating_sub(2));
    let (head, tail) = (head.map_or(0, |it| it.0), tail.map_or(0, |it| it.0));
    format!("{}…{}", &text[..head], &text[tail..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_of_people_and_end_no_element() {
        assert_eq!(
            html("<b>&\"'</script>"),
            "&lt;b&gt;&amp;&quot;&#39;&lt;/script&gt;"
        );
        assert_eq!(
            json(&"</script><!--").unwrap(),
            "\"\\u003c/script>\\u003c!--\""
        );
        assert_eq!(name("a\nb\u{202e}c\u{1b}[31md"), "a b\\u{202e}cd");
        assert_eq!(plain("a\nb"), "a\nb");
    }

    #[test]
    fn long_names_keep_their_ends() {
        let long = format!("app::{}::end", "ä".repeat(10_000));
        let short = name(&long);
        assert_eq!(short.chars().count(), LONGEST_NAME);
        assert!(short.starts_with("app::ä") && short.ends_with("ä::end") && short.contains('…'));
        assert_eq!(short_of(7), "abcdefg");
        assert_eq!(short_of(6), "abc…fg");
        fn short_of(longest: usize) -> String {
            super::short("abcdefg", longest)
        }
    }

    #[test]
    fn percentages_are_rounded_as_in_the_terminal() {
        assert_eq!(rounded(1_506.783_310_9), 1506.78);
        assert_eq!(rounded(-0.123_456_789), -0.12346);
    }
}
