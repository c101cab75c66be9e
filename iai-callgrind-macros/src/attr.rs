//! Parses an annotated function.
//!
//! In: the tokens inside of `#[library_benchmark(..)]` or `#[binary_benchmark(..)]` and the function
//! below. Out: a [`Benchmark`] with everything that could be understood; the rest is in the errors.

use proc_macro2::TokenStream;
use quote::{quote, ToTokens};
use syn::{Attribute, Expr, Ident, ItemFn, MacroDelimiter, Meta};

use crate::model::{Arguments, Bench, Benchmark, Cases, Kind, Settings};
use crate::parameters::{bare, Parameters};
use crate::recover::Errors;

/// The whole attribute with its function.
pub(crate) fn parse(
    kind: Kind,
    attribute: TokenStream,
    mut function: ItemFn,
    errors: &mut Errors,
) -> Benchmark {
    let mut parameters: Parameters = errors.keep(syn::parse2(attribute)).unwrap_or_default();
    if let Some(value) = parameters.positional.first() {
        let name = kind.attribute();
        errors.at(value, format!("expected `name = value` in `#[{name}(..)]`"));
    }
    let library = library_path(&mut parameters, errors);
    let settings = settings(&mut parameters, kind, errors);
    parameters.finish(&["config", "setup", "teardown", "crate"], errors);

    let (bench_attributes, others): (Vec<_>, Vec<_>) = function.attrs.drain(..).partition(is_bench);
    function.attrs = others;
    let benches = (!bench_attributes.is_empty()).then(|| {
        let mut benches = vec![];
        for attribute in &bench_attributes {
            let mut own = Errors::default();
            let bench = bench(attribute, kind, &mut own);
            // Half of a bench would only give errors about the missing half.
            benches.extend(bench.filter(|_| own.is_empty()));
            errors.append(own);
        }
        benches
    });
    Benchmark {
        kind,
        library,
        function,
        settings,
        benches,
    }
}

fn library_path(parameters: &mut Parameters, errors: &mut Errors) -> TokenStream {
    match parameters.take("crate", errors).map(bare) {
        Some(Expr::Path(path)) => path.into_token_stream(),
        Some(other) => {
            errors.at(
                other,
                "`crate` is the path of the library, like `crate = my::iai_callgrind`",
            );
            quote!(::iai_callgrind)
        }
        None => quote!(::iai_callgrind),
    }
}

fn settings(parameters: &mut Parameters, kind: Kind, errors: &mut Errors) -> Settings {
    Settings {
        config: parameters.take("config", errors),
        setup: parameters.take_hook("setup", kind, errors),
        teardown: parameters.take_hook("teardown", kind, errors),
    }
}

fn is_bench(attribute: &Attribute) -> bool {
    let first = attribute.path().segments.first();
    first.is_some_and(|first| first.ident == "bench" || first.ident == "benches")
}

/// One `#[bench::id(..)]` or `#[benches::id(..)]`.
fn bench(attribute: &Attribute, kind: Kind, errors: &mut Errors) -> Option<Bench> {
    let segments: Vec<_> = attribute.path().segments.iter().map(|s| &s.ident).collect();
    let (&name, ids) = segments.split_first()?;
    let &[id] = ids else {
        if ids.is_empty() {
            errors.at(
                attribute,
                format!("an id is missing: `#[{name}::some_id(..)]`"),
            );
        } else {
            errors.at(
                attribute.path(),
                format!("expected one id: `#[{name}::some_id(..)]`"),
            );
        }
        return None;
    };
    let tokens = match &attribute.meta {
        Meta::List(list) if matches!(list.delimiter, MacroDelimiter::Paren(_)) => &list.tokens,
        _ => {
            errors.at(
                attribute,
                format!("expected parentheses: `#[{name}::{id}(..)]`"),
            );
            return None;
        }
    };
    let mut parameters: Parameters = errors.keep(syn::parse2(tokens.clone()))?;
    let settings = settings(&mut parameters, kind, errors);
    let args = parameters.take("args", errors);
    let positional = std::mem::take(&mut parameters.positional);
    parameters.finish(&["args", "config", "setup", "teardown"], errors);
    if let (Some(args), false) = (&args, positional.is_empty()) {
        errors.at(
            args,
            "arguments are given twice: without a name and as `args`",
        );
        return None;
    }
    let cases = match args {
        Some(args) if name == "bench" => Cases::One(arguments(args, errors)?),
        Some(args) => Cases::Many(argument_lists(args, errors)?),
        None if name == "bench" => Cases::One(Arguments {
            place: place(&positional, attribute),
            values: positional,
        }),
        None if positional.is_empty() => Cases::Many(vec![Arguments {
            values: vec![],
            place: attribute.to_token_stream(),
        }]),
        None => Cases::Many(positional.into_iter().map(case).collect()),
    };
    Some(Bench {
        id: Ident::clone(id),
        cases,
        settings,
    })
}

/// Where an error about the number of values points.
fn place(values: &[Expr], attribute: &Attribute) -> TokenStream {
    if values.is_empty() {
        attribute.to_token_stream()
    } else {
        quote!(#(#values),*)
    }
}

/// `args` of `#[bench]`: a tuple, an array, or one value in parentheses.
fn arguments(args: Expr, errors: &mut Errors) -> Option<Arguments> {
    let place = args.to_token_stream();
    let values = match bare(args) {
        Expr::Tuple(tuple) => tuple.elems.into_iter().collect(),
        Expr::Array(array) => array.elems.into_iter().collect(),
        Expr::Paren(paren) => vec![*paren.expr],
        _ => {
            errors.at(
                place,
                "`args` is a list of arguments: `args = (1, 2)` or `args = [1, 2]`",
            );
            return None;
        }
    };
    Some(Arguments { values, place })
}

/// `args` of `#[benches]`: an array with one element for each case.
fn argument_lists(args: Expr, errors: &mut Errors) -> Option<Vec<Arguments>> {
    let place = args.to_token_stream();
    let Expr::Array(array) = bare(args) else {
        errors.at(
            place,
            "`args` is an array that is written here, with one element for each case: \
             `args = [1, 2]`, or with several parameters `args = [(1, \"a\"), (2, \"b\")]`",
        );
        return None;
    };
    if array.elems.is_empty() {
        return Some(vec![Arguments {
            values: vec![],
            place,
        }]);
    }
    Some(array.elems.into_iter().map(case).collect())
}

/// One case of `#[benches]`: a tuple holds several arguments, `((1, 2))` is one tuple.
fn case(value: Expr) -> Arguments {
    let place = value.to_token_stream();
    let values = match bare(value) {
        Expr::Tuple(tuple) => tuple.elems.into_iter().collect(),
        Expr::Paren(paren) => vec![*paren.expr],
        value => vec![value],
    };
    Arguments { values, place }
}
