//! The benchmarks of one function.
//!
//! In: the model. Out: one [`Case`] for each benchmark, with its id as it is displayed, and with the
//! `setup` and `teardown` that apply to it. Configurations are not merged; the runner does that.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, Ident};

use crate::model::{Bench, Benchmark, Cases, Hook};
use crate::text;

/// One benchmark.
pub(crate) struct Case<'a> {
    /// A function without `#[bench]` has one case without id.
    pub id: Option<String>,
    /// Where errors about the id point.
    pub id_place: &'a Ident,
    pub values: &'a [Expr],
    /// Where errors about the number of arguments point.
    pub place: TokenStream,
    pub config: Option<&'a Expr>,
    pub setup: Option<&'a Hook>,
    pub teardown: Option<&'a Hook>,
}

/// All of them, in the order of the attributes.
pub(crate) fn cases(benchmark: &Benchmark) -> Vec<Case<'_>> {
    let name = &benchmark.function.sig.ident;
    let Some(benches) = &benchmark.benches else {
        return vec![Case {
            id: None,
            id_place: name,
            values: &[],
            place: benchmark.function.sig.inputs.to_token_stream(),
            config: None,
            setup: benchmark.settings.setup.as_ref(),
            teardown: benchmark.settings.teardown.as_ref(),
        }];
    };
    benches
        .iter()
        .flat_map(|bench| of_bench(benchmark, bench))
        .collect()
}

fn of_bench<'a>(benchmark: &'a Benchmark, bench: &'a Bench) -> Vec<Case<'a>> {
    let id = text::plain(&bench.id);
    let with_ids: Vec<_> = match &bench.cases {
        Cases::One(arguments) => vec![(id, arguments)],
        Cases::Many(cases) => {
            let numbered = cases.iter().enumerate();
            numbered
                .map(|(index, arguments)| (format!("{id}_{index}"), arguments))
                .collect()
        }
    };
    let inherited = &benchmark.settings;
    let own = &bench.settings;
    with_ids
        .into_iter()
        .map(|(id, arguments)| Case {
            id: Some(id),
            id_place: &bench.id,
            values: &arguments.values,
            place: arguments.place.clone(),
            config: own.config.as_ref(),
            setup: own.setup.as_ref().or(inherited.setup.as_ref()),
            teardown: own.teardown.as_ref().or(inherited.teardown.as_ref()),
        })
        .collect()
}
