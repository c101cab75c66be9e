//! The function that a library benchmark measures.
//!
//! The tools find it by its symbol, which ends in `__iai_callgrind_wrapper_mod::NAME`, or with the
//! `v0` mangling of newer compilers in `__iai_callgrind_wrapper_mod>::NAME`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned, ToTokens};
use syn::{FnArg, GenericParam};

use super::{at, case};
use crate::model::Benchmark;

/// The function that is measured. Being a method gives it its symbol without hiding names, as a
/// module would.
///
/// It repeats the user's function instead of calling it. Even if such a call is inlined, the
/// optimizer comes to other instructions than for the function alone, and a call from another
/// benchmark must not enter the measured function, where it would switch the count off.
pub(super) fn wrapper(benchmark: &Benchmark) -> TokenStream {
    let signature = &benchmark.function.sig;
    let name = &signature.ident;
    let (generics, _, conditions) = signature.generics.split_for_impl();
    let output = &signature.output;
    let (future, inputs, body) = if benchmark.is_async() {
        let (inputs, body) = blocking(benchmark);
        (Some(future(benchmark)), inputs, body)
    } else {
        let body = benchmark.function.block.to_token_stream();
        (None, signature.inputs.to_token_stream(), body)
    };
    // LLVM replaces a function by another one with equal instructions, and then the symbol would be
    // gone. It leaves functions in different sections alone.
    let ascii = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let section: String = benchmark.name().chars().map(ascii).collect();
    let section = format!(".text.iai_callgrind.{section}");
    quote! {
        #future
        struct __iai_callgrind_wrapper_mod;
        impl __iai_callgrind_wrapper_mod {
            // Lints speak about the user's function already. Allowing `warnings` is no error where
            // single lints are forbidden; without it rustc shows the first warning of each lint
            // twice.
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

/// The copy of an `async fn`, whose future the measured function runs. A struct of its own: only
/// what is measured is a method of the other one.
fn future(benchmark: &Benchmark) -> TokenStream {
    let (signature, body) = (&benchmark.function.sig, &benchmark.function.block);
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
    let signature = &benchmark.function.sig;
    let name = &signature.ident;
    let types = signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(parameter) => Some(&parameter.ty),
        FnArg::Receiver(_) => None,
    });
    let names: Vec<_> = (0..signature.inputs.len())
        .map(|index| format_ident!("__iai_callgrind_argument_{index}"))
        .collect();
    let inputs = quote!(#(#names: #types),*);
    let generics = signature.generics.params.iter();
    let generics: Vec<_> = generics
        .filter_map(|parameter| match parameter {
            GenericParam::Lifetime(_) => None,
            GenericParam::Type(parameter) => Some(&parameter.ident),
            GenericParam::Const(parameter) => Some(&parameter.ident),
        })
        .collect();
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
