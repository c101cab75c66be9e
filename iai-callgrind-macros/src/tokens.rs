//! The tokens of the compiler; in the tests those of `proc-macro2`, which any program can hold.
//!
//! Users wait for every crate that the macros need, so the macros need none. Nothing is used here that only one
//! of the two has: identifiers are compared by [`is_word`](crate::syntax::is_word).

#[cfg(not(test))]
pub(crate) use proc_macro::{
    Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree,
};
#[cfg(test)]
pub(crate) use proc_macro2::{
    Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree,
};
