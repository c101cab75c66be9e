//! Characters that hide in a text, or turn it around.

/// Characters, beside controls, that are not seen or change how others are seen: directions of
/// text, joiners, blanks without width, fillers, tags and line ends.
const INVISIBLE: [(char, char); 17] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff9}', '\u{fffb}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// Is the character one that is not seen, or that changes how others are seen? Controls are none of
/// these.
pub fn is_invisible(character: char) -> bool {
    let mut ranges = INVISIBLE.iter();
    ranges.any(|(first, last)| (*first..=*last).contains(&character))
}
