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
use syn::{bracketed, Error, Expr, Ident, Path, Token};

use super::function::is_true;
use super::parameters::{bare, bare_ref, hook, peek_name, unknown};
use super::ratios;
use crate::errors::Errors;
use crate::model::{Group, Kind, Main, Member, OwnRandom};
use crate::text;

/// `main!`.
pub(crate) fn main(input: TokenStream, errors: &mut Errors) -> Option<Main> {
    const ACCEPTED: [&str; 6] = [
        "config",
        "deterministic_random",
        "setup",
        "teardown",
        "library_benchmark_groups",
        "binary_benchmark_groups",
    ];
    let mut call = errors.keep(parse_main.parse2(input))?;
    let groups = [LIBRARY_GROUPS, BINARY_GROUPS].map(|(kind, name)| {
        call.find(name)?;
        Some((kind, call.paths(name, "group", errors)))
    });
    let groups = match groups {
        [Some(_), Some((_, binary))] => {
            // The first name, or `main!` if there is none.
            let text = "library and binary benchmarks cannot be in one `main!`; \
                        put them into two files";
            match binary.first() {
                Some(first) => errors.at(first, text),
                None => errors.add(Error::new(Span::call_site(), text)),
            }
            None
        }
        [library, binary] => library.or(binary),
    };
    let is_binary = matches!(groups, Some((Kind::Binary, _)));
    let written = call.find("deterministic_random");
    if let (Some(written), true) = (written, is_binary) {
        errors.at(
            &written.name,
            "`deterministic_random` is for library benchmarks: the programs of binary benchmarks draw \
             their own random numbers",
        );
    }
    let random = match (written.is_some(), is_binary) {
        (false, false) => OwnRandom::Functions,
        (false, true) => OwnRandom::No,
        (true, _) if call.truth("deterministic_random", errors) => OwnRandom::WithSystemCalls,
        (true, _) => OwnRandom::No,
    };
    let main = Main {
        library: call.library.clone(),
        config: call.expression("config", errors),
        random,
        setup: call.expression("setup", errors).map(hook),
        teardown: call.expression("teardown", errors).map(hook),
        groups,
    };
    call.finish(&ACCEPTED, errors);
    Some(main)
}

const LIBRARY_GROUPS: (Kind, &str) = (Kind::Library, "library_benchmark_groups");
const BINARY_GROUPS: (Kind, &str) = (Kind::Binary, "binary_benchmark_groups");

/// `library_benchmark_group!` or `binary_benchmark_group!`. After an error a group without
/// benchmarks is returned, so that `main!` finds it.
pub(crate) fn group(kind: Kind, input: TokenStream, errors: &mut Errors) -> Option<Group> {
    const ACCEPTED: [&str; 9] = [
        "name",
        "config",
        "compare_by_id",
        "max_parallel",
        "setup",
        "teardown",
        "benchmarks",
        "ratios",
        "equal_counts",
    ];
    let accepted = match kind {
        Kind::Library => &ACCEPTED[..],
        // The last one is of library benchmarks alone.
        Kind::Binary => &ACCEPTED[..ACCEPTED.len() - 1],
    };
    let mut call = errors.keep(Call::parse.parse2(input))?;
    if call.parameters.is_empty() {
        errors.add(missing("name = my_group, benchmarks = [my_function]"));
        return None;
    }
    // Before all other checks: each parameter of the old form would be an unknown one.
    if kind == Kind::Binary {
        if let Some(error) = old_group(&call) {
            errors.add(error);
            let name = call.take("name", &mut Errors::default());
            let name = name.and_then(|name| name.values.first().and_then(identifier));
            return name.map(|name| Group::empty(call.library, name));
        }
    }
    let equal = call.find("equal_counts");
    if let (Some(equal), Kind::Binary) = (equal, kind) {
        errors.at(
            &equal.name,
            "`equal_counts` is for library benchmarks: what a program counts depends on the length of its \
             arguments before it looks at them",
        );
    }
    // Taken here and read below: its sides have to be among the benchmarks.
    let ratios = call.take("ratios", errors);
    let mut group = Group {
        kind,
        library: call.library.clone(),
        name: call.name(errors),
        config: call.expression("config", errors),
        compare_by_id: call.expression("compare_by_id", errors),
        equal_counts: call.truth("equal_counts", errors),
        max_parallel: call.expression("max_parallel", errors),
        setup: call.expression("setup", errors).map(hook),
        teardown: call.expression("teardown", errors).map(hook),
        benchmarks: call.members(kind, errors),
        ratios: Vec::new(),
    };
    if let Some(written) = ratios {
        if written.values.is_empty() {
            errors.at(&written.name, "`ratios` has no value");
        }
        group.ratios = ratios::ratios(written.values, kind, &group.benchmarks, errors);
    }
    call.finish(accepted, errors);
    // Each of both defines a module of its name, and rustc would report code that nobody wrote.
    let own_name = group.benchmarks.iter().find_map(|member| match member {
        Member::Path(path) => path
            .get_ident()
            .filter(|name| Some(*name) == group.name.as_ref()),
        Member::Closure(_) => None,
    });
    if let Some(function) = own_name {
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
                return Err(input.error(
                    "expected `name = value`, as in `name = my_group, benchmarks = [my_function]` for a group, or \
                     `library_benchmark_groups = [my_group]` for `main!`",
                ));
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
        let is_meant = |parameter: &Parameter| parameter.name == name;
        let first = self.parameters.iter().position(is_meant)?;
        let parameter = self.parameters.remove(first);
        // All of them are taken: `finish` would report the rest as unknown.
        while let Some(again) = self.parameters.iter().position(is_meant) {
            let again = self.parameters.remove(again).name;
            errors.at(again, format!("the parameter `{name}` is given twice"));
        }
        Some(parameter)
    }

    fn find(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|p| p.name == name)
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
        let value = self.expression(name, errors);
        value.is_some_and(|value| is_true(value, name, errors))
    }

    /// The mandatory name of a group.
    fn name(&mut self, errors: &mut Errors) -> Option<Ident> {
        if self.find("name").is_none() {
            errors.add(missing("name = my_group"));
        }
        let value = self.expression("name", errors)?;
        let name = identifier(&value);
        if name.is_none() {
            errors.at(
                value,
                "the name of a group is an identifier: `name = my_group`",
            );
        }
        name
    }

    /// The functions of a group, or the closure of a low-level one.
    fn members(&mut self, kind: Kind, errors: &mut Errors) -> Vec<Member> {
        let benchmarks = self.find("benchmarks");
        let values = benchmarks.map_or(&[][..], |parameter| &parameter.values);
        if let (Kind::Binary, [value]) = (kind, values) {
            if let Expr::Closure(_) = bare_ref(value) {
                return self.closure(errors);
            }
        }
        let paths = self.paths("benchmarks", "function", errors);
        paths.into_iter().map(Member::Path).collect()
    }

    /// The closure of a low-level group.
    fn closure(&mut self, errors: &mut Errors) -> Vec<Member> {
        let benchmarks = self.take("benchmarks", errors);
        let value = benchmarks.and_then(|parameter| parameter.values.into_iter().next());
        match value.map(bare) {
            Some(Expr::Closure(closure)) if closure.inputs.len() == 1 => {
                vec![Member::Closure(closure)]
            }
            value => {
                errors.at(value, ONE_PARAMETER);
                vec![]
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
                &parameter.name,
                format!("`{name}` needs at least one {what}"),
            );
        }
        let mut seen = HashSet::new();
        let mut paths = vec![];
        for value in parameter.values {
            let path = match bare(value) {
                Expr::Path(path) if path.qself.is_none() => path.path,
                value => {
                    errors.at(value, format!("expected the name or path of a {what}"));
                    continue;
                }
            };
            // By the last name alone, since results are known by it.
            let last = path.segments.last();
            let last = last.map(|segment| segment.ident.unraw());
            if seen.insert(last.clone()) {
                paths.push(path);
            } else if let Some(last) = last {
                let mut text = format!("a {what} named `{last}` is listed twice");
                if what == "group" && path.segments.len() > 1 {
                    text += &format!(
                        "; import one of them under another name, by which its results are known: \
                         `use {} as another_name;`",
                        text::tokens(&path)
                    );
                }
                errors.at(path, text);
            }
        }
        paths
    }

    /// Reports parameters that nobody took.
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
            "ratios",
        ]
        .iter()
        .any(|list| name == list);
        let mut values = vec![];
        while !at_end(input) {
            values.push(input.parse()?);
            // After the comma stands the next value of a list or the next parameter.
            while input.parse::<Option<Token![,]>>()?.is_some() {}
            if !is_list || peek_name(input) {
                break;
            }
        }
        if is_list && matches!(values.as_slice(), [Expr::Array(_)]) {
            if let Some(Expr::Array(array)) = values.pop() {
                values.extend(array.elems);
            }
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
                return Err(Error::new(
                    name.span(),
                    format!(
                        "`main!` takes groups of functions that return the command to run; \
                         write\n{NEW_BINARY}\nmain!(binary_benchmark_groups = my_group);"
                    ),
                ));
            }
        }
        return Call::parse(input);
    }
    match ahead.call(|ahead| ahead.parse_terminated(Path::parse_mod_style, Token![,])) {
        Ok(functions) if ahead.is_empty() => {
            let names: Vec<_> = functions.iter().map(text::tokens).collect();
            Err(old_form(&functions, &names.join(", ")))
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
             library_benchmark_group!(name = my_group, benchmarks = [{functions}]);\n\
             main!(library_benchmark_groups = [my_group]);"
        ),
    )
}

/// Replacement for the forms before 0.13.
const NEW_BINARY: &str = "\
    #[binary_benchmark]\n\
    #[bench::some_id(\"argument\")]\n\
    fn bench_program(argument: &str) -> iai_callgrind::Command {\n    \
    iai_callgrind::Command::new(env!(\"CARGO_BIN_EXE_my-program\")).arg(argument).build()\n\
    }\n\
    binary_benchmark_group!(name = my_group; benchmarks = bench_program);";

const ONE_PARAMETER: &str = "the closure has one parameter: \
    `benchmarks = |group: &mut BinaryBenchmarkGroup| { .. }`";

/// A `binary_benchmark_group!` as it was before 0.13.
fn old_group(call: &Call) -> Option<Error> {
    if let Some(benchmark) = call.find("benchmark") {
        let value = benchmark.values.first().map(bare_ref);
        // Without a program in front, only the name of the parameter is old.
        let is_new = matches!(value, Some(Expr::Closure(closure)) if closure.inputs.len() == 1);
        let instead = match is_new {
            true => "write `benchmarks = |group: &mut BinaryBenchmarkGroup| { .. }`, with \
                     `group.binary_benchmark(..)` in it, or better"
                .to_owned(),
            false => "write".to_owned(),
        };
        return Some(Error::new(
            benchmark.name.span(),
            format!("`benchmark` is not available since 0.13; {instead}\n{NEW_BINARY}"),
        ));
    }
    for (name, instead) in [
        ("before", "`setup = ..`, which runs once before the group"),
        ("after", "`teardown = ..`, which runs once after the group"),
        (
            "bench",
            "a library benchmark of the function: `setup` and `teardown` are not measured",
        ),
    ] {
        if let Some(parameter) = call.find(name) {
            let text = format!("`{name}` is not available since 0.13; write {instead}");
            return Some(Error::new(parameter.name.span(), text));
        }
    }
    None
}

/// The name, if the value is nothing but a name.
fn identifier(value: &Expr) -> Option<Ident> {
    match bare_ref(value) {
        Expr::Path(path) => path.path.get_ident().cloned(),
        _ => None,
    }
}

impl Group {
    /// Group without benchmarks, the result after an error.
    fn empty(library: TokenStream, name: Ident) -> Self {
        Self {
            kind: Kind::Binary,
            library,
            name: Some(name),
            config: None,
            compare_by_id: None,
            equal_counts: false,
            ratios: Vec::new(),
            max_parallel: None,
            setup: None,
            teardown: None,
            benchmarks: vec![],
        }
    }
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
    while input.parse::<Option<Token![;]>>()?.is_some()
        || input.parse::<Option<Token![,]>>()?.is_some()
    {}
    Ok(!input.is_empty())
}

fn at_end(input: ParseStream<'_>) -> bool {
    input.is_empty() || input.peek(Token![;]) || input.peek(Token![,])
}
