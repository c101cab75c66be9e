//! An error about tokens of the user.

use std::fmt;

use crate::code::{code_at, ToTokens};
use crate::syntax::trees;
use crate::tokens::{Literal, Span, TokenStream, TokenTree};

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
    pub(crate) fn new(place: Span, text: impl Into<String>) -> Self {
        Self {
            first: place,
            last: place,
            text: text.into(),
        }
    }

    /// An error that points at all of `place`.
    pub(crate) fn spanning(place: &dyn ToTokens, text: impl Into<String>) -> Self {
        let (first, last) = ends(place);
        Self {
            first,
            last,
            text: text.into(),
        }
    }

    /// `::core::compile_error! { ".." }`. The compiler shows the place from the first of these tokens to the last.
    pub(crate) fn to_compile_error(&self) -> TokenStream {
        let path = code_at!(self.first => ::core::compile_error!);
        let mut text = TokenTree::from(Literal::string(&self.text));
        text.set_span(self.last);
        let braces = code_at!(self.last, text => { #text });
        [path, braces].into_iter().collect()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The places of the first and of the last token; that of the whole macro call if there is none.
fn ends(tokens: &dyn ToTokens) -> (Span, Span) {
    let tokens = trees(tokens.to_tokens());
    match tokens.as_slice() {
        [] => (Span::call_site(), Span::call_site()),
        [first, ..] => (first.span(), tokens[tokens.len() - 1].span()),
    }
}

/// The place of the first token: one that reaches from there to the last one is not to be had from the compiler.
pub(crate) fn place(tokens: &dyn ToTokens) -> Span {
    ends(tokens).0
}
