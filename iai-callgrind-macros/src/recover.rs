//! Errors are collected, and what the user wrote is emitted all the same.
//!
//! In: errors from every stage. Out: one `compile_error!` for each of them. An item that is emitted
//! together with its errors keeps everything that refers to it compiling, so that one mistake
//! gives one error.

use crate::code::ToTokens;
use crate::error::{Error, Result};
use crate::syntax::is_word;
use crate::tokens::{TokenStream, TokenTree};

/// The errors of one macro call, in the order of discovery.
#[derive(Default)]
pub(crate) struct Errors(Vec<Error>);

impl Errors {
    /// Adds an error that points at all of `place`.
    pub(crate) fn at(&mut self, place: &dyn ToTokens, text: impl Into<String>) {
        self.add(Error::spanning(place, text));
    }

    pub(crate) fn add(&mut self, error: Error) {
        self.0.push(error);
    }

    pub(crate) fn append(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Returns the value or keeps the error.
    pub(crate) fn keep<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// One `compile_error!` for each error; nothing if there is none.
    pub(crate) fn to_compile_errors(&self) -> TokenStream {
        self.0.iter().map(Error::to_compile_error).collect()
    }
}

/// An item that is no function, without its `#[bench::..]` and `#[benches::..]`: rustc would look
/// for modules of these names.
pub(crate) fn without_bench_attributes(item: TokenStream) -> TokenStream {
    let mut tokens = item.into_iter().peekable();
    let mut rest = TokenStream::new();
    while let Some(token) = tokens.next() {
        let pound = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
        if pound && tokens.peek().is_some_and(is_bench) {
            tokens.next();
        } else {
            rest.extend([token]);
        }
    }
    rest
}

fn is_bench(attribute: &TokenTree) -> bool {
    let TokenTree::Group(group) = attribute else {
        return false;
    };
    let first = group.stream().into_iter().next();
    matches!(first, Some(TokenTree::Ident(name)) if is_word(&name, "bench") || is_word(&name, "benches"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::code;

    #[test]
    fn other_attributes_stay() {
        let item = code!(
            #[doc = "x"]
            #[bench::a(1)]
            #[benches::b(2)]
            struct S;
        );
        let expected = code!(
            #[doc = "x"]
            struct S;
        );
        assert_eq!(
            without_bench_attributes(item).to_string(),
            expected.to_string()
        );
    }

    #[test]
    fn every_error_is_reported() {
        let mut errors = Errors::default();
        assert!(errors.is_empty() && errors.to_compile_errors().is_empty());
        errors.at(&code!(a), "first");
        errors.at(&code!(b), "second");
        let text = errors.to_compile_errors().to_string();
        assert!(text.contains("first") && text.contains("second"));
    }
}
