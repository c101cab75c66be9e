//! The way of every macro, from its tokens to the code that takes their place.
//!
//! Nothing here needs the compiler: these functions run in any program that has the tokens.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Error;

use crate::errors::{self, Errors};
use crate::input::groups;
use crate::model::Kind;
use crate::{cases, check, compiler, expand, input};

/// An attribute on a function.
pub(crate) fn benchmark(kind: Kind, attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(function) = errors.keep(syn::parse2(item.clone())) else {
        let compile_errors = errors.to_compile_errors();
        let item = errors::without_bench_attributes(item);
        return quote!(#compile_errors #item);
    };
    let benchmark = input::benchmark(kind, attribute, function, &mut errors);
    let cases = cases::cases(&benchmark);
    check::check(&benchmark, &cases, &mut errors);
    let beside = expand::beside(&benchmark, &cases, &errors);
    let function = expand::function(benchmark, &mut errors);
    quote!(#function #beside)
}

/// `library_benchmark_group!` or `binary_benchmark_group!`.
pub(crate) fn group(kind: Kind, input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let group = groups::group(kind, input, &mut errors);
    let compile_errors = errors.to_compile_errors();
    let group = group.and_then(|group| expand::groups::group(&group));
    quote!(#compile_errors #group)
}

/// `main!`.
pub(crate) fn main(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    if let Some(text) = compiler::harness() {
        errors.add(Error::new(Span::call_site(), text));
    }
    match groups::main(input, &mut errors) {
        Some(main) if errors.is_empty() => expand::groups::main(&main),
        _ => {
            let compile_errors = errors.to_compile_errors();
            // Without a `main` rustc would report that as well.
            quote!(#compile_errors fn main() {})
        }
    }
}
