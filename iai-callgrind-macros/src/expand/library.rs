//! The table of a library benchmark and the functions it points to.
//!
//! Everything stands in the block of a static's initializer: names in signatures and arguments mean
//! there what they mean where the user wrote them. The tools find the measured function by its
//! symbol, which ends in `__iai_callgrind_wrapper_mod::NAME`, or with the `v0` mangling of newer
//! compilers in `__iai_callgrind_wrapper_mod>::NAME`.

use proc_macro2::{TokenStream, TokenTree};
use quote::{quote, ToTokens};
use syn::{Attribute, FnArg, GenericParam, Signature};

use super::{case, config, door, generated};
use crate::cases::Case;
use crate::model::Benchmark;
use crate::text;

/// The static and the module that leads to it.
pub(super) fn table(benchmark: &Benchmark, cases: &[Case<'_>]) -> TokenStream {
    let library = &benchmark.library;
    let name = &benchmark.function.sig.ident;
    let table = generated(name);
    let door = door(name, &table, "__FUNCTION");
    let text = text::plain(name);
    let config = config(
        library,
        benchmark
            .settings
            .config
            .as_ref()
            .filter(|_| !cases.is_empty()),
    );
    let wrapper = (!cases.is_empty()).then(|| wrapper(benchmark));
    // The user's function need not be called by anyone else.
    let used = is_named(&benchmark.function.sig).then(|| quote!(let _ = #name;));
    let may_be_unused = may_be_unused(&benchmark.function.attrs);
    let rows = cases.iter().map(|case| case::row(benchmark, case));
    // After an error there is nothing to run.
    let register = (!cases.is_empty()).then(|| {
        quote! {
            const _: () = {
                #library::__register!(#table);
            };
        }
    });
    quote! {
        #[doc(hidden)]
        #[allow(non_upper_case_globals, non_camel_case_types, non_snake_case, deprecated, unused_braces, unused_parens)]
        pub(crate) static #table: #library::__internal::Function = {
            #wrapper
            #used
            #library::__internal::Function {
                name: #text,
                place: #library::__internal::Place {
                    module: ::core::module_path!(),
                    file: ::core::file!(),
                    line: ::core::line!(),
                    column: ::core::column!(),
                    may_be_unused: #may_be_unused,
                },
                config: #config,
                cases: &[#(#rows),*],
            }
        };
        #register
        #door
    }
}

/// Does the user say that the function may be unused?
fn may_be_unused(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let path = attribute.path();
        (path.is_ident("allow") || path.is_ident("expect"))
            && contains(attribute.to_token_stream(), &["dead_code", "unused"])
    })
}

/// Does the name of the function alone say which function it is? Types and constants would have to be
/// given, and those of `impl Trait` have no name.
pub(super) fn is_named(signature: &Signature) -> bool {
    let lifetimes = |parameter: &GenericParam| matches!(parameter, GenericParam::Lifetime(_));
    let is_impl_trait = |input: &FnArg| match input {
        FnArg::Typed(parameter) => contains(parameter.ty.to_token_stream(), &["impl"]),
        FnArg::Receiver(_) => true,
    };
    signature.generics.params.iter().all(lifetimes) && !signature.inputs.iter().any(is_impl_trait)
}

fn contains(tokens: TokenStream, words: &[&str]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => contains(group.stream(), words),
        TokenTree::Ident(ident) => words.iter().any(|word| ident == word),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// The function that is measured. Being a method gives it its symbol without hiding names, as a
/// module would.
///
/// It repeats the user's function instead of calling it. Even if such a call is inlined, the
/// optimizer comes to other instructions than for the function alone, and a call from another
/// benchmark must not enter the measured function, where it would switch the count off.
fn wrapper(benchmark: &Benchmark) -> TokenStream {
    let signature = &benchmark.function.sig;
    let name = &signature.ident;
    let (generics, _, conditions) = signature.generics.split_for_impl();
    let (inputs, output, body) = (
        &signature.inputs,
        &signature.output,
        &benchmark.function.block,
    );
    // LLVM replaces a function by another one with equal instructions, and then the symbol would be
    // gone. It leaves functions in different sections alone.
    let ascii = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let section: String = text::plain(name).chars().map(ascii).collect();
    let section = format!(".text.iai_callgrind.{section}");
    quote! {
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
