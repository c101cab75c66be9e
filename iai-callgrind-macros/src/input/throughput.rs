//! `throughput`: how much a benchmark handles.
//!
//! In: the value of the parameter. Out: the same as a [`Hook`], a function to call or an expression with the names of the
//! parameters, and errors about amounts that can be seen to be none.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, Lit, UnOp};

use super::parameters::{bare, hook, Parameters};
use crate::cases::Case;
use crate::check::is_made_by_setup;
use crate::errors::Errors;
use crate::model::{Benchmark, Hook};

/// Takes the parameter.
pub(super) fn throughput(parameters: &mut Parameters, errors: &mut Errors) -> Option<Hook> {
    let value = bare(parameters.take("throughput", errors)?);
    let is_negative = matches!(&value, Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)));
    if is_negative || matches!(value, Expr::Lit(_)) {
        errors.at(
            &value,
            "`throughput` says what it counts: `throughput = Bytes(1024)` or `throughput = Elements(10)`",
        );
        return None;
    }
    if let Some(zero) = zero(value.to_token_stream()) {
        errors.at(
            zero,
            "a throughput is above 0, since instructions are divided by it; `throughput = ()` is that of a \
             case that handles nothing",
        );
    }
    Some(hook(value))
}

/// The amount of the first call such as `Bytes(0)` or `Elements(-1)` that is not positive.
fn zero(tokens: TokenStream) -> Option<TokenStream> {
    let mut is_amount = false;
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            let amount = group.stream();
            let is_call = is_amount && group.delimiter() == Delimiter::Parenthesis;
            if is_call && is_not_positive(amount.clone()) {
                return Some(amount);
            }
            if let Some(found) = zero(amount) {
                return Some(found);
            }
        }
        is_amount =
            matches!(&token, TokenTree::Ident(name) if name == "Bytes" || name == "Elements");
    }
    None
}

/// Is it a number that is written as 0 or less?
fn is_not_positive(tokens: TokenStream) -> bool {
    let tokens: Vec<_> = tokens.into_iter().collect();
    match tokens.as_slice() {
        [TokenTree::Punct(minus), TokenTree::Literal(_)] => minus.as_char() == '-',
        [TokenTree::Literal(literal)] => {
            matches!(Lit::new(literal.clone()), Lit::Int(number) if number.base10_digits() == "0")
        }
        _ => false,
    }
}

/// An expression that names what a setup makes: the setup does not run for it.
pub(crate) fn check(benchmark: &Benchmark, cases: &[Case<'_>], errors: &mut Errors) {
    for case in cases {
        let Some(Hook::Evaluate(expression)) = case.throughput else {
            continue;
        };
        if !is_made_by_setup(benchmark, case) {
            continue;
        }
        let mut names = Vec::new();
        for parameter in benchmark.parameters() {
            bound(parameter.to_token_stream(), &mut names);
        }
        if let Some(name) = named(expression.to_token_stream(), &names) {
            errors.at(
                &name,
                format!(
                    "the setup makes `{name}` for each run, and `throughput` is asked for once, without it: a closure \
                     gets the arguments of the setup, as in `throughput = |n| Elements(n)`"
                ),
            );
            return;
        }
    }
}

/// Adds the names that a pattern binds: `numbers` of `mut numbers: Vec<u64>`.
fn bound(pattern: TokenStream, names: &mut Vec<String>) {
    for token in pattern {
        match token {
            // The type follows.
            TokenTree::Punct(colon) if colon.as_char() == ':' => return,
            TokenTree::Group(group) => bound(group.stream(), names),
            TokenTree::Ident(name) if name != "mut" && name != "ref" => {
                names.push(name.to_string())
            }
            _ => {}
        }
    }
}

/// The first of these names that stands there for a value, and not for a field or method.
fn named(tokens: TokenStream, names: &[String]) -> Option<TokenTree> {
    let mut is_member = false;
    for token in tokens {
        match &token {
            TokenTree::Ident(ident) if !is_member && names.iter().any(|name| ident == name) => {
                return Some(token);
            }
            TokenTree::Group(group) => {
                if let Some(found) = named(group.stream(), names) {
                    return Some(found);
                }
            }
            _ => {}
        }
        is_member = matches!(&token, TokenTree::Punct(dot) if dot.as_char() == '.');
    }
    None
}
