//! Parses `#[bench::id(..)]` and `#[benches::id(..)]`.
//!
//! In: one attribute. Out: a [`Bench`] with its cases, or `None` when it cannot be understood.

use quote::{quote, ToTokens};
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitStr, MacroDelimiter, Meta};

use super::function::settings;
use super::parameters::{bare, Parameters};
use super::scaling::scaling;
use super::{ids, lines};
use crate::errors::Errors;
use crate::model::{Arguments, Bench, Cases, Consts};

/// Parameters of `#[bench]`.
const OF_BENCH: [&str; 7] = [
    "args",
    "consts",
    "label",
    "config",
    "setup",
    "teardown",
    "throughput",
];

/// Parameters of `#[benches]`.
const OF_BENCHES: [&str; 11] = [
    "args",
    "file",
    "iter",
    "consts",
    "ids",
    "labels",
    "scaling",
    "config",
    "setup",
    "teardown",
    "throughput",
];

/// One attribute.
pub(super) fn bench(attribute: &Attribute, errors: &mut Errors) -> Option<Bench> {
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
    let arguments = match &attribute.meta {
        Meta::List(list) if matches!(list.delimiter, MacroDelimiter::Paren(_)) => &list.tokens,
        _ => {
            errors.at(
                attribute,
                format!("expected parentheses: `#[{name}::{id}(..)]`"),
            );
            return None;
        }
    };
    // Each value is taken by its name, so what `finish` still finds is unknown. Ids and labels come
    // after cases and `consts`, on which their number depends.
    let mut parameters: Parameters = errors.keep(syn::parse2(arguments.clone()))?;
    let settings = settings(&mut parameters, errors);
    let mut growth = None;
    let (cases, consts, ids, labels) = if name == "bench" {
        let cases = Cases::One(one(&mut parameters, attribute, errors)?);
        let consts = parameters.take("consts", errors);
        let consts = consts.map(|consts| const_values(consts, errors));
        let label = parameters.take("label", errors);
        let label = label.and_then(|label| text(label, "label", errors));
        parameters.finish(&OF_BENCH, errors);
        (
            cases,
            consts.into_iter().collect(),
            vec![],
            label.into_iter().collect(),
        )
    } else {
        let cases = many(&mut parameters, attribute, errors)?;
        let consts = parameters.take("consts", errors);
        let consts = consts.map_or_else(Vec::new, |consts| const_lists(consts, errors));
        let ids = parameters.take("ids", errors);
        let ids = ids.map(|given| ids::ids(id, given, &cases, &consts, errors));
        let labels = parameters.take("labels", errors);
        let labels = labels.map(|labels| self::labels(labels, &cases, &consts, errors));
        let scaling = parameters.take("scaling", errors);
        growth = scaling.and_then(|growth| self::scaling(growth, errors));
        parameters.finish(&OF_BENCHES, errors);
        (
            cases,
            consts,
            ids.unwrap_or_default(),
            labels.unwrap_or_default(),
        )
    };
    Some(Bench {
        id: Ident::clone(id),
        cases,
        consts,
        ids,
        labels,
        scaling: growth,
        settings,
    })
}

/// The arguments of `#[bench]`.
fn one(
    parameters: &mut Parameters,
    attribute: &Attribute,
    errors: &mut Errors,
) -> Option<Arguments> {
    let args = parameters.take("args", errors);
    let positional = std::mem::take(&mut parameters.positional);
    match args {
        Some(args) if !positional.is_empty() => {
            given_twice(&args, "args", errors);
            None
        }
        Some(args) => arguments(args, errors),
        None => Some(Arguments {
            place: if positional.is_empty() {
                attribute.to_token_stream()
            } else {
                quote!(#(#positional),*)
            },
            values: positional,
        }),
    }
}

/// The cases of `#[benches]`.
fn many(parameters: &mut Parameters, attribute: &Attribute, errors: &mut Errors) -> Option<Cases> {
    let mut sources = ["args", "file", "iter"]
        .map(|name| parameters.take(name, errors).map(|value| (name, value)))
        .into_iter()
        .flatten();
    let positional = std::mem::take(&mut parameters.positional);
    let first = sources.next();
    if let (Some((one, _)), Some((other, value))) = (&first, sources.next()) {
        errors.at(
            value,
            format!("the cases are given twice: as `{one}` and as `{other}`"),
        );
        return None;
    }
    match first {
        Some((name, value)) if !positional.is_empty() => {
            given_twice(&value, name, errors);
            None
        }
        Some(("args", args)) => Some(Cases::Many(argument_lists(args, errors)?)),
        Some(("iter", iter)) => Some(Cases::Iter(iter)),
        Some((_, file)) => {
            let file = string(file, errors, |literal| {
                format!("`file` is the path of a file, from the root of the workspace: {literal}")
            })?;
            errors.keep(lines::find(file)).map(Cases::Lines)
        }
        None if positional.is_empty() => Some(Cases::Many(vec![Arguments {
            values: vec![],
            place: attribute.to_token_stream(),
        }])),
        None => Some(Cases::Many(positional.into_iter().map(case).collect())),
    }
}

fn given_twice(value: &Expr, name: &str, errors: &mut Errors) {
    errors.at(
        value,
        format!("arguments are given twice: without a name and as `{name}`"),
    );
}

/// `args` of `#[bench]`: a tuple, an array, or one value in parentheses.
fn arguments(args: Expr, errors: &mut Errors) -> Option<Arguments> {
    let place = args.to_token_stream();
    let Some(values) = list(args) else {
        errors.at(
            place,
            "`args` is a list of arguments: `args = (1, 2)` or `args = [1, 2]`",
        );
        return None;
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
             `args = [1, 2]`, or with several parameters `args = [(1, \"a\"), (2, \"b\")]`; \
             any other list is given by `iter = ..`",
        );
        return None;
    };
    // An empty list is one case without arguments, as `#[benches::id()]` is.
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
    let values = several(value);
    Arguments { values, place }
}

/// `consts` of `#[bench]`.
fn const_values(consts: Expr, errors: &mut Errors) -> Consts {
    let place = consts.to_token_stream();
    let values = list(consts).unwrap_or_else(|| {
        errors.at(
            &place,
            "`consts` is a list of values for the const generics: `consts = (4)` or `consts = [4, 5]`",
        );
        vec![]
    });
    Consts { values, place }
}

/// `consts` of `#[benches]`: an array with one element for each case.
fn const_lists(consts: Expr, errors: &mut Errors) -> Vec<Consts> {
    let place = consts.to_token_stream();
    let Expr::Array(array) = bare(consts) else {
        errors.at(
            place,
            "`consts` is an array with one element for each case: `consts = [4, 8]`, or with \
             several const generics `consts = [(4, 1), (8, 2)]`",
        );
        return vec![];
    };
    if array.elems.is_empty() {
        // No values for one case, which is right where nothing is generic; `check` counts them.
        return vec![Consts {
            values: vec![],
            place,
        }];
    }
    let element = |value: Expr| Consts {
        place: value.to_token_stream(),
        values: several(value),
    };
    array.elems.into_iter().map(element).collect()
}

/// `labels` of `#[benches]`.
fn labels(labels: Expr, cases: &Cases, consts: &[Consts], errors: &mut Errors) -> Vec<String> {
    let place = labels.to_token_stream();
    let Cases::Many(cases) = cases else {
        errors.at(
            place,
            "`labels` stand for cases that are written here, not for those of `iter` or `file`",
        );
        return vec![];
    };
    let Expr::Array(array) = bare(labels) else {
        errors.at(
            place,
            "`labels` is an array of texts, one for each case: `labels = [\"small\", \"large\"]`",
        );
        return vec![];
    };
    let labels = array.elems.into_iter();
    let texts: Vec<_> = labels
        .filter_map(|label| text(label, "labels", errors))
        .collect();
    // The shorter list repeats its end.
    let expected = cases.len().max(consts.len());
    if texts.len() != expected {
        let found = texts.len();
        errors.at(
            place,
            format!("expected {expected} labels, one for each case, but found {found}"),
        );
    }
    texts
}

/// A label. It is shown on one line.
fn text(value: Expr, name: &str, errors: &mut Errors) -> Option<String> {
    let literal = string(value, errors, |literal| {
        format!("`{name}` takes texts that are written here: {literal}")
    })?;
    let text = literal.value();
    if text.trim().is_empty() || text.contains(char::is_control) {
        errors.at(literal, "a label is a text on one line that is not empty");
        return None;
    }
    Some(text)
}

fn string(value: Expr, errors: &mut Errors, error: impl FnOnce(&str) -> String) -> Option<LitStr> {
    match bare(value) {
        Expr::Lit(ExprLit {
            lit: Lit::Str(literal),
            ..
        }) => Some(literal),
        other => {
            errors.at(other, error("\"..\""));
            None
        }
    }
}

/// A tuple, an array, or one value in parentheses.
fn list(value: Expr) -> Option<Vec<Expr>> {
    match bare(value) {
        Expr::Tuple(tuple) => Some(tuple.elems.into_iter().collect()),
        Expr::Array(array) => Some(array.elems.into_iter().collect()),
        Expr::Paren(paren) => Some(vec![*paren.expr]),
        _ => None,
    }
}

/// A tuple holds several values, everything else is one.
fn several(value: Expr) -> Vec<Expr> {
    match bare(value) {
        Expr::Tuple(tuple) => tuple.elems.into_iter().collect(),
        Expr::Paren(paren) => vec![*paren.expr],
        value => vec![value],
    }
}
