//! Parses `main!` and `library_benchmark_group!`.
//!
//! In: the path of the library in brackets and what the user wrote: `name = value` in any order,
//! separated by `;` or `,`, lists with or without brackets. Out: a [`Main`] or [`Group`] with all
//! checks done, or `None` when nothing sensible could be made of it.

use std::collections::HashSet;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{bracketed, Error, Expr, ExprLit, Ident, Lit, Path, Token};

use crate::model::{Group, Main};
use crate::parameters::{bare, hook, peek_name, unknown};
use crate::recover::Errors;
use crate::text;

const NOT_AVAILABLE: &str = "binary benchmarks are not available in this version";

/// `main!`.
pub(crate) fn main(input: TokenStream, errors: &mut Errors) -> Option<Main> {
    const ACCEPTED: [&str; 5] = [
        "config",
        "deterministic_random",
        "setup",
        "teardown",
        "library_benchmark_groups",
    ];
    let mut call = errors.keep(parse_main.parse2(input))?;
    if let Some(binary) = call.take("binary_benchmark_groups", errors) {
        errors.at(binary.name, NOT_AVAILABLE);
        return None;
    }
    let main = Main {
        library: call.library.clone(),
        config: call.expression("config", errors),
        deterministic_random: call.truth("deterministic_random", errors),
        setup: call.expression("setup", errors).map(hook),
        teardown: call.expression("teardown", errors).map(hook),
        groups: call
            .has("library_benchmark_groups")
            .then(|| call.paths("library_benchmark_groups", "group", errors)),
    };
    call.finish(&ACCEPTED, errors);
    Some(main)
}

/// `library_benchmark_group!`.
pub(crate) fn group(input: TokenStream, errors: &mut Errors) -> Option<Group> {
    const ACCEPTED: [&str; 7] = [
        "name",
        "config",
        "compare_by_id",
        "max_parallel",
        "setup",
        "teardown",
        "benchmarks",
    ];
    let mut call = errors.keep(Call::parse.parse2(input))?;
    if call.parameters.is_empty() {
        errors.add(missing("name = my_group, benchmarks = [my_function]"));
        return None;
    }
    let group = Group {
        library: call.library.clone(),
        name: call.name(errors),
        config: call.expression("config", errors),
        compare_by_id: call.expression("compare_by_id", errors),
        max_parallel: call.expression("max_parallel", errors),
        setup: call.expression("setup", errors).map(hook),
        teardown: call.expression("teardown", errors).map(hook),
        benchmarks: call.paths("benchmarks", "function", errors),
    };
    call.finish(&ACCEPTED, errors);
    let is_own_name = |path: &&Path| group.name.as_ref().is_some_and(|name| path.is_ident(name));
    if let Some(function) = group.benchmarks.iter().find(is_own_name) {
        errors.at(
            function,
            "a group and its function have the same name; rename one of them",
        );
        return None;
    }
    Some(group)
}

/// The parameters of one macro call.
struct Call {
    library: TokenStream,
    parameters: Vec<Parameter>,
}

struct Parameter {
    name: Ident,
    /// One expression, or for a list any number of them.
    values: Vec<Expr>,
}

impl Call {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let library = library(input)?;
        let mut parameters = vec![];
        while skip_separators(input)? {
            if !peek_name(input) {
                return Err(input.error("expected `name = value`"));
            }
            parameters.push(Parameter::parse(input)?);
        }
        Ok(Self {
            library,
            parameters,
        })
    }

    /// Takes the parameter with this name. A second one of the same name is an error.
    fn take(&mut self, name: &str, errors: &mut Errors) -> Option<Parameter> {
        let first = self.parameters.iter().position(|p| p.name == name)?;
        let parameter = self.parameters.remove(first);
        while let Some(again) = self.parameters.iter().position(|p| p.name == name) {
            let again = self.parameters.remove(again).name;
            errors.at(again, format!("the parameter `{name}` is given twice"));
        }
        Some(parameter)
    }

    fn has(&self, name: &str) -> bool {
        self.parameters.iter().any(|p| p.name == name)
    }

    fn expression(&mut self, name: &str, errors: &mut Errors) -> Option<Expr> {
        let parameter = self.take(name, errors)?;
        let value = parameter.values.into_iter().next();
        if value.is_none() {
            errors.at(parameter.name, format!("`{name}` has no value"));
        }
        value
    }

    /// A value that decides what is generated; false if it is not given.
    fn truth(&mut self, name: &str, errors: &mut Errors) -> bool {
        match self.expression(name, errors).map(bare) {
            None => false,
            Some(Expr::Lit(ExprLit {
                lit: Lit::Bool(literal),
                ..
            })) => literal.value,
            Some(other) => {
                errors.at(other, format!("`{name}` is `true` or `false`"));
                false
            }
        }
    }

    /// The mandatory name of a group.
    fn name(&mut self, errors: &mut Errors) -> Option<Ident> {
        if !self.has("name") {
            errors.add(missing("name = my_group"));
        }
        match bare(self.expression("name", errors)?) {
            Expr::Path(path) if path.path.get_ident().is_some() => path.path.get_ident().cloned(),
            other => {
                errors.at(
                    other,
                    "the name of a group is an identifier: `name = my_group`",
                );
                None
            }
        }
    }

    /// A mandatory list of functions or groups.
    fn paths(&mut self, name: &str, what: &str, errors: &mut Errors) -> Vec<Path> {
        let Some(parameter) = self.take(name, errors) else {
            errors.add(missing(&format!("{name} = my_{what}")));
            return vec![];
        };
        if parameter.values.is_empty() {
            errors.at(
                parameter.name,
                format!("`{name}` needs at least one {what}"),
            );
        }
        let mut seen = HashSet::new();
        let mut paths = vec![];
        for value in parameter.values {
            let Expr::Path(path) = bare(value.clone()) else {
                errors.at(value, format!("expected the name or path of a {what}"));
                continue;
            };
            let last = path
                .path
                .segments
                .last()
                .map(|segment| text::plain(&segment.ident));
            if seen.insert(last.clone()) {
                paths.push(path.path);
            } else if let Some(last) = last {
                errors.at(path, format!("a {what} named `{last}` is listed twice"));
            }
        }
        paths
    }

    /// Reports what nobody took.
    fn finish(self, accepted: &[&str], errors: &mut Errors) {
        for parameter in &self.parameters {
            errors.at(&parameter.name, unknown(&parameter.name, accepted));
        }
    }
}

impl Parameter {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.call(Ident::parse_any)?;
        input.parse::<Token![=]>()?;
        let is_list = [
            "benchmarks",
            "library_benchmark_groups",
            "binary_benchmark_groups",
        ]
        .iter()
        .any(|list| name == list);
        let mut values = vec![];
        while !at_end(input) {
            values.push(input.parse()?);
            // After the comma stands the next value of a list or the next parameter.
            while input.peek(Token![,]) {
                input.parse::<Token![,]>()?;
            }
            if !is_list || peek_name(input) {
                break;
            }
        }
        if let ([Expr::Array(array)], true) = (values.as_slice(), is_list) {
            values = array.elems.iter().cloned().collect();
        }
        Ok(Self { name, values })
    }
}

/// `main!`, which had other forms before groups existed.
fn parse_main(input: ParseStream<'_>) -> syn::Result<Call> {
    let ahead = input.fork();
    library(&ahead)?;
    if ahead.is_empty() || peek_name(&ahead) {
        if let Ok(name) = ahead.call(Ident::parse_any) {
            if name == "callgrind_args" || name == "functions" {
                return Err(old_form(&name, "my_function"));
            }
            if ["options", "before", "after", "run"]
                .iter()
                .any(|old| name == old)
            {
                return Err(Error::new(name.span(), NOT_AVAILABLE));
            }
        }
        return Call::parse(input);
    }
    match ahead.call(|ahead| ahead.parse_terminated(Path::parse_mod_style, Token![,])) {
        Ok(functions) if ahead.is_empty() => {
            let names = functions
                .iter()
                .map(text::tokens)
                .collect::<Vec<_>>()
                .join(", ");
            Err(old_form(&functions, &names))
        }
        _ => Call::parse(input),
    }
}

fn old_form(place: impl ToTokens, functions: &str) -> Error {
    Error::new_spanned(
        place,
        format!(
            "`main!` takes groups of functions; put `#[library_benchmark]` above each function \
             and write\n\
             library_benchmark_group!(name = my_group; benchmarks = {functions});\n\
             main!(library_benchmark_groups = my_group);"
        ),
    )
}

fn missing(example: &str) -> Error {
    let name = example.split(' ').next().unwrap_or_default();
    Error::new(
        Span::call_site(),
        format!("the parameter `{name}` is missing: `{example}`"),
    )
}

/// The path of the library, which the `macro_rules!` macro puts in front.
fn library(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let library;
    bracketed!(library in input);
    library.parse()
}

/// Skips `;` and `,`. Is there more?
fn skip_separators(input: ParseStream<'_>) -> syn::Result<bool> {
    while input.peek(Token![;]) || input.peek(Token![,]) {
        if input.peek(Token![;]) {
            input.parse::<Token![;]>()?;
        } else {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(!input.is_empty())
}

fn at_end(input: ParseStream<'_>) -> bool {
    input.is_empty() || input.peek(Token![;]) || input.peek(Token![,])
}
