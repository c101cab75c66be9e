//! Literals by what they say.

use crate::code::ToTokens;
use crate::tokens::{Literal, TokenStream, TokenTree};

/// The value of a literal.
pub(crate) enum Value {
    Bool(bool),
    Int(u128),
    /// Digits in base 10, with `.` and `e` where they are written.
    Float(String),
    Text(Text),
    /// A character, a byte, or a text of bytes or of C; what is no UTF-8 in it is replaced.
    Characters(String),
    /// A number that no type has.
    Other,
}

/// A text with its literal.
#[derive(Clone)]
pub(crate) struct Text {
    pub value: String,
    literal: Literal,
}

impl ToTokens for Text {
    fn to_tokens(&self) -> TokenStream {
        TokenTree::Literal(self.literal.clone()).into()
    }
}

impl Value {
    pub(crate) fn of(literal: &Literal) -> Self {
        let written = literal.to_string();
        let lossy = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let kind = written.find(['"', '\'']).map(|quote| {
            let (prefix, quoted) = written.split_at(quote);
            (prefix.trim_end_matches('#'), quoted)
        });
        match kind {
            None => number(&written),
            Some(("b", quoted)) if quoted.starts_with('\'') => {
                let byte = unescaped(quoted).first().copied();
                Self::Characters(byte.map(char::from).into_iter().collect())
            }
            Some(("", quoted)) if quoted.starts_with('\'') => {
                Self::Characters(lossy(unescaped(quoted)))
            }
            Some((prefix, quoted)) => {
                let text = match prefix.contains('r') {
                    true => raw(quoted).to_owned(),
                    false => lossy(unescaped(quoted)),
                };
                match prefix {
                    "" | "r" => Self::Text(Text {
                        value: text,
                        literal: literal.clone(),
                    }),
                    _ => Self::Characters(text),
                }
            }
        }
    }
}

/// A number without its suffix. A suffix of a float makes none of digits alone: `1f64` is written as a whole number.
fn number(written: &str) -> Value {
    let plain = written.replace('_', "");
    let (base, digits) = match plain.get(..2) {
        Some("0x") => (16, &plain[2..]),
        Some("0o") => (8, &plain[2..]),
        Some("0b") => (2, &plain[2..]),
        _ => (10, plain.as_str()),
    };
    let end = digits.find(|c: char| !c.is_digit(base));
    let (whole, rest) = digits.split_at(end.unwrap_or(digits.len()));
    let is_exponent = |rest: &str| {
        let rest = rest.strip_prefix(['e', 'E']);
        let rest = rest.map(|rest| rest.strip_prefix(['+', '-']).unwrap_or(rest));
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    if base == 10 && (rest.starts_with('.') || is_exponent(rest)) {
        let end = rest.find(['f']).unwrap_or(rest.len());
        let float = format!("{whole}{}", &rest[..end]);
        return Value::Float(float.to_ascii_lowercase().replace('+', ""));
    }
    u128::from_str_radix(whole, base).map_or(Value::Other, Value::Int)
}

/// What stands between the quotes of a raw text, behind which the same number of `#` stands as before it.
fn raw(quoted: &str) -> &str {
    let text = &quoted[1..];
    text.rfind('"').map_or(text, |end| &text[..end])
}

/// What stands between quotes, without escapes.
fn unescaped(quoted: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut chars = quoted.chars();
    let quote = chars.next();
    while let Some(char) = chars.next() {
        let char = match char {
            end if Some(end) == quote => break,
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some('0') => '\0',
                Some('x') => {
                    let digits: String = chars.by_ref().take(2).collect();
                    bytes.extend(u8::from_str_radix(&digits, 16));
                    continue;
                }
                Some('u') => {
                    let braces = chars.by_ref().take_while(|c| *c != '}');
                    let digits: String = braces.filter(|c| c.is_ascii_hexdigit()).collect();
                    let code = u32::from_str_radix(&digits, 16).ok();
                    code.and_then(char::from_u32).unwrap_or_default()
                }
                // The end of a line, and the spaces before the next.
                Some('\n' | '\r') => {
                    let rest = chars.as_str().trim_start_matches([' ', '\n', '\r', '\t']);
                    chars = rest.chars();
                    continue;
                }
                Some(escaped) => escaped,
                None => break,
            },
            char => char,
        };
        bytes.extend(char.to_string().bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use syn::Lit;

    use super::*;

    /// What `syn` finds in it.
    fn expected(literal: Literal) -> String {
        match Lit::new(literal) {
            Lit::Int(number) => format!("int {}", number.base10_digits()),
            Lit::Float(number) => format!("float {}", number.base10_digits()),
            Lit::Str(text) => format!("text {}", text.value()),
            Lit::Char(char) => format!("characters {}", char.value()),
            Lit::Byte(byte) => format!("characters {}", char::from(byte.value())),
            Lit::ByteStr(text) => format!("characters {}", String::from_utf8_lossy(&text.value())),
            Lit::CStr(text) => format!("characters {}", text.value().to_string_lossy()),
            _ => "other".to_owned(),
        }
    }

    #[test]
    fn literals_say_what_they_say() {
        for text in [
            "0",
            "1",
            "1_000u64",
            "0xff",
            "0xFF_u8",
            "0o17",
            "0b1_0",
            "1f64",
            "1_f32",
            "0xe",
            "1e3",
            "1E3",
            "1.",
            "1.5",
            "1.5f32",
            "1.5_f64",
            "1.5e-3f64",
            "1e+10",
            "2.5E+1_0",
            "1_0.0_1",
            "0x1f32",
            "7usize",
            "3e0",
            "340282366920938463463374607431768211455",
            "\"\"",
            "\"a\"",
            "\"größe 🦀\"",
            "\"a\\n\\t\\r\\0\\\\\\\"'\"",
            "\"\\x41\\u{e4}\\u{1F9_80}\"",
            "\"a\\\n   b\"",
            "r\"a\\n\"",
            "r#\"a\"b\"#",
            "r##\"a\"#b\"##",
            "\"a#\"",
            "\"#'#\"",
            "'a'",
            "'\"'",
            "'\\''",
            "'\\n'",
            "'ß'",
            "'\\u{df}'",
            "'#'",
            "b'a'",
            "b'\\xff'",
            "b'\\\\'",
            "b'\\''",
            "b'\"'",
            "b\"ab c\"",
            "b\"\\xff\\x41\"",
            "br\"a\\n\"",
            "br#\"\"\"#",
            "c\"ab\"",
            "c\"\\xc3\\xa4\"",
            "cr\"a\\n\"",
        ] {
            let tokens: TokenStream = text.parse().unwrap();
            let Some(TokenTree::Literal(literal)) = tokens.into_iter().next() else {
                panic!("{text} is no literal");
            };
            let found = match Value::of(&literal) {
                Value::Int(number) => format!("int {number}"),
                Value::Float(digits) => format!("float {digits}"),
                Value::Text(text) => format!("text {}", text.value),
                Value::Characters(text) => format!("characters {text}"),
                Value::Bool(_) | Value::Other => "other".to_owned(),
            };
            assert_eq!(found, expected(literal), "{text}");
        }
    }

    #[test]
    fn a_number_that_no_type_has_is_none() {
        let literal: Literal = "340282366920938463463374607431768211456".parse().unwrap();
        assert!(matches!(Value::of(&literal), Value::Other));
    }
}
