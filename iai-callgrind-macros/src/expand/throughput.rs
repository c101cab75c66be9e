//! `throughput` of a case: the function that makes the amounts. It is none of those that are measured.

use super::{at, binary, case};
use crate::cases::Case;
use crate::check::is_made_by_setup;
use crate::code::{code, code_at, ToTokens};
use crate::model::{Benchmark, Hook};
use crate::tokens::TokenStream;

pub(super) fn throughput(benchmark: &Benchmark, case: &Case<'_>) -> TokenStream {
    let Some(said) = case.throughput else {
        return code!(::core::option::Option::None);
    };
    let library = &benchmark.library;
    let place = at(said.expression());
    let here = case::located(library, place);
    let amounts = |made: TokenStream| code_at!(place, here, made => #here::__internal::IntoThroughputs::throughputs(#made));
    let parameter = case::parameter(case);
    let input = binary::input_of_hook(benchmark, case);
    let (parameter, function, made) = match said {
        Hook::Call(function) => {
            let callee = case::callee(function);
            let made = amounts(code_at!(place, callee, input => #callee(#input)));
            (parameter, None, made)
        }
        // There is nothing that the names could stand for.
        Hook::Evaluate(expression) if is_made_by_setup(benchmark, case) => {
            (code!(_), None, amounts(expression.to_tokens()))
        }
        // A function with the parameters of the user's, so that names and types are the same.
        Hook::Evaluate(expression) => {
            let signature = &benchmark.function.signature;
            let (generics, conditions) = (&signature.generics, &signature.conditions);
            let inputs = &signature.inputs;
            let amounts = amounts(expression.to_tokens());
            let function = code! { generics, inputs, library, conditions, amounts =>
                #[allow(warnings)]
                fn __iai_callgrind_amounts #generics (#inputs) -> #library::__internal::Throughputs #conditions {
                    #amounts
                }
            };
            let generics = case::const_generics(benchmark, case)
                .map(|generics| code!(generics => ::#generics));
            let made = code!(generics, input => __iai_callgrind_amounts #generics (#input));
            (parameter, Some(function), made)
        }
    };
    code! { library, function, parameter, made =>
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
