//! The parts of a binary benchmark: functions that make the command and call `setup` and `teardown`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned, ToTokens};

use super::{at, case};
use crate::cases::{Case, Input};
use crate::model::{Benchmark, Hook};
use crate::syntax::Form;
use crate::text;

/// The library's `Run`: functions for command, setup and teardown of a case.
pub(super) fn run(benchmark: &Benchmark, case: &Case<'_>) -> TokenStream {
    let library = &benchmark.library;
    let setup = hook(benchmark, case, case.setup);
    let teardown = hook(benchmark, case, case.teardown);
    let Some(commands) = commands(benchmark, case) else {
        let command = command(benchmark, case, &case::input(library, case));
        return quote! {
            Program(&#library::__internal::Program {
                command: {
                    fn __iai_callgrind_command() -> #library::__internal::Command {
                        #command
                    }
                    __iai_callgrind_command
                },
                setup: #setup,
                teardown: #teardown,
            })
        };
    };
    let each = each();
    quote! {
        Program(&#library::__internal::Programs {
            commands: {
                fn __iai_callgrind_commands(#each: &mut #library::__internal::Each<'_>) {
                    #library::__internal::#commands
                }
                __iai_callgrind_commands
            },
            setup: #setup,
            teardown: #teardown,
        })
    }
}

/// The name of the parameter that gets each command.
fn each() -> Ident {
    Ident::new("__iai_callgrind_each", Span::mixed_site())
}

/// The call that makes the commands of all elements or lines in one pass, if there are some.
fn commands(benchmark: &Benchmark, case: &Case<'_>) -> Option<TokenStream> {
    let (function, source, texts) = match case.input {
        Input::Values(_) => return None,
        Input::Iter(iter) => {
            let list = text::tokens(iter);
            let text = case::text_of_element(&benchmark.library);
            (
                quote!(commands),
                iter.to_token_stream(),
                quote!(#text, #list,),
            )
        }
        Input::Lines(lines) => (quote!(commands_of_lines), case::content(lines), quote!()),
    };
    let element = case::element();
    let command = command(benchmark, case, &[element.to_token_stream()]);
    let around = case::around(benchmark, case);
    let each = each();
    Some(quote!(#function(#source, |#element| #command, #texts #around, #each)))
}

/// Calls the user's function. Errors about its result are reported at the type of the result. The
/// arguments may borrow from temporary values, which live until the end of the `match`.
fn command(benchmark: &Benchmark, case: &Case<'_>, input: &[TokenStream]) -> TokenStream {
    let library = &benchmark.library;
    let signature = &benchmark.function.signature;
    let function = function(benchmark, case);
    let call = quote_spanned!(at(case.id_place)=> #function(#(#input),*));
    let place = match &signature.output {
        Some(ty) => at(ty),
        None => Span::mixed_site(),
    };
    let made = Ident::new("__iai_callgrind_made", place);
    let library = case::located(library, place);
    let command = quote_spanned!(place=> #library::__internal::command(#made));
    quote!(match #call { #made => #command })
}

/// The user's function, with the values of its const generics.
pub(super) fn function(benchmark: &Benchmark, case: &Case<'_>) -> TokenStream {
    let mut name = benchmark.function.signature.name.clone();
    name.set_span(name.span().located_at(at(case.id_place)));
    let generics = case::const_generics(benchmark, case).map(|generics| quote!(::#generics));
    quote_spanned!(at(case.id_place)=> #name #generics)
}

/// `Some(fn pointer)` to a setup or teardown.
fn hook(benchmark: &Benchmark, case: &Case<'_>, hook: Option<&Hook>) -> TokenStream {
    let library = &benchmark.library;
    let (parameter, statement) = match hook {
        None => return quote!(::core::option::Option::None),
        Some(Hook::Evaluate(expression)) => (quote!(_), expression.to_token_stream()),
        Some(Hook::Call(function)) => {
            let callee = case::callee(function);
            let takes_none =
                matches!(&function.form, Form::Closure(closure) if closure.parameters.is_empty());
            if takes_none {
                (quote!(_), quote_spanned!(at(function)=> #callee()))
            } else {
                let input = input_of_hook(benchmark, case);
                let call = quote_spanned!(at(function)=> #callee(#(#input),*));
                (case::parameter(case), call)
            }
        }
    };
    quote! {
        ::core::option::Option::Some({
            fn __iai_callgrind_hook(#parameter: #library::__internal::Element) {
                let _ = #statement;
            }
            __iai_callgrind_hook
        })
    }
}

/// The arguments of a case for a function beside the benchmark, such as a setup. An element has the type that the function takes.
pub(super) fn input_of_hook(benchmark: &Benchmark, case: &Case<'_>) -> Vec<TokenStream> {
    let library = &benchmark.library;
    let Input::Iter(iter) = case.input else {
        return case::input(library, case);
    };
    let typed = case::typed(benchmark, case);
    let element = case::parameter(case);
    let library = case::located(library, at(iter));
    vec![quote_spanned!(at(iter)=> #library::__internal::nth_typed(#iter, #typed, #element))]
}
