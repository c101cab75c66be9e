//! Colors of terminals in texts of others.

/// Begin of a sequence of a terminal.
const ESCAPE: char = '\u{1b}';

/// Text of others, such as the output of a benchmark that failed, without its colors. Who shows it
/// has to escape what is left.
#[must_use]
pub fn without_colors(output: &str) -> String {
    let mut plain = String::with_capacity(output.len());
    let mut rest = output;
    while let Some(place) = rest.find(ESCAPE) {
        plain.push_str(&rest[..place]);
        rest = &rest[place..];
        let length = color(rest).map(|codes| 3 + codes.len());
        // No color: it stays, and is shown as an escape.
        if length.is_none() {
            plain.push(ESCAPE);
        }
        rest = &rest[length.unwrap_or(1)..];
    }
    plain + rest
}

/// The codes of the color with which a text begins: `1;91`.
#[must_use]
pub fn color(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(ESCAPE)?.strip_prefix('[')?;
    let is_code = |byte: &u8| matches!(byte, b'0'..=b'9' | b';' | b':');
    let (codes, rest) = rest.split_at(rest.bytes().take_while(is_code).count());
    rest.starts_with('m').then_some(codes)
}
