//! Writes the code.
//!
//! In: a checked model. Out: short code that calls the library's `__internal` and nothing else of
//! it. Generated names begin with `__iai_callgrind`, so that they hide no name of the user.

pub(crate) mod groups;
mod library;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use syn::spanned::Spanned;
use syn::{Expr, ItemFn};

use crate::cases::Case;
use crate::check;
use crate::model::{Benchmark, Hook, Kind};
use crate::recover::Errors;
use crate::text;

/// The code for one annotated function, with the errors that were found.
pub(crate) fn benchmark(
    benchmark: &Benchmark,
    cases: &[Case<'_>],
    errors: &mut Errors,
) -> TokenStream {
    if benchmark.kind == Kind::Binary && errors.is_empty() {
        errors.add(syn::Error::new(
            Span::call_site(),
            "binary benchmarks are not available in this version",
        ));
    }
    let compile_errors = errors.to_compile_errors();
    if !errors.is_empty() {
        let mut function = benchmark.function.clone();
        // A second attribute of ours would define everything again.
        function
            .attrs
            .retain(|attribute| !check::is_ours(attribute));
        let is_free = function.sig.receiver().is_none();
        let table = is_free.then(|| library::table(benchmark, &[]));
        return quote!(#compile_errors #[allow(dead_code)] #function #table);
    }
    let function = inlined(&benchmark.function);
    let table = library::table(benchmark, cases);
    quote!(#function #table)
}

/// The user's function. It is inlined into the function that is measured, which is then exactly its
/// body. LLVM does not inline a function that calls itself, so the measured one repeats the body.
fn inlined(function: &ItemFn) -> TokenStream {
    if calls_itself(function) {
        quote!(#[allow(dead_code)] #function)
    } else {
        quote!(#[inline(always)] #[allow(clippy::inline_always)] #function)
    }
}

/// Does the function's name stand in its body, other than as the name of a method?
fn calls_itself(function: &ItemFn) -> bool {
    fn contains(name: &Ident, tokens: TokenStream) -> bool {
        let mut after_dot = false;
        tokens.into_iter().any(|token| {
            let found = match &token {
                TokenTree::Group(group) => contains(name, group.stream()),
                TokenTree::Ident(ident) => ident == name && !after_dot,
                TokenTree::Punct(_) | TokenTree::Literal(_) => false,
            };
            after_dot = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.');
            found
        })
    }
    contains(&function.sig.ident, function.block.to_token_stream())
}

/// The module through which groups and `main!` find a table by the name that the user gave it.
/// Functions and modules of one name can exist side by side. It is public, since `use` of a
/// private function from a parent module has to bring it along.
fn door(name: &Ident, table: &Ident, entry: &str) -> TokenStream {
    let entry = format_ident!("{entry}");
    quote! {
        #[doc(hidden)]
        pub mod #name {
            pub use super::#table as #entry;
        }
    }
}

/// `Some(fn pointer)` to the configuration.
fn config(library: &TokenStream, config: Option<&Expr>) -> TokenStream {
    let Some(config) = config else {
        return quote!(::core::option::Option::None);
    };
    // Errors of types have to point at the value.
    let convert = quote_spanned!(at(config)=> ::core::convert::Into::into);
    quote! {
        ::core::option::Option::Some({
            fn __iai_callgrind_config() -> #library::__internal::Config {
                #convert(#config)
            }
            __iai_callgrind_config
        })
    }
}

/// `Some(fn pointer)` to a setup or teardown without arguments.
fn hook(hook: Option<&Hook>) -> TokenStream {
    let statement = match hook {
        Some(Hook::Call(function)) => quote_spanned!(at(function)=> (#function)()),
        Some(Hook::Evaluate(expression)) => quote!(#expression),
        None => return quote!(::core::option::Option::None),
    };
    quote! {
        ::core::option::Option::Some({
            fn __iai_callgrind_hook() {
                let _ = #statement;
            }
            __iai_callgrind_hook
        })
    }
}

fn optional_text(text: Option<&str>) -> TokenStream {
    match text {
        Some(text) => quote!(::core::option::Option::Some(#text)),
        None => quote!(::core::option::Option::None),
    }
}

/// Shows errors at the user's tokens, with names of our own.
fn at(tokens: impl Spanned) -> Span {
    Span::mixed_site().located_at(tokens.span())
}

/// `__iai_callgrind_NAME`.
fn generated(name: &Ident) -> Ident {
    Ident::new(
        &format!("__iai_callgrind_{}", text::plain(name)),
        name.span(),
    )
}

#[cfg(test)]
mod tests {
    use super::calls_itself;

    #[test]
    fn a_method_of_the_same_name_is_no_recursion() {
        let check = |function: &str, expected| {
            assert_eq!(calls_itself(&syn::parse_str(function).unwrap()), expected);
        };
        check(
            "fn fib(n: u64) -> u64 { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }",
            true,
        );
        check("fn sort(mut v: Vec<u8>) { v.sort() }", false);
        check("fn sort(sort: Vec<u8>) { drop(sort) }", true);
        check("fn sort() {}", false);
    }
}
