//! Parses an annotated function.
//!
//! In: the tokens inside of `#[library_benchmark(..)]` or `#[binary_benchmark(..)]` and the
//! function below. Out: a [`Benchmark`] with everything that could be understood; the rest is in
//! the errors.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Expr, ItemFn, Lit};

use super::bench::bench;
use super::parameters::{bare, literal, Parameters};
use super::throughput::throughput;
use crate::compiler;
use crate::errors::Errors;
use crate::model::{Benchmark, Kind, Settings};

/// The whole attribute with its function.
pub(crate) fn benchmark(
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
    let settings = settings(&mut parameters, errors);
    // Not taken from a binary benchmark, so that `finish` reports it as unknown.
    let executor = match kind {
        Kind::Library => parameters.take("executor", errors).map(bare),
        Kind::Binary => None,
    };
    let equal_counts = match kind {
        Kind::Library => truth("equal_counts", &mut parameters, errors),
        Kind::Binary => false,
    };
    let accepted = [
        "config",
        "setup",
        "teardown",
        "throughput",
        "crate",
        "executor",
        "equal_counts",
    ];
    // The last two are of library benchmarks alone.
    let of_both = accepted.len() - 2;
    parameters.finish(
        match kind {
            Kind::Library => &accepted,
            Kind::Binary => &accepted[..of_both],
        },
        errors,
    );

    let (bench_attributes, others): (Vec<_>, Vec<_>) = function.attrs.drain(..).partition(is_bench);
    function.attrs = others;
    let benches = (!bench_attributes.is_empty()).then(|| {
        let mut benches = vec![];
        for attribute in &bench_attributes {
            let mut own = Errors::default();
            let bench = bench(attribute, &mut own);
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
        executor,
        equal_counts,
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
            compiler::library()
        }
        None => compiler::library(),
    }
}

/// A value that decides what is generated; false if it is not given.
fn truth(name: &str, parameters: &mut Parameters, errors: &mut Errors) -> bool {
    let value = parameters.take(name, errors);
    value.is_some_and(|value| is_true(value, name, errors))
}

/// Is the value `true`? It is written as a literal.
pub(super) fn is_true(value: Expr, name: &str, errors: &mut Errors) -> bool {
    let Some(Lit::Bool(truth)) = literal(&value) else {
        errors.at(bare(value), format!("`{name}` is `true` or `false`"));
        return false;
    };
    truth.value
}

/// Takes the parameters that a function and each of its benches accept.
pub(super) fn settings(parameters: &mut Parameters, errors: &mut Errors) -> Settings {
    Settings {
        config: parameters.take("config", errors),
        setup: parameters.take_hook("setup", errors),
        teardown: parameters.take_hook("teardown", errors),
        throughput: throughput(parameters, errors),
    }
}

fn is_bench(attribute: &Attribute) -> bool {
    let first = attribute.path().segments.first();
    first.is_some_and(|first| first.ident == "bench" || first.ident == "benches")
}
