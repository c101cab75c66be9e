//! Errors are collected, and what the user wrote is emitted all the same.
//!
//! In: errors from every stage. Out: one `compile_error!` for each of them. An item that is emitted
//! together with its errors keeps everything that refers to it compiling, so that one mistake
//! gives one error.

use std::fmt::Display;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::Error;

/// The errors of one macro call, in the order of discovery.
#[derive(Default)]
pub(crate) struct Errors(Option<Error>);

impl Errors {
    /// Adds an error that points at all of `place`.
    pub(crate) fn at(&mut self, place: impl ToTokens, text: impl Display) {
        self.add(Error::new_spanned(place, text));
    }

    pub(crate) fn add(&mut self, error: Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    pub(crate) fn append(&mut self, others: Self) {
        if let Some(error) = others.0 {
            self.add(error);
        }
    }

    /// Returns the value or keeps the error.
    pub(crate) fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// One `compile_error!` for each error; nothing if there is none.
    pub(crate) fn to_compile_errors(&self) -> TokenStream {
        let errors = self.0.as_ref();
        errors.map(Error::to_compile_error).unwrap_or_default()
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
    matches!(first, Some(TokenTree::Ident(name)) if name == "bench" || name == "benches")
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn other_attributes_stay() {
        let item = quote!(
            #[doc = "x"]
            #[bench::a(1)]
            #[benches::b(2)]
            struct S;
        );
        let expected = quote!(
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
        errors.at(quote!(a), "first");
        errors.at(quote!(b), "second");
        let text = errors.to_compile_errors().to_string();
        assert!(text.contains("first") && text.contains("second"));
    }
}
