//! The benchmarks of one function.
//!
//! In: the model. Out: one [`Case`] for each benchmark, or for all that an iterator or file gives,
//! with its id as it is displayed, and with the `setup` and `teardown` that apply to it.
//! Configurations are not merged; the runner does that.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Expr, Ident};

use crate::model::{Bench, Benchmark, Cases, Consts, Hook, Id, Lines, Scaling};

/// One benchmark.
pub(crate) struct Case<'a> {
    /// A function without `#[bench]` has one case without id.
    pub id: Option<String>,
    /// Place of type errors that are about no value.
    pub id_place: &'a Ident,
    /// The id that `ids` gave.
    pub own_id: Option<&'a Id>,
    /// Is the id the place of the case in a list?
    pub positional: bool,
    pub input: Input<'a>,
    /// Place of errors about the number of arguments.
    pub place: TokenStream,
    pub consts: Option<&'a Consts>,
    /// Text to show instead of the arguments.
    pub label: Option<&'a str>,
    pub config: Option<&'a Expr>,
    pub setup: Option<&'a Hook>,
    pub teardown: Option<&'a Hook>,
    pub scaling: Option<&'a Scaling>,
    pub throughput: Option<&'a Hook>,
}

/// Source of the arguments.
#[derive(Clone, Copy)]
pub(crate) enum Input<'a> {
    Values(&'a [Expr]),
    Iter(&'a Expr),
    Lines(&'a Lines),
}

impl Input<'_> {
    /// Number of arguments.
    pub(crate) fn count(self) -> usize {
        match self {
            Self::Values(values) => values.len(),
            Self::Iter(_) | Self::Lines(_) => 1,
        }
    }
}

/// All of them, in the order of the attributes.
pub(crate) fn cases(benchmark: &Benchmark) -> Vec<Case<'_>> {
    let name = &benchmark.function.sig.ident;
    let Some(benches) = &benchmark.benches else {
        return vec![Case {
            id: None,
            id_place: name,
            own_id: None,
            positional: false,
            input: Input::Values(&[]),
            place: benchmark.function.sig.inputs.to_token_stream(),
            consts: None,
            label: None,
            config: None,
            setup: benchmark.settings.setup.as_ref(),
            teardown: benchmark.settings.teardown.as_ref(),
            scaling: None,
            throughput: benchmark.settings.throughput.as_ref(),
        }];
    };
    benches
        .iter()
        .flat_map(|bench| of_bench(benchmark, bench))
        .collect()
}

fn of_bench<'a>(benchmark: &'a Benchmark, bench: &'a Bench) -> Vec<Case<'a>> {
    let inputs: Vec<(Input<'a>, TokenStream)> = match &bench.cases {
        Cases::One(arguments) => vec![(Input::Values(&arguments.values), arguments.place.clone())],
        Cases::Many(cases) => {
            // Arguments and values of const generics are paired; the shorter list repeats its end.
            let count = cases.len().max(bench.consts.len());
            let cases = (0..count).filter_map(|index| nth_or_last(cases, index));
            cases
                .map(|arguments| (Input::Values(&arguments.values), arguments.place.clone()))
                .collect()
        }
        Cases::Iter(iter) => vec![(Input::Iter(iter), iter.to_token_stream())],
        Cases::Lines(lines) => vec![(Input::Lines(lines), lines.literal.to_token_stream())],
    };
    let inherited = &benchmark.settings;
    let own = &bench.settings;
    let case = |(index, (input, place))| Case {
        id: Some(id(bench, index)),
        id_place: &bench.id,
        own_id: bench.ids.get(index),
        // An id with a number is a place in a list, and of other arguments as soon as the list
        // changes.
        positional: bench.ids.is_empty() && !matches!(bench.cases, Cases::One(_)),
        input,
        place,
        consts: nth_or_last(&bench.consts, index),
        label: bench.labels.get(index).map(String::as_str),
        config: own.config.as_ref(),
        setup: own.setup.as_ref().or(inherited.setup.as_ref()),
        teardown: own.teardown.as_ref().or(inherited.teardown.as_ref()),
        scaling: bench.scaling.as_ref(),
        throughput: own.throughput.as_ref().or(inherited.throughput.as_ref()),
    };
    inputs.into_iter().enumerate().map(case).collect()
}

/// The elements of iterators and files get their numbers where they are counted.
fn id(bench: &Bench, index: usize) -> String {
    if let Some(id) = bench.ids.get(index) {
        return id.text.clone();
    }
    let id = bench.id.unraw();
    match bench.cases {
        Cases::Many(_) => format!("{id}_{index}"),
        Cases::One(_) | Cases::Iter(_) | Cases::Lines(_) => id.to_string(),
    }
}

/// A list that repeats its end.
pub(crate) fn nth_or_last<T>(list: &[T], index: usize) -> Option<&T> {
    list.get(index).or(list.last())
}
