//! Text in the room that a line of a terminal has.
//!
//! In: text that may have the colors of this program. Widths are display widths: some characters
//! take two columns, and others none.

use unicode_width::UnicodeWidthChar;

use super::visible::{own_color, visible};

/// The columns that a text takes, without its colors.
pub fn columns(text: &str) -> usize {
    pieces(&visible(text)).map(|piece| piece.columns).sum()
}

/// A text without its middle, if it is too long: `first...last`. It has no colors.
pub fn cut(text: &str, room: usize) -> String {
    let text = visible(text);
    if columns(&text) <= room {
        return text.into_owned();
    }
    let dots = ".".repeat(room.min(3));
    let kept = room - dots.len();
    let first = begin(text.chars(), kept / 2);
    // The first part may be a column shorter than half, where a wide character did not fit.
    let last = begin(text.chars().rev(), kept - columns(&first));
    let last: String = last.chars().rev().collect();
    format!("{first}{dots}{last}")
}

/// The longest prefix that fits.
fn begin(characters: impl Iterator<Item = char>, room: usize) -> String {
    let mut left = room;
    let fits = |character: &char| match left.checked_sub(of_character(*character)) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    };
    characters.take_while(fits).collect()
}

/// The text at the right edge of this room.
pub fn at_right(text: &str, room: usize) -> String {
    let padding = room.saturating_sub(columns(text));
    format!("{:padding$}{text}", "")
}

/// The text at the left edge of this room.
pub fn at_left(text: &str, room: usize) -> String {
    let padding = room.saturating_sub(columns(text));
    format!("{text}{:padding$}", "")
}

/// Wraps each line of the text at words; continued lines begin with `indent`. Only a word that is
/// longer than a line is broken.
pub fn wrapped(text: &str, width: usize, indent: &str) -> String {
    let text = visible(text);
    let mut shown = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match columns(line) <= width {
            true => shown.push_str(line),
            false => wrap_line(line, width, indent, Words::Broken, &mut shown),
        }
    }
    shown.replace(NO_BREAK, " ")
}

/// A space at which no line breaks. It becomes a usual one.
pub const NO_BREAK: char = '\u{a0}';

/// Wraps the lines of a message. Code between backticks, long paths and output of benchmarks are
/// not broken, so that they can be copied.
pub fn wrapped_message(message: &str, width: usize) -> String {
    let message = visible(message);
    let mut shown = String::with_capacity(message.len());
    for line in message.split_inclusive('\n') {
        if columns(line) <= width || line.starts_with(OUTPUT) {
            shown.push_str(line);
            continue;
        }
        let indent = " ".repeat(line.len() - line.trim_start_matches(' ').len() + 2);
        let pieces = line.split('`').enumerate();
        // Odd pieces are between backticks.
        let pieces = pieces.map(|(index, piece)| match index % 2 {
            // Both backticks need a column each.
            1 if columns(piece) + indent.len() + 2 <= width => piece.replace(' ', NO_BREAK_TEXT),
            _ => piece.to_owned(),
        });
        let line = pieces.collect::<Vec<_>>().join("`");
        wrap_line(&line, width, &indent, Words::Whole, &mut shown);
    }
    shown.replace(NO_BREAK, " ")
}

const NO_BREAK_TEXT: &str = "\u{a0}";

/// The beginning of a line that a benchmark has printed.
const OUTPUT: &str = "  | ";

/// Treatment of words that are longer than a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Words {
    Broken,
    Whole,
}

fn wrap_line(line: &str, width: usize, indent: &str, words: Words, shown: &mut String) {
    let (line, end) = match line.strip_suffix('\n') {
        Some(line) => (line, "\n"),
        None => (line, ""),
    };
    // On a narrow terminal it would leave no room for words.
    let indent = if columns(indent) * 2 > width {
        ""
    } else {
        indent
    };
    // Spaces at the beginning are an indent of the line, and no place for a break.
    let text = line.trim_start_matches(' ');
    let own = line.len() - text.len();
    shown.push_str(&line[..own]);
    let mut used = own;
    // Spaces between two words, which are dropped where a line ends.
    let mut spaces = 0;
    for (index, word) in text.split(' ').enumerate() {
        spaces += usize::from(index > 0);
        if word.is_empty() {
            continue;
        }
        match index > 0 && used + spaces + columns(word) > width {
            true => used = begin_line(indent, shown),
            false => {
                shown.extend(std::iter::repeat_n(' ', spaces));
                used += spaces;
            }
        }
        spaces = 0;
        for piece in pieces(word) {
            if used + piece.columns > width && words == Words::Broken {
                used = begin_line(indent, shown);
            }
            shown.push_str(piece.text);
            used += piece.columns;
        }
    }
    shown.push_str(end);
}

fn begin_line(indent: &str, shown: &mut String) -> usize {
    shown.push('\n');
    shown.push_str(indent);
    columns(indent)
}

/// A character or a color, and the room that it takes.
struct Piece<'a> {
    text: &'a str,
    columns: usize,
}

fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let character = rest.chars().next()?;
        let (length, columns) = match own_color(rest) {
            Some(length) => (length, 0),
            None => (character.len_utf8(), of_character(character)),
        };
        let (text, behind) = rest.split_at(length);
        rest = behind;
        Some(Piece { text, columns })
    })
}

fn of_character(character: char) -> usize {
    match character {
        // A terminal goes to the next of its stops, which are eight columns apart.
        '\t' => 8,
        // It makes an emoji of the character before, which is wider then.
        '\u{fe0f}' => 1,
        character => character.width().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn wide_characters_take_two_columns_and_colors_none() {
        assert_eq!(columns("abc"), 3);
        assert_eq!(columns("漢字"), 4);
        assert_eq!(columns("e\u{301}"), 1);
        assert_eq!(columns("\x1b[1;91m+8%\x1b[0m"), 3);
        // Characters that are shown as an escape have its width.
        assert_eq!(columns("\u{202e}"), 8);
    }

    #[test]
    fn long_texts_lose_their_middle() {
        let check = |text: &str, room, expected: &str| {
            assert_eq!(cut(text, room), expected);
            assert!(columns(expected) <= room);
        };
        check("0123456789", 10, "0123456789");
        check("0123456789", 9, "012...789");
        check("漢字漢字", 7, "漢...字");
        check("0123456789", 2, "..");
        check("0123456789", 0, "");
    }

    #[test]
    fn padding_counts_columns() {
        assert_eq!(at_right("漢", 4), "  漢");
        assert_eq!(at_left("漢", 4), "漢  ");
        assert_eq!(at_right("12345", 4), "12345");
    }

    #[test]
    fn lines_break_between_words() {
        let check = |text: &str, width, expected: &str| {
            assert_eq!(wrapped(text, width, "    "), expected);
        };
        check("one two three\n", 13, "one two three\n");
        check("one two three\n", 12, "one two\n    three\n");
        check("  one two three", 9, "  one two\n    three");
        check("a_word_of_fifteen b", 10, "a_word_of_\n    fiftee\n    n b");
        check(
            "\x1b[1mone two\x1b[0m three",
            8,
            "\x1b[1mone two\x1b[0m\n    thre\n    e",
        );
        check("one\ntwo three four\n", 9, "one\ntwo three\n    four\n");
    }

    #[test]
    fn code_and_output_in_messages_stay_whole() {
        let check = |text: &str, width, expected: &str| {
            assert_eq!(wrapped_message(text, width), expected);
        };
        check("error: it is so\n", 15, "error: it is so\n");
        check(
            "error: it is so\n  hint: write `cargo bench -- a` now\n",
            24,
            "error: it is so\n  hint: write\n    `cargo bench -- a`\n    now\n",
        );
        let path = "  log:  /a/path/that/is/longer/than/a/line\n";
        check(path, 24, "  log:\n    /a/path/that/is/longer/than/a/line\n");
        let output = "  | what a benchmark has printed on a line\n";
        check(output, 24, output);
    }

    #[test]
    fn a_line_does_not_break_at_some_spaces() {
        assert_eq!(wrapped("in 1.56\u{a0}s", 8, ""), "in\n1.56 s");
        assert_eq!(wrapped("1.56\u{a0}s", 8, ""), "1.56 s");
    }

    proptest! {
        #[test]
        fn no_line_is_too_long_and_no_word_is_lost(text in "[a-z漢\u{301}\u{202e} ]{0,200}", width in 20_usize..60) {
            let wrapped = wrapped(&text, width, "      ");
            for line in wrapped.lines() {
                prop_assert!(columns(line) <= width, "{line:?}");
            }
            let bare = |text: &str| text.replace([' ', '\n'], "");
            prop_assert_eq!(bare(&wrapped), bare(&visible(&text)));
            prop_assert!(columns(&cut(&text, width)) <= width);
        }
    }
}
