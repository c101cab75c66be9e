//! The parts of a binary benchmark: functions that make the command and call `setup` and `teardown`.

use super::{at, case};
use crate::cases::{Case, Input};
use crate::code::{code, code_at, ToTokens};
use crate::model::{Benchmark, Hook};
use crate::syntax::Form;
use crate::text;
use crate::tokens::{Ident, Span, TokenStream};

/// The library's `Run`: functions for command, setup and teardown of a case.
pub(super) fn run(benchmark: &Benchmark, case: &Case<'_>) -> TokenStream {
    let library = &benchmark.library;
    let setup = hook(benchmark, case, case.setup);
    let teardown = hook(benchmark, case, case.teardown);
    let Some(commands) = commands(benchmark, case) else {
        let command = command(benchmark, case, &case::input(library, case));
        return code! { library, command, setup, teardown =>
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
    code! { library, each, commands, setup, teardown =>
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
                code!(commands),
                iter.to_tokens(),
                code!(text, list => #text, #list,),
            )
        }
        Input::Lines(lines) => (code!(commands_of_lines), case::content(lines), code!()),
    };
    let element = case::element();
    let command = command(benchmark, case, &[element.to_tokens()]);
    let around = case::around(benchmark, case);
    let each = each();
    Some(
        code! { function, source, element, command, texts, around, each =>
            #function(#source, |#element| #command, #texts #around, #each)
        },
    )
}

/// Calls the user's function. Errors about its result are reported at the type of the result. The
/// arguments may borrow from temporary values, which live until the end of the `match`.
fn command(benchmark: &Benchmark, case: &Case<'_>, input: &[TokenStream]) -> TokenStream {
    let library = &benchmark.library;
    let signature = &benchmark.function.signature;
    let function = function(benchmark, case);
    let call = code_at!(at(case.id_place), function, input => #function(#input));
    let place = match &signature.output {
        Some(ty) => at(ty),
        None => Span::mixed_site(),
    };
    let made = Ident::new("__iai_callgrind_made", place);
    let library = case::located(library, place);
    let command = code_at!(place, library, made => #library::__internal::command(#made));
    code!(call, made, command => match #call { #made => #command })
}

/// The user's function, with the values of its const generics.
pub(super) fn function(benchmark: &Benchmark, case: &Case<'_>) -> TokenStream {
    let mut name = benchmark.function.signature.name.clone();
    name.set_span(name.span().located_at(at(case.id_place)));
    let generics =
        case::const_generics(benchmark, case).map(|generics| code!(generics => ::#generics));
    code_at!(at(case.id_place), name, generics => #name #generics)
}

/// `Some(fn pointer)` to a setup or teardown.
fn hook(benchmark: &Benchmark, case: &Case<'_>, hook: Option<&Hook>) -> TokenStream {
    let library = &benchmark.library;
    let (parameter, statement) = match hook {
        None => return code!(::core::option::Option::None),
        Some(Hook::Evaluate(expression)) => (code!(_), expression.to_tokens()),
        Some(Hook::Call(function)) => {
            let callee = case::callee(function);
            let takes_none =
                matches!(&function.form, Form::Closure(closure) if closure.parameters.is_empty());
            if takes_none {
                (code!(_), code_at!(at(function), callee => #callee()))
            } else {
                let input = input_of_hook(benchmark, case);
                let call = code_at!(at(function), callee, input => #callee(#input));
                (case::parameter(case), call)
            }
        }
    };
    code! { parameter, library, statement =>
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
    vec![
        code_at!(at(iter), library, iter, typed, element => #library::__internal::nth_typed(#iter, #typed, #element)),
    ]
}
