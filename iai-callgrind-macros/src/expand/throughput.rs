//! `throughput` of a case: the function that makes the amounts. It is none of those that are
//! measured.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::{parse_quote, FnArg, Ident, ItemFn, Pat, Stmt, Token};

use super::{at, binary, case, quiet};
use crate::cases::Case;
use crate::check::is_made_by_setup;
use crate::model::{Benchmark, Hook};

pub(super) fn throughput(benchmark: &Benchmark, case: &Case<'_>) -> TokenStream {
    let Some(said) = case.throughput else {
        return quote!(::core::option::Option::None);
    };
    let library = &benchmark.library;
    let place = at(said.expression());
    let here = case::located(library, place);
    let amounts = |made: TokenStream| quote_spanned!(place=> #here::__internal::IntoThroughputs::throughputs(#made));
    let parameter = case::parameter(case);
    let input = binary::input_of_hook(benchmark, case);
    let (parameter, function, made) = match said {
        Hook::Call(function) => {
            let callee = case::callee(function);
            let made = amounts(quote_spanned!(place=> #callee(#(#input),*)));
            (parameter, None, made)
        }
        // There is nothing that the names could stand for.
        Hook::Evaluate(expression) if is_made_by_setup(benchmark, case) => {
            (quote!(_), None, amounts(quiet(expression)))
        }
        // A function with the parameters of the user's, so that names and types are the same.
        Hook::Evaluate(expression) => {
            let signature = &benchmark.function.sig;
            let (generics, _, conditions) = signature.generics.split_for_impl();
            let inputs = &signature.inputs;
            let amounts = amounts(quiet(expression));
            // In a crate that forbids lints about unused names, allowing them all is not enough.
            let mut function: ItemFn = parse_quote! {
                #[allow(warnings)]
                fn __iai_callgrind_amounts #generics (#inputs) -> #library::__internal::Throughputs #conditions {
                    #amounts
                }
            };
            let used = use_all(&mut function.sig.inputs);
            let used: Vec<Stmt> = used
                .iter()
                .map(|name| parse_quote!(let _ = &#name;))
                .collect();
            function.block.stmts.splice(..0, used);
            let generics =
                case::const_generics(benchmark, case).map(|generics| quote!(::#generics));
            let made = quote!(__iai_callgrind_amounts #generics (#(#input),*));
            (parameter, Some(function), made)
        }
    };
    quote! {
        ::core::option::Option::Some({
            use #library::__internal::amounts::{Bytes, Elements};
            #function
            fn __iai_callgrind_throughput(
                #parameter: #library::__internal::Element
            ) -> #library::__internal::Throughputs {
                #made
            }
            __iai_callgrind_throughput
        })
    }
}

/// The names that the parameters bind, which need not all be used, as values that none changes.
fn use_all(inputs: &mut Punctuated<FnArg, Token![,]>) -> Vec<Ident> {
    let mut names = vec![];
    for input in inputs {
        if let FnArg::Typed(parameter) = input {
            use_pattern(&mut parameter.pat, &mut names);
        }
    }
    names
}

fn use_pattern(pattern: &mut Pat, names: &mut Vec<Ident>) {
    match pattern {
        Pat::Ident(name) => {
            if name.by_ref.is_none() {
                name.mutability = None;
            }
            names.push(name.ident.clone());
            if let Some((_, inner)) = &mut name.subpat {
                use_pattern(inner, names);
            }
        }
        Pat::Paren(pattern) => use_pattern(&mut pattern.pat, names),
        Pat::Reference(pattern) => use_pattern(&mut pattern.pat, names),
        Pat::Slice(pattern) => use_patterns(&mut pattern.elems, names),
        Pat::Struct(pattern) => {
            for field in &mut pattern.fields {
                use_pattern(&mut field.pat, names);
            }
        }
        Pat::Tuple(pattern) => use_patterns(&mut pattern.elems, names),
        Pat::TupleStruct(pattern) => use_patterns(&mut pattern.elems, names),
        _ => {}
    }
}

fn use_patterns(patterns: &mut Punctuated<Pat, Token![,]>, names: &mut Vec<Ident>) {
    for pattern in patterns {
        use_pattern(pattern, names);
    }
}
