//! Tokens between commas, and errors that point at them.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::quote_spanned;

/// An error at a place.
#[derive(Debug)]
pub(crate) struct Mistake {
    pub(crate) span: Span,
    pub(crate) text: String,
}

impl Mistake {
    pub(crate) fn new(span: Span, text: impl Into<String>) -> Self {
        Self {
            span,
            text: text.into(),
        }
    }

    /// The item that makes the compiler say it.
    pub(crate) fn to_error(&self) -> TokenStream {
        let Self { span, text } = self;
        quote_spanned!(*span=> ::core::compile_error!(#text);)
    }
}

/// Context that decides whether a comma ends a part.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parts {
    /// In types every `<` opens a list.
    Types,
    /// In expressions only the one behind `::`, and the first token.
    Expressions,
}

/// The parts between commas. A comma at the end begins no further one.
pub(crate) fn split(tokens: TokenStream, parts: Parts) -> Vec<Vec<TokenTree>> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut all = Vec::new();
    let mut part: Vec<TokenTree> = Vec::new();
    let mut rest = tokens.as_slice();
    while let [token, behind @ ..] = rest {
        let opens = is(token, '<')
            && match parts {
                Parts::Types => true,
                // Elsewhere in an expression `<` compares.
                Parts::Expressions => part
                    .last()
                    .is_none_or(|last| is(last, ':') || is(last, '=')),
            };
        if opens {
            let (list, behind) = rest.split_at(angles(rest));
            part.extend_from_slice(list);
            rest = behind;
            continue;
        }
        rest = behind;
        match is(token, ',') {
            true => all.push(std::mem::take(&mut part)),
            false => part.push(token.clone()),
        }
    }
    if !part.is_empty() {
        all.push(part);
    }
    all
}

/// The number of tokens from a `<` to its `>`, without being misled by `->`.
pub(crate) fn angles(tokens: &[TokenTree]) -> usize {
    let mut depth = 0_usize;
    let mut after_minus = false;
    for (index, token) in tokens.iter().enumerate() {
        if is(token, '<') {
            depth += 1;
        } else if is(token, '>') && !after_minus {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return index + 1;
            }
        }
        after_minus = is(token, '-');
    }
    tokens.len()
}

pub(crate) fn is(token: &TokenTree, expected: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == expected)
}

pub(crate) fn is_word(token: &TokenTree, expected: &str) -> bool {
    matches!(token, TokenTree::Ident(word) if word == expected)
}

/// The content, if these tokens are one list in brackets.
pub(crate) fn in_brackets(tokens: &[TokenTree]) -> Option<TokenStream> {
    match tokens {
        [TokenTree::Group(group)] => match group.delimiter() {
            Delimiter::Bracket => Some(group.stream()),
            // A fragment that was passed to a `macro_rules!` macro.
            Delimiter::None => in_brackets(&group.stream().into_iter().collect::<Vec<_>>()),
            _ => None,
        },
        _ => None,
    }
}

/// The group, if the first token is one of this kind.
pub(crate) fn group(tokens: &[TokenTree], delimiter: Delimiter) -> Option<&Group> {
    match tokens.first() {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[track_caller]
    fn check(tokens: TokenStream, parts: Parts, expected: &[&str]) {
        let found: Vec<String> = split(tokens, parts)
            .into_iter()
            .map(|part| part.into_iter().collect::<TokenStream>().to_string())
            .collect();
        let plain = |text: &str| text.replace(' ', "");
        let found: Vec<String> = found.iter().map(|text| plain(text)).collect();
        let expected: Vec<String> = expected.iter().map(|text| plain(text)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn types_have_commas_in_their_lists() {
        check(
            quote!(HashMap<u8, Vec<(u8, u8)>>, fn(u8) -> Vec<u8>, &str, Box<dyn Fn(u8, u8) -> u8>,),
            Parts::Types,
            &[
                "HashMap<u8,Vec<(u8,u8)>>",
                "fn(u8)->Vec<u8>",
                "&str",
                "Box<dynFn(u8,u8)->u8>",
            ],
        );
    }

    #[test]
    fn expressions_compare_and_call() {
        check(
            quote!(
                a < b,
                c > d,
                f::<u8, u16>(x),
                <A<u8, u8>>::LEN,
                name = <A<u8, u8>>::X,
                1 << 2
            ),
            Parts::Expressions,
            &[
                "a<b",
                "c>d",
                "f::<u8,u16>(x)",
                "<A<u8,u8>>::LEN",
                "name=<A<u8,u8>>::X",
                "1<<2",
            ],
        );
        check(quote!(), Parts::Expressions, &[]);
    }
}
