//! An error about tokens of the user.

use std::fmt;

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Result of what can be wrong.
pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

/// One error with its place, from the first to the last of its tokens.
#[derive(Debug)]
pub(crate) struct Error {
    first: Span,
    last: Span,
    text: String,
}

impl Error {
    pub(crate) fn new(place: Span, text: impl fmt::Display) -> Self {
        Self {
            first: place,
            last: place,
            text: text.to_string(),
        }
    }

    /// An error that points at all of `place`.
    pub(crate) fn spanning(place: impl ToTokens, text: impl fmt::Display) -> Self {
        let (first, last) = ends(place.into_token_stream());
        Self {
            first,
            last,
            text: text.to_string(),
        }
    }

    /// `::core::compile_error! { ".." }`. The compiler shows the place from the first of these tokens to the last.
    pub(crate) fn to_compile_error(&self) -> TokenStream {
        let mut tokens = Vec::new();
        for name in ["core", "compile_error"] {
            tokens.push(punct(':', Spacing::Joint, self.first));
            tokens.push(punct(':', Spacing::Alone, self.first));
            tokens.push(Ident::new(name, self.first).into());
        }
        tokens.push(punct('!', Spacing::Alone, self.first));
        let mut text = Literal::string(&self.text);
        text.set_span(self.last);
        let mut braces = Group::new(Delimiter::Brace, TokenTree::from(text).into());
        braces.set_span(self.last);
        tokens.push(braces.into());
        tokens.into_iter().collect()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn punct(char: char, spacing: Spacing, place: Span) -> TokenTree {
    let mut punct = Punct::new(char, spacing);
    punct.set_span(place);
    punct.into()
}

/// The places of the first and of the last token; that of the whole macro call if there is none.
fn ends(tokens: TokenStream) -> (Span, Span) {
    let mut places = tokens.into_iter().map(|token| token.span());
    let first = places.next().unwrap_or_else(Span::call_site);
    (first, places.last().unwrap_or(first))
}

/// The place of all tokens, or where the compiler cannot tell it, that of the first one.
pub(crate) fn place(tokens: impl ToTokens) -> Span {
    let (first, last) = ends(tokens.into_token_stream());
    first.join(last).unwrap_or(first)
}
