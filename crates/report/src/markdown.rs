//! Untrusted texts in Markdown: nothing in them is read as Markdown or HTML, also inside of a
//! table.

use super::visible::{short, visible, without_colors, LONGEST_TEXT};

/// The longest name or value that is shown whole, in characters.
pub(crate) const LONGEST_CODE: usize = 300;

/// Text as code. What would end the code or the cell of a table is written as a reference of HTML.
pub fn code(text: &str) -> String {
    let text = short(&on_one_line(text), LONGEST_CODE);
    // A `|` ends the cell of a table in code as well, and blanks at the ends of code are dropped.
    let is_plain = !text.is_empty()
        && !text.contains(['`', '|'])
        && !text.starts_with(' ')
        && !text.ends_with(' ');
    match is_plain {
        true => format!("`{text}`"),
        false => format!("<code>{}</code>", referenced(&text)),
    }
}

/// Text in which nothing is Markdown or HTML, and that mentions no user, links to no address and
/// refers to no issue.
pub fn escaped(text: &str) -> String {
    // Cut first, so that no escape is cut in two.
    let text = short(&on_one_line(text), LONGEST_TEXT);
    let mut escaped = String::new();
    for (place, character) in text.char_indices() {
        let rest = &text[place + character.len_utf8()..];
        match character {
            // GitHub makes links of bare addresses and references in the rendered text, where a
            // backslash would be gone. A comment of HTML is an end of the word.
            ':' if rest.starts_with("//") => escaped += ":<!-- -->",
            '.' if ends_with(&escaped, "www") => escaped += "<!-- -->.",
            '-' if ends_with(&escaped, "gh") => escaped += "-<!-- -->",
            '#' => escaped += "\\#<!-- -->",
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' => {
                escaped.push('\\');
                escaped.push(character);
            }
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '&' => escaped += "&amp;",
            '@' => escaped += "@<!-- -->",
            character => escaped.push(character),
        }
    }
    escaped
}

/// Is this the end, in capitals or not? An address begins with `www.`, a reference with `GH-`.
fn ends_with(text: &str, word: &str) -> bool {
    let start = text.len().wrapping_sub(word.len());
    let end = text.get(start..);
    end.is_some_and(|end| end.eq_ignore_ascii_case(word))
}

/// A path in a URL: characters that would end or change the link are percent-encoded.
pub fn address(path: &str) -> String {
    let mut address = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                address.push(char::from(byte));
            }
            byte => address += &format!("%{byte:02X}"),
        }
    }
    address
}

/// The text on one line, as a terminal may have it and without colors.
pub fn on_one_line(text: &str) -> String {
    let text = without_colors(text);
    visible(&text).replace(['\n', '\t'], " ")
}

/// Punctuation of ASCII as references.
fn referenced(text: &str) -> String {
    let mut referenced = String::new();
    for character in text.chars() {
        match character.is_ascii_punctuation() {
            true => referenced += &format!("&#{};", u32::from(character)),
            false => referenced.push(character),
        }
    }
    referenced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_out_of_a_cell() {
        assert_eq!(code("a::b"), "`a::b`");
        assert_eq!(code("a|b`c\n"), "<code>a&#124;b&#96;c </code>");
        assert_eq!(code(""), "<code></code>");
        assert_eq!(escaped("a|<b>[x](y)\n*"), "a\\|&lt;b&gt;\\[x\\](y) \\*");
        assert_eq!(escaped("by @me"), "by @<!-- -->me");
        assert_eq!(
            escaped("https://a.b WWW.c a::b GH-1 gh-2 o/r#1 w.w"),
            "https:<!-- -->//a.b WWW<!-- -->.c a::b GH-<!-- -->1 gh-<!-- -->2 o/r\\#<!-- -->1 w.w"
        );
        assert_eq!(address("a b/(ä).rs"), "a%20b/%28%C3%A4%29.rs");
    }

    #[test]
    fn what_a_browser_would_hide_is_shown() {
        assert_eq!(code("a\u{202e}b\x1b[31m"), "`a\\u{202e}b`");
    }

    #[test]
    fn no_text_fills_the_page() {
        for character in ["a", "`"] {
            let text = code(&character.repeat(2_000_000));
            assert!(text.len() < 2000, "{}", text.len());
        }
        let text = escaped(&"<".repeat(2_000_000));
        assert!(text.len() < 5000 && text.contains("..."), "{}", text.len());
        assert_eq!(code(&"ä".repeat(300)), format!("`{}`", "ä".repeat(300)));
    }
}
