//! The table of an annotated function.
//!
//! Everything stands in the block of a static's initializer: names in signatures and arguments mean
//! there what they mean where the user wrote them.

use proc_macro2::{TokenStream, TokenTree};
use quote::{quote, ToTokens};
use syn::{Attribute, FnArg, GenericParam, Signature};

use super::{case, config, door, generated, library};
use crate::cases::Case;
use crate::model::{Benchmark, Kind};

/// The static and the module that leads to it.
pub(super) fn table(benchmark: &Benchmark, cases: &[Case<'_>]) -> TokenStream {
    let library = &benchmark.library;
    let name = &benchmark.function.sig.ident;
    let table = generated(name);
    let text = benchmark.name();
    // After an error there are no cases, but there is a table: groups and `main!` look for its
    // name. What could give further errors, the configuration and the measured function, is left
    // out.
    let said = &benchmark.settings.config;
    let config = config(
        library,
        benchmark.kind.into(),
        said.as_ref().filter(|_| !cases.is_empty()),
    );
    let is_measured = benchmark.kind == Kind::Library && !cases.is_empty();
    let wrapper = is_measured.then(|| library::wrapper(benchmark));
    // The user's function need not be called by anyone else.
    let used = is_named(&benchmark.function.sig).then(|| quote!(let _ = #name;));
    let attributes = &benchmark.function.attrs;
    let may_be_unused = may_be_unused(attributes);
    // What the user allows in the function is allowed in its arguments.
    let with = |name: &'static str| {
        attributes
            .iter()
            .filter(move |one| one.path().is_ident(name))
    };
    let allowed = with("allow");
    // The only place where the code names a lint: who forbids it has no deprecated benchmark.
    let deprecated = with("deprecated")
        .next()
        .map(|_| quote!(#[allow(deprecated)]));
    let equal_counts = benchmark.equal_counts;
    let rows = cases.iter().map(|case| case::row(benchmark, case));
    let kind = match benchmark.kind {
        Kind::Library => quote!(Library),
        Kind::Binary => quote!(Binary),
    };
    let mut function = quote! {
        #library::__internal::Function {
            kind: #library::__internal::Kind::#kind,
            name: #text,
            place: #library::__internal::Place {
                module: ::core::module_path!(),
                file: ::core::file!(),
                line: ::core::line!(),
                column: ::core::column!(),
                may_be_unused: #may_be_unused,
            },
            config: #config,
            equal_counts: #equal_counts,
            cases: &[#(#rows),*],
        }
    };
    // A group of binary benchmarks finds the benchmark by this name, see `groups`.
    let entry = quote!(__iai_callgrind_entry);
    let (ty, registered, binary) = match benchmark.kind {
        Kind::Library => (
            quote!(Function),
            table.to_token_stream(),
            quote! {
                pub use #library::__internal::library_benchmark as __BINARY;
                pub mod __LIBRARY {
                    pub struct __iai_callgrind_function;
                    impl #library::__internal::AnnotatedFunction for __iai_callgrind_function {
                        const TABLE: &'static #library::__internal::Function = &super::super::#table;
                    }
                }
            },
        ),
        Kind::Binary => {
            function = quote!(#library::__internal::BinaryFunction(#function));
            (
                quote!(BinaryFunction),
                quote!(#table.0),
                quote! {
                    pub mod __BINARY {
                        pub(crate) use super::super::#table as #entry;
                    }
                    pub use #library::__internal::plain_function::__iai_callgrind_entry::__LIBRARY;
                },
            )
        }
    };
    let door = door(name, &table, "__FUNCTION", &binary);
    // After an error there is nothing to run.
    let register = (!cases.is_empty()).then(|| {
        quote! {
            const _: () = {
                #library::__register!(#registered);
            };
        }
    });
    quote! {
        #[doc(hidden)]
        #(#allowed)*
        #deprecated
        pub(crate) static #table: #library::__internal::#ty = {
            #wrapper
            #used
            #function
        };
        #register
        #door
    }
}

/// Does the user say that the function may be unused?
fn may_be_unused(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        (attribute.path().is_ident("allow") || attribute.path().is_ident("expect"))
            && contains(attribute.to_token_stream(), &["dead_code", "unused"])
    })
}

/// Does the name of the function alone say which function it is? Types and constants would have to
/// be given, and those of `impl Trait` have no name.
pub(super) fn is_named(signature: &Signature) -> bool {
    let lifetimes = |parameter: &GenericParam| matches!(parameter, GenericParam::Lifetime(_));
    let is_impl_trait = |parameter: &FnArg| match parameter {
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
