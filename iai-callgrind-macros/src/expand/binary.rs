//! The parts of a binary benchmark: functions that make the command and call `setup` and
//! `teardown`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned, ToTokens};
use syn::{parse_quote, Block, Expr, ItemFn, ReturnType, Stmt, Type};

use super::{at, case, quiet};
use crate::cases::{Case, Input};
use crate::input::bare_type;
use crate::model::{Benchmark, Hook};
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
            (quote!(commands), quiet(iter), quote!(#text, #list,))
        }
        Input::Lines(lines) => (quote!(commands_of_lines), case::content(lines), quote!()),
    };
    let element = case::element();
    let command = command(benchmark, case, &[element.to_token_stream()]);
    let around = case::around(benchmark, case);
    let each = each();
    Some(quote! {
        #function(#source, |#element| #command, #texts #around, #each)
    })
}

/// Calls the user's function. Errors about its result are reported at the type of the result. The
/// arguments may borrow from temporary values, which live until the end of the `match`.
fn command(benchmark: &Benchmark, case: &Case<'_>, input: &[TokenStream]) -> TokenStream {
    let library = &benchmark.library;
    let signature = &benchmark.function.sig;
    let function = function(benchmark, case);
    let call = quote_spanned!(at(case.id_place)=> #function(#(#input),*));
    let place = match &signature.output {
        ReturnType::Type(_, ty) => at(ty),
        ReturnType::Default => Span::mixed_site(),
    };
    let made = Ident::new("__iai_callgrind_made", place);
    let library = case::located(library, place);
    let command = quote_spanned!(place=> #library::__internal::command(#made));
    quote!(match #call { #made => #command })
}

/// The user's function, with the values of its const generics.
pub(super) fn function(benchmark: &Benchmark, case: &Case<'_>) -> TokenStream {
    let mut name = benchmark.function.sig.ident.clone();
    // It means the user's function, and errors about it point at the id.
    name.set_span(name.span().located_at(at(case.id_place)));
    let generics = case::const_generics(benchmark, case).map(|generics| quote!(::#generics));
    quote_spanned!(at(case.id_place)=> #name #generics)
}

/// `Some(fn pointer)` to a setup or teardown.
fn hook(benchmark: &Benchmark, case: &Case<'_>, hook: Option<&Hook>) -> TokenStream {
    let library = &benchmark.library;
    let (parameter, statement) = match hook {
        None => return quote!(::core::option::Option::None),
        Some(Hook::Evaluate(expression)) => (quote!(_), quiet(expression)),
        Some(Hook::Call(function)) => {
            let callee = case::callee(function);
            // A path cannot be asked for its parameters, so it gets the arguments.
            let takes_none =
                matches!(function, Expr::Closure(closure) if closure.inputs.is_empty());
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
                // What it returns is dropped, also if it must be used.
                let _ = #statement;
            }
            __iai_callgrind_hook
        })
    }
}

/// The arguments of a case for a function beside the benchmark, such as a setup. An element has the
/// type that the function takes.
pub(super) fn input_of_hook(benchmark: &Benchmark, case: &Case<'_>) -> Vec<TokenStream> {
    let library = &benchmark.library;
    let Input::Iter(iter) = case.input else {
        return case::input(library, case);
    };
    let typed = case::typed(benchmark, case);
    let element = case::parameter(case);
    let library = case::located(library, at(iter));
    let values = quiet(iter);
    vec![quote_spanned!(at(iter)=> #library::__internal::nth_typed(#values, #typed, #element))]
}

/// Methods of the builder `Command`, which return a reference to it.
const BUILDERS: [&str; 15] = [
    "arg",
    "args",
    "current_dir",
    "delay",
    "env",
    "env_clear",
    "envs",
    "exit_with",
    "pass_through_env",
    "pass_through_envs",
    "sandbox",
    "setup_parallel",
    "stderr",
    "stdin",
    "stdout",
];

/// Lets a function return the reference that such a method returns, where `.build()` was forgotten.
pub(super) fn accept_references(library: &TokenStream, function: &mut ItemFn) {
    let output = &function.sig.output;
    if matches!(output, ReturnType::Type(_, ty) if matches!(bare_type(ty), Type::Path(_))) {
        in_block(library, &mut function.block);
    }
}

fn in_block(library: &TokenStream, block: &mut Block) {
    if let Some(Stmt::Expr(value, None)) = block.stmts.last_mut() {
        in_value(library, value);
    }
}

/// Looks for the call where the value of the function comes from. Only calls that are known are
/// touched: rustc might need the type of the function for others, such as `into`.
fn in_value(library: &TokenStream, value: &mut Expr) {
    match value {
        Expr::Block(block) => in_block(library, &mut block.block),
        Expr::Unsafe(block) => in_block(library, &mut block.block),
        Expr::Paren(paren) => in_value(library, &mut paren.expr),
        Expr::If(branches) => {
            in_block(library, &mut branches.then_branch);
            if let Some((_, otherwise)) = &mut branches.else_branch {
                in_value(library, otherwise);
            }
        }
        Expr::Match(branches) => {
            for arm in &mut branches.arms {
                in_value(library, &mut arm.body);
            }
        }
        Expr::MethodCall(call) if BUILDERS.iter().any(|name| call.method == name) => {
            let call = &*call;
            *value = parse_quote!(#library::__internal::built(#call));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &str, expected: &str) {
        let item = format!("fn f() -> Command {{ {body} }}");
        let mut function: ItemFn = syn::parse_str(&item).unwrap();
        accept_references(&quote!(l), &mut function);
        let expected: Block = syn::parse_str(&format!("{{ {expected} }}")).unwrap();
        let text = function.block.to_token_stream().to_string();
        assert_eq!(text, expected.to_token_stream().to_string(), "{body}");
    }

    #[test]
    fn references_to_builders_are_accepted() {
        let built = "l::__internal::built(c.arg(1))";
        for (before, after) in [
            ("", ""),
            ("let mut c = Command::new(\"x\"); ", ""),
            ("if a { c.arg(2); } ", ""),
            ("(", ")"),
            ("{ ", " }"),
            ("unsafe { x; ", " }"),
            ("if unsafe { x } { y } else { ", " }"),
            ("if a { d } else if m! {} { ", " } else { e }"),
            ("match x { A => ", ", B => d }"),
            ("match x { A => d, B if y => { ", " } C => e }"),
        ] {
            check(
                &format!("{before}c.arg(1){after}"),
                &format!("{before}{built}{after}"),
            );
        }
        check(
            "x.f::<A, B>(1).args::<Vec<_>, _>(y)",
            "l::__internal::built(x.f::<A, B>(1).args::<Vec<_>, _>(y))",
        );
    }

    #[test]
    fn all_other_values_stay() {
        for body in [
            "",
            "c",
            "c.arg",
            "c.arg(1).build()",
            "c.arg(1).into()",
            "c.arg(1);",
            "arg(1)",
            "&mut *c.arg(1)",
            "c.arg(1)?",
            "return c.arg(1)",
            "|x| c.arg(1)",
            "loop { break c.arg(1) }",
            "m! { c.arg(1) }",
        ] {
            check(body, body);
        }
    }

    #[test]
    fn only_functions_that_return_a_type_by_its_name_are_changed() {
        let item = "fn f() -> &Command { c.arg(1) }";
        let mut function: ItemFn = syn::parse_str(item).unwrap();
        accept_references(&quote!(l), &mut function);
        let text = function.block.to_token_stream().to_string();
        assert_eq!(text, "{ c . arg (1) }");
    }
}
