//! `scaling` of a case: constants, and where the size is no number in the source a function for it.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;

use super::{at, case};
use crate::cases::Case;
use crate::input::scaling;
use crate::model::Benchmark;

pub(super) fn scaling(benchmark: &Benchmark, case: &Case<'_>) -> TokenStream {
    let Some(said) = case.scaling else {
        return quote!(::core::option::Option::None);
    };
    let library = &benchmark.library;
    let bench = case.id_place.unraw().to_string();
    let growth = said.growth;
    // A function says what the size is, also where the argument is a number.
    let number = scaling::known_size(case).filter(|_| said.function.is_none());
    let size = match number {
        Some(number) => quote!(Number(#number)),
        None => of_arguments(benchmark, case),
    };
    quote! {
        ::core::option::Option::Some(#library::__internal::Scaling {
            bench: #bench,
            growth: #growth,
            size: #library::__internal::Size::#size,
        })
    }
}

/// The function that evaluates the arguments for their size.
fn of_arguments(benchmark: &Benchmark, case: &Case<'_>) -> TokenStream {
    let library = &benchmark.library;
    let parameter = case::parameter(case);
    let input = case::input(library, case);
    let function = case.scaling.and_then(|said| said.function.as_ref());
    let size = match function {
        Some(function) => {
            let callee = case::callee(function);
            let span = at(function);
            let library = case::located(library, span);
            quote_spanned!(span=> #library::__internal::InputSize::size(#callee(#(#input),*)))
        }
        None => {
            let span = at(&case.place);
            let library = case::located(library, span);
            quote_spanned!(span=> #library::__internal::InputSize::size(#(#input),*))
        }
    };
    quote! {
        Of({
            fn __iai_callgrind_size(#parameter: #library::__internal::Element) -> u64 {
                #size
            }
            __iai_callgrind_size
        })
    }
}
