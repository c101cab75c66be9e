//! `scaling` of `#[benches]`: how counts grow with the size of the input.
//!
//! In: the value of the parameter. Out: a [`Scaling`], and errors where the cases cannot tell a
//! growth.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, Lit};

use super::parameters::{bare, bare_ref, literal};
use crate::cases::{Case, Input};
use crate::errors::Errors;
use crate::model::{Bench, Benchmark, Cases, Scaling};
use crate::text;

/// Growths, as the user writes them and as the runner knows them.
const GROWTHS: [(&str, &str); 9] = [
    ("any", "any"),
    ("constant", "constant"),
    ("log n", "log n"),
    ("n", "n"),
    ("n log n", "n log n"),
    ("n^2", "n^2"),
    ("n²", "n^2"),
    ("n^3", "n^3"),
    ("n³", "n^3"),
];

/// Fewest sizes that tell a growth; the runner has the same bound for elements of iterators.
const FEWEST_SIZES: usize = 3;

/// `"n log n"`, or `("n log n", size)` with a function or closure.
pub(super) fn scaling(value: Expr, errors: &mut Errors) -> Option<Scaling> {
    let place = value.to_token_stream();
    let (growth, function) = match bare(value) {
        Expr::Tuple(tuple) if tuple.elems.len() == 2 => {
            let mut elements = tuple.elems.into_iter().map(bare);
            (elements.next()?, elements.next())
        }
        growth => (growth, None),
    };
    if let Some(function) = &function {
        if !matches!(function, Expr::Path(_) | Expr::Closure(_)) {
            errors.at(
                function,
                "the size of an input is told by a function or closure, which gets the arguments: \
                 `scaling = (\"n\", |n| n * n)`",
            );
            return None;
        }
    }
    let Some(Lit::Str(name)) = literal(&growth) else {
        errors.at(growth, FORMS);
        return None;
    };
    let known = |(written, _): &&(&str, &str)| *written == name.value();
    let Some((_, growth)) = GROWTHS.iter().find(known) else {
        errors.at(
            name,
            "this growth is not known; it is one of \"constant\", \"log n\", \"n\", \"n log n\", \"n^2\" and \
             \"n^3\", or \"any\" where none is stated",
        );
        return None;
    };
    Some(Scaling {
        growth,
        function,
        place,
    })
}

const FORMS: &str = "`scaling` is the growth that the counts may have, with a function that says how large an \
    input is where the argument is no number: `scaling = \"n log n\"` or `scaling = (\"n log n\", size)`";

/// Whether the cases can tell a growth.
pub(crate) fn check(benchmark: &Benchmark, cases: &[Case<'_>], errors: &mut Errors) {
    for bench in benchmark.benches.iter().flatten() {
        if let Some(scaling) = &bench.scaling {
            check_bench(bench, scaling, cases, errors);
        }
    }
}

fn check_bench(bench: &Bench, scaling: &Scaling, cases: &[Case<'_>], errors: &mut Errors) {
    // By the place in memory: two attributes may have one id, which is an error of its own.
    let is_own = |case: &&Case<'_>| std::ptr::eq(case.id_place, &bench.id);
    let own: Vec<_> = cases.iter().filter(is_own).collect();
    if let (Cases::Lines(_), None) = (&bench.cases, &scaling.function) {
        errors.at(
            &scaling.place,
            "a line of a file is no number, so a function has to say how large it is: \
             `scaling = (\"n\", |line: &str| line.len())`",
        );
        return;
    }
    if scaling.function.is_none() {
        for case in &own {
            if let Err((place, text)) = is_size(case) {
                errors.at(&place, text);
                return;
            }
        }
    }
    // How many elements an iterator has is not known yet.
    if let Cases::Many(_) = bench.cases {
        let sizes = match scaling.function {
            Some(_) => own.len(),
            None => different(&own),
        };
        if sizes < FEWEST_SIZES {
            errors.at(
                &scaling.place,
                format!(
                    "a growth is told by at least {FEWEST_SIZES} different sizes, and better by 5; here are \
                     {sizes}: `args = [10, 100, 1000]`"
                ),
            );
        }
    }
}

/// Can the argument be the size? The error is its place and the reason.
fn is_size(case: &Case<'_>) -> Result<(), (TokenStream, &'static str)> {
    let Input::Values(values) = case.input else {
        return Ok(());
    };
    let [value] = values else {
        return Err((
            case.place.clone(),
            "which of several arguments is the size? A function of all of them says it: \
             `scaling = (\"n\", |rows, columns| rows * columns)`",
        ));
    };
    match bare_ref(value) {
        Expr::Lit(literal) if matches!(literal.lit, Lit::Int(_)) => Ok(()),
        Expr::Lit(_) | Expr::Array(_) | Expr::Tuple(_) | Expr::Closure(_) => Err((
            value.to_token_stream(),
            "this argument is no whole number, so a function has to say how large it is: \
             `scaling = (\"n\", |text: &str| text.len())`",
        )),
        // A constant or a call may be a number, which rustc checks.
        _ => Ok(()),
    }
}

/// The number of different sizes. Those that are not written as numbers are taken for different
/// ones.
fn different(cases: &[&Case<'_>]) -> usize {
    let sizes = cases.iter().filter_map(|case| {
        let value = argument(case)?;
        Some(match number(value) {
            Some(number) => number.to_string(),
            None => text::tokens(value),
        })
    });
    sizes.collect::<HashSet<_>>().len()
}

fn argument<'a>(case: &Case<'a>) -> Option<&'a Expr> {
    match case.input {
        Input::Values([value]) => Some(value),
        _ => None,
    }
}

/// The size of a case whose argument is written as a number.
pub(crate) fn known_size(case: &Case<'_>) -> Option<u64> {
    number(argument(case)?)
}

fn number(value: &Expr) -> Option<u64> {
    match literal(value) {
        Some(Lit::Int(number)) => number.base10_parse().ok(),
        _ => None,
    }
}
