//! Mistakes in a suite that only show when all of it is put together: names that occur twice, two
//! kinds of benchmarks, and what is wrong in low-level groups.
//!
//! Two benchmarks of the same name would share their files, and the second would be compared with
//! the first.

use std::collections::HashMap;
use std::fmt;

use super::benchmarks::{self, Function, Group, Place};
use super::table::{Groups, Suite};
use crate::protocol::Kind;

/// Every mistake, one line each.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mistakes(pub(super) Vec<String>);

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\nerror: "))
    }
}

pub(super) fn check(suite: &Suite, groups: &[Group]) -> Result<(), Mistakes> {
    let file = suite.package.file;
    let mut mistakes = Vec::new();
    if groups.is_empty() {
        mistakes.push(nothing(suite));
    }
    if let Some(mistake) = two_kinds(suite, groups) {
        return Err(Mistakes(vec![mistake]));
    }
    let names: Vec<&str> = groups.iter().map(|group| group.name.as_str()).collect();
    for (group, twin) in groups.iter().zip(twins(&names)) {
        let name = &group.name;
        if twin.is_some() {
            mistakes.push(format!(
                "{file}: the group `{name}` is listed twice in `main!`"
            ));
        }
        if group.functions.is_empty() {
            mistakes.push(format!(
                "{file}: the group `{name}` has no benchmark; add one with \
                 `group.binary_benchmark(..)`"
            ));
        }
        mistakes.extend(group.mistakes.iter().cloned());
        functions(group, &mut mistakes);
    }
    addresses(groups, &mut mistakes);
    if mistakes.is_empty() {
        Ok(())
    } else {
        Err(Mistakes(mistakes))
    }
}

/// Reason why there is nothing to run.
fn nothing(suite: &Suite) -> String {
    let file = suite.package.file;
    match suite.groups {
        Groups::Registered if benchmarks::entries(suite) == 0 => format!(
            "{file}: no function with `#[library_benchmark]` or `#[binary_benchmark]` was found; if \
             there is one, this target cannot find it without a list: \
             `main!(library_benchmark_groups = [my_group])`"
        ),
        _ => format!("{file}: there is no benchmark"),
    }
}

/// Mistake of a file with both kinds of benchmarks: the runner measures one kind in a file. Lists are
/// of one kind already.
fn two_kinds(suite: &Suite, groups: &[Group]) -> Option<String> {
    let first = |kind| {
        let group = groups.iter().find(|group| group.kind == kind)?;
        let function = group.functions.first()?;
        Some(format!("`{}` ({})", function.name, at(&function.place)))
    };
    let (library, binary) = (first(Kind::Library)?, first(Kind::Binary)?);
    Some(format!(
        "{}: there are library benchmarks, such as {library}, and binary benchmarks, such as \
         {binary}; put them into two files, or list the groups of one kind in `main!`",
        suite.package.file
    ))
}

/// Finds functions and ids that occur twice. Both places are reported, since a macro may have written
/// them.
fn functions(group: &Group, mistakes: &mut Vec<String>) {
    let all = &group.functions;
    let names: Vec<&str> = all.iter().map(|function| function.name.as_str()).collect();
    for (function, twin) in all.iter().zip(twins(&names)) {
        let Function { name, place, .. } = function;
        if let Some(twin) = twin {
            mistakes.push(format!(
                "{}: two functions of the group `{}` are named `{}`, the other one is at {}",
                at(place),
                group.name,
                name,
                at(&all[twin].place)
            ));
        }
        let ids = function.cases.iter().map(|case| case.id.as_deref());
        let ids: Vec<&str> = ids.map(Option::unwrap_or_default).collect();
        for (id, twin) in ids.iter().zip(twins(&ids)) {
            if twin.is_some() {
                mistakes.push(format!(
                    "{}: two benchmarks of `{}::{}` have the id `{id}`",
                    at(place),
                    group.name,
                    name,
                ));
            }
        }
    }
}

/// Modules in modules can give one name to two benchmarks: `a::b` of `c`, and `a` with `b::c`.
fn addresses(groups: &[Group], mistakes: &mut Vec<String>) {
    if !groups.iter().any(|group| group.name.contains("::")) {
        return;
    }
    let all = benchmarks::each(groups);
    let addresses: Vec<&str> = all.iter().map(|(address, ..)| address.as_str()).collect();
    for (index, twin) in twins(&addresses).into_iter().enumerate() {
        let (address, place) = (addresses[index], &all[index].2.place);
        match twin.map(|twin| &all[twin].2.place) {
            // The same function has two ids of one name, which is said already.
            Some(other) if other != place => mistakes.push(format!(
                "{}: `{address}` is the name of two benchmarks, the other one is at {}; \
                 rename a module or function",
                at(place),
                at(other)
            )),
            _ => {}
        }
    }
}

/// For each name the index of the last one before it that is the same.
fn twins(names: &[&str]) -> Vec<Option<usize>> {
    let mut last = HashMap::new();
    let mut twins = Vec::new();
    for (index, name) in names.iter().enumerate() {
        twins.push(last.insert(*name, index));
    }
    twins
}

fn at(place: &Place) -> String {
    format!("{}:{}", place.file, place.line)
}
