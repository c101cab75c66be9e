//! The table of a library benchmark and the functions it points to.
//!
//! Everything stands in the block of a static's initializer: names in signatures and arguments mean
//! there what they mean where the user wrote them. The tools find the measured function by its
//! symbol, which ends in `__iai_callgrind_wrapper_mod::NAME`, or with the `v0` mangling of newer
//! compilers in `__iai_callgrind_wrapper_mod>::NAME`.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use syn::{FnArg, GenericParam, ReturnType, Signature, Type};

use super::{at, config, door, generated, optional_text};
use crate::cases::Case;
use crate::model::{Benchmark, Hook};
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
    // If the table is used, so is the function; if not, rustc says that it never is.
    let used = is_named(&benchmark.function.sig).then(|| quote!(let _ = #name;));
    let cases = cases.iter().map(|case| self::case(benchmark, case));
    quote! {
        #[doc(hidden)]
        #[allow(non_upper_case_globals, non_camel_case_types, non_snake_case, deprecated)]
        pub(crate) static #table: #library::__internal::Function = {
            #wrapper
            #used
            #library::__internal::Function {
                name: #text,
                config: #config,
                cases: &[#(#cases),*],
            }
        };
        #door
    }
}

/// Does the name of the function alone say which function it is? Types and constants would have to be
/// given, and those of `impl Trait` have no name.
pub(super) fn is_named(signature: &Signature) -> bool {
    let lifetimes = |parameter: &GenericParam| matches!(parameter, GenericParam::Lifetime(_));
    let is_impl_trait = |input: &FnArg| match input {
        FnArg::Typed(parameter) => contains_impl(parameter.ty.to_token_stream()),
        FnArg::Receiver(_) => true,
    };
    signature.generics.params.iter().all(lifetimes) && !signature.inputs.iter().any(is_impl_trait)
}

fn contains_impl(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => contains_impl(group.stream()),
        TokenTree::Ident(ident) => ident == "impl",
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

/// One row of the table. Arguments are built in the statement that calls the benchmark, so that they
/// may borrow from temporary values.
fn case(benchmark: &Benchmark, case: &Case<'_>) -> TokenStream {
    let library = &benchmark.library;
    let signature = &benchmark.function.sig;
    let name = &signature.ident;
    let id = optional_text(case.id.as_deref());
    let args = text::description(case.values, case.setup.map(Hook::expression));
    let args = optional_text(args.as_deref());
    let config = config(library, case.config);
    let run = match &case.id {
        Some(id) => Ident::new(&format!("__iai_callgrind_case_{id}"), case.id_place.span()),
        None => format_ident!("__iai_callgrind_case"),
    };

    let measured = Ident::new("__iai_callgrind_measured", Span::mixed_site());
    let mut input: Vec<_> = case.values.iter().map(opaque).collect();
    if let Some(setup) = case.setup.map(Hook::expression) {
        input = vec![opaque(quote_spanned!(at(setup)=> #setup(#(#input),*)))];
    }
    let teardown = case.teardown.map(Hook::expression);
    let place = teardown.map_or_else(Span::mixed_site, at);
    let callee = Ident::new("__iai_callgrind_measured", place);
    let mut result = quote_spanned!(place=> #callee(#(#input),*));
    if !never_returns(&signature.output) {
        result = quote_spanned!(place=> ::core::hint::black_box(#result));
        if let Some(teardown) = teardown {
            result = opaque(quote_spanned!(place=> #teardown(#result)));
        }
        result = quote!(::core::mem::drop(#result));
    }
    // What cannot be inferred is reported at the id.
    let wrapper = Ident::new("__iai_callgrind_wrapper_mod", at(case.id_place));
    let wrapper = quote_spanned!(at(case.id_place)=> #wrapper::#name);
    let placeholders = signature.inputs.iter().map(|_| quote!(_));
    let output = if never_returns(&signature.output) {
        quote!(!)
    } else {
        quote!(_)
    };
    quote! {
        #library::__internal::Case {
            id: #id,
            args: #args,
            config: #config,
            run: {
                fn #run() {
                    // An opaque pointer: the optimizer knows neither callee nor arguments.
                    let #measured = ::core::hint::black_box::<fn(#(#placeholders),*) -> #output>(
                        #wrapper
                    );
                    #result;
                }
                #run
            },
        }
    }
}

/// Hides a value from the optimizer.
fn opaque(value: impl quote::ToTokens + syn::spanned::Spanned) -> TokenStream {
    quote_spanned!(at(&value)=> ::core::hint::black_box(#value))
}

fn never_returns(output: &ReturnType) -> bool {
    matches!(output, ReturnType::Type(_, ty) if matches!(**ty, Type::Never(_)))
}
