//! Everything that is wrong although it could be parsed.
//!
//! In: the model and its cases. Out: errors at the tokens that caused them. What needs types is
//! left to rustc.

use std::collections::HashSet;

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Attribute, Expr, FnArg, ReturnType, Safety, Type};

use crate::cases::{Case, Input};
use crate::errors::Errors;
use crate::input::{bare_type, scaling, throughput};
use crate::model::{Benchmark, Cases, Hook, Kind};
use crate::text;

pub(crate) fn check(benchmark: &Benchmark, cases: &[Case<'_>], errors: &mut Errors) {
    function(benchmark, errors);
    output(benchmark, errors);
    attributes(benchmark, errors);
    ids(cases, errors);
    // The receiver is an error already, and would be one parameter too many.
    if benchmark.function.sig.receiver().is_none() {
        arguments(benchmark, cases, errors);
        consts(benchmark, cases, errors);
        scaling::check(benchmark, cases, errors);
        throughput::check(benchmark, cases, errors);
    }
    if let (true, [_]) = (benchmark.equal_counts && !has_elements(cases), cases) {
        errors.at(
            &benchmark.function.sig.ident,
            "`equal_counts` compares the cases of a function, and this one has a single case",
        );
    }
}

/// Does an iterator or a file make the cases? Their number is not known yet.
fn has_elements(cases: &[Case<'_>]) -> bool {
    cases
        .iter()
        .any(|case| !matches!(case.input, Input::Values(_)))
}

/// Functions that cannot be a benchmark.
fn function(benchmark: &Benchmark, errors: &mut Errors) {
    let signature = &benchmark.function.sig;
    if let (Some(token), Kind::Binary) = (&signature.asyncness, benchmark.kind) {
        errors.at(
            token,
            "a function with `#[binary_benchmark]` returns a command and is not `async`",
        );
    }
    executor(benchmark, errors);
    if let Safety::Unsafe(token) = &signature.safety {
        errors.at(
            token,
            "a benchmark is called as a safe function; use `unsafe { .. }` inside of it",
        );
    }
    if let Some(receiver) = signature.receiver() {
        errors.at(receiver, "a benchmark is a free function and not a method");
    }
    if let Some(variadic) = &signature.variadic {
        errors.at(variadic, "a benchmark has a fixed number of parameters");
    }
}

/// Checks the function that runs the future of an async benchmark.
fn executor(benchmark: &Benchmark, errors: &mut Errors) {
    let Some(executor) = &benchmark.executor else {
        return;
    };
    let name = benchmark.name();
    if !benchmark.is_async() {
        errors.at(
            executor,
            format!("`executor` runs the future of an `async fn`, and `{name}` is none"),
        );
    } else if !matches!(executor, Expr::Path(_) | Expr::Closure(_)) {
        errors.at(
            executor,
            "`executor` is a function or closure that gets the future and returns its output: \
             `executor = block_on`, `executor = |future| runtime().block_on(future)`",
        );
    }
}

/// A binary benchmark returns something.
fn output(benchmark: &Benchmark, errors: &mut Errors) {
    let signature = &benchmark.function.sig;
    if let (Kind::Binary, ReturnType::Default) = (benchmark.kind, &signature.output) {
        errors.at(
            &signature.ident,
            format!(
                "a function with `#[binary_benchmark]` returns the command to run: \
                 `fn {}(..) -> iai_callgrind::Command`",
                signature.ident.unraw()
            ),
        );
    }
}

/// Attributes that would change what is measured. All others stay on the function.
fn attributes(benchmark: &Benchmark, errors: &mut Errors) {
    let measured = benchmark.kind == Kind::Library;
    for attribute in &benchmark.function.attrs {
        let text = if measured && attribute.path().is_ident("inline") {
            "`#[inline]` has no place on a benchmark: its body is measured as one function that is never \
             inlined"
        } else if measured && attribute.path().is_ident("target_feature") {
            "a function with `#[target_feature]` cannot be inlined into the function that is measured; \
             call it from the benchmark"
        } else if is_ours(attribute) {
            "a second benchmark attribute on the same function"
        } else {
            continue;
        };
        errors.at(attribute, text);
    }
}

pub(crate) fn is_ours(attribute: &Attribute) -> bool {
    let last = attribute.path().segments.last();
    last.is_some_and(|last| last.ident == "library_benchmark" || last.ident == "binary_benchmark")
}

/// The longest id, in bytes. Those that are made at run time have the same limit.
const MAX_ID: usize = 120;

/// Results are stored under the ids.
fn ids(cases: &[Case<'_>], errors: &mut Errors) {
    let mut seen = HashSet::new();
    for case in cases {
        let Some(id) = &case.id else { continue };
        // Numbers are not written, and not counted.
        let (place, found) = match (case.own_id, case.id_place) {
            (Some(own), _) => (own.place.clone(), own.text.len()),
            (None, id) => (id.to_token_stream(), id.unraw().to_string().len()),
        };
        if found > MAX_ID {
            let text = format!("this id has {found} bytes; an id has at most {MAX_ID}");
            errors.at(place, text);
            return;
        }
        if !seen.insert(id) {
            errors.at(
                place,
                format!("the id `{id}` exists twice in this function"),
            );
        }
    }
}

/// The number of arguments. If a setup takes them, rustc checks it.
fn arguments(benchmark: &Benchmark, cases: &[Case<'_>], errors: &mut Errors) {
    let expected = benchmark.parameters().len();
    for case in cases {
        if case.id.is_none() && expected > 0 && !is_made_by_setup(benchmark, case) {
            let mut text =
                "a benchmark with parameters needs arguments: add `#[bench::some_id(..)]` or \
                            `#[benches::some_id(..)]` below the attribute"
                    .to_owned();
            if benchmark.parameters().any(is_of_a_framework) {
                text.push_str(
                    "; there is no `Bencher`: what the function itself does is counted, and what the closure of \
                     `b.iter(..)` does stands in its body",
                );
            }
            errors.at(&benchmark.function.sig.inputs, text);
        } else if !is_made_by_setup(benchmark, case) {
            if case.input.count() != expected {
                errors.at(&case.place, wrong_number(benchmark, case));
            }
        } else if let (Some(setup), true) = (case.setup, expected != 1) {
            errors.at(
                setup.expression(),
                format!(
                    "with a setup, a benchmark has one parameter: what the setup returns; {}",
                    parameters(benchmark)
                ),
            );
            // A setup of the attribute is that of every case: one error is enough.
            return;
        }
    }
}

/// Does the setup take the arguments and return the one of the benchmark?
pub(crate) fn is_made_by_setup(benchmark: &Benchmark, case: &Case<'_>) -> bool {
    benchmark.kind == Kind::Library && matches!(case.setup, Some(Hook::Call(_)))
}

/// The number of values for const generics.
fn consts(benchmark: &Benchmark, cases: &[Case<'_>], errors: &mut Errors) {
    let name = benchmark.name();
    let generics = benchmark.function.sig.generics.const_params();
    let expected: Vec<_> = generics
        .map(|parameter| format!("`{}`", parameter.ident))
        .collect();
    for case in cases {
        let Some(consts) = case.consts else { continue };
        let found = consts.values.len();
        if found != expected.len() {
            let s = if expected.len() == 1 { "" } else { "s" };
            let names = match expected.as_slice() {
                [] => format!("`{name}` has no const generics"),
                names => format!("those of `{name}` are {}", names.join(", ")),
            };
            errors.at(
                &consts.place,
                format!(
                    "expected {} value{s} for const generics but found {found}; {names}",
                    expected.len()
                ),
            );
        }
    }
    for bench in benchmark.benches.iter().flatten() {
        let from_elsewhere = matches!(bench.cases, Cases::Iter(_) | Cases::Lines(_));
        if let (true, [_, second, ..]) = (from_elsewhere, bench.consts.as_slice()) {
            errors.at(
                &second.place,
                "with `iter` or `file`, `consts` has one element, which stands for all cases",
            );
        }
    }
}

fn wrong_number(benchmark: &Benchmark, case: &Case<'_>) -> String {
    let expected = benchmark.parameters().len();
    let found = case.input.count();
    let s = if expected == 1 { "" } else { "s" };
    let mut text = format!("expected {expected} argument{s} but found {found}; ");
    text.push_str(&parameters(benchmark));
    let is_bench = case.id.as_deref() == Some(&*case.id_place.unraw().to_string());
    if expected == 1 && found > 1 && benchmark.parameters().any(is_tuple) {
        text.push_str("; put a single tuple in parentheses once more: `((..))`");
    } else if let (true, 1, 2.., Input::Values(values)) = (is_bench, expected, found, case.input) {
        let values: Vec<_> = values.iter().map(text::tokens).collect();
        let (id, values) = (case.id_place, values.join(", "));
        text.push_str(&format!(
            "; several cases: `#[benches::{id}(args = [{values}])]`"
        ));
    }
    let is_library = benchmark.kind == Kind::Library;
    if let (true, 1, 0, Some(Hook::Evaluate(setup))) = (is_library, expected, found, case.setup) {
        let setup = text::tokens(setup);
        text.push_str(&format!(
            "; the value of this setup is dropped, `setup = || {setup}` passes it on"
        ));
    }
    text
}

/// Is it a parameter that benchmarks of other frameworks have?
fn is_of_a_framework(parameter: &FnArg) -> bool {
    let FnArg::Typed(parameter) = parameter else {
        return false;
    };
    let ty = match bare_type(&parameter.ty) {
        Type::Reference(reference) => bare_type(&reference.elem),
        ty => ty,
    };
    let name = match ty {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    };
    name.is_some_and(|name| name.ident == "Bencher" || name.ident == "Criterion")
}

fn is_tuple(parameter: &FnArg) -> bool {
    matches!(parameter, FnArg::Typed(parameter) if matches!(bare_type(&parameter.ty), Type::Tuple(_)))
}

fn parameters(benchmark: &Benchmark) -> String {
    let parameters: Vec<_> = benchmark.parameters().map(text::tokens).collect();
    let name = benchmark.name();
    match parameters.as_slice() {
        [] => format!("`{name}` has no parameters"),
        [one] => format!("the parameter of `{name}` is `{one}`"),
        several => format!("the parameters of `{name}` are `{}`", several.join(", ")),
    }
}
