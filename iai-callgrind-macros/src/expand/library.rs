//! The function that a library benchmark measures.
//!
//! The tools find it by its symbol, which ends in `__iai_callgrind_wrapper_mod::NAME`, or with the `v0`
//! mangling of newer compilers in `__iai_callgrind_wrapper_mod>::NAME`.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned, ToTokens};

use super::{at, case};
use crate::model::Benchmark;
use crate::syntax::Generic;
use crate::text;

/// The function that is measured. Being a method gives it its symbol without hiding names, as a
/// module would.
///
/// It repeats the user's function instead of calling it. Even if such a call is inlined, the
/// optimizer comes to other instructions than for the function alone, and a call from another
/// benchmark must not enter the measured function, where it would switch the count off.
pub(super) fn wrapper(benchmark: &Benchmark) -> TokenStream {
    let signature = &benchmark.function.signature;
    let name = &signature.name;
    let (generics, conditions) = (&signature.generics, &signature.conditions);
    let output = signature.arrow();
    let (future, inputs, body) = if benchmark.is_async() {
        let (inputs, body) = blocking(benchmark);
        (Some(future(benchmark)), inputs, body)
    } else {
        let body = benchmark.function.body.to_token_stream();
        (None, signature.inputs.clone(), body)
    };
    // LLVM replaces a function by another one with equal instructions, and then the symbol would be
    // gone. It leaves functions in different sections alone.
    let ascii = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let section: String = text::plain(name).chars().map(ascii).collect();
    let section = format!(".text.iai_callgrind.{section}");
    quote! {
        #future
        struct __iai_callgrind_wrapper_mod;
        impl __iai_callgrind_wrapper_mod {
            // Lints speak about the user's function already.
            #[allow(warnings)]
            #[inline(never)]
            #[cfg_attr(
                any(target_os = "linux", target_os = "android", target_os = "freebsd"),
                unsafe(link_section = #section)
            )]
            fn #name #generics (#inputs) #output #conditions #body
        }
    }
}

/// The copy of an `async fn`, whose future the measured function runs. A struct of its own: only what is
/// measured is a method of the other one.
fn future(benchmark: &Benchmark) -> TokenStream {
    let (signature, body) = (&benchmark.function.signature, &benchmark.function.body);
    quote! {
        struct __iai_callgrind_future_mod;
        impl __iai_callgrind_future_mod {
            #[allow(warnings)]
            #signature #body
        }
    }
}

/// Parameters and body of the measured function that runs the future of an `async fn`.
fn blocking(benchmark: &Benchmark) -> (TokenStream, TokenStream) {
    let signature = &benchmark.function.signature;
    let name = &signature.name;
    let parameters = &signature.parameters;
    let typed = parameters.iter().filter_map(|input| input.ty.as_ref());
    let names: Vec<Ident> = (0..parameters.len())
        .map(|index| format_ident!("__iai_callgrind_argument_{index}"))
        .collect();
    let inputs = quote!(#(#names: #typed),*);
    let generics = signature.generic_parameters.iter();
    let generics = generics.filter_map(|parameter| match parameter {
        Generic::Lifetime => None,
        Generic::Type(name) | Generic::Const(name) => Some(name),
    });
    let generics: Vec<_> = generics.collect();
    let generics = (!generics.is_empty()).then(|| quote!(::<#(#generics),*>));
    let made = quote!(__iai_callgrind_future_mod::#name #generics (#(#names),*));
    let ran = match &benchmark.executor {
        Some(executor) => {
            let executor_call = case::callee(executor);
            quote_spanned!(at(executor)=> #executor_call(#made))
        }
        None => {
            let library = &benchmark.library;
            quote!(#library::__internal::block_on(#made))
        }
    };
    (inputs, quote!({ #ran }))
}
