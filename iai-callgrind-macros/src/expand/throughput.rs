//! `throughput` of a case: the function that makes the amounts. It is none of those that are
//! measured.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned, ToTokens};

use super::{at, binary, case};
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
            (quote!(_), None, amounts(expression.to_token_stream()))
        }
        // A function with the parameters of the user's, so that names and types are the same.
        Hook::Evaluate(expression) => {
            let signature = &benchmark.function.sig;
            let (generics, _, conditions) = signature.generics.split_for_impl();
            let inputs = &signature.inputs;
            let amounts = amounts(expression.to_token_stream());
            let function = quote! {
                #[allow(warnings)]
                fn __iai_callgrind_amounts #generics (#inputs) -> #library::__internal::Throughputs #conditions {
                    #amounts
                }
            };
            let generics =
                case::const_generics(benchmark, case).map(|generics| quote!(::#generics));
            let made = quote!(__iai_callgrind_amounts #generics (#(#input),*));
            (parameter, Some(function), made)
        }
    };
    quote! {
        ::core::option::Option::Some({
            #[allow(unused_imports)]
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
