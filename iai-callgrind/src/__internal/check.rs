//! Mistakes in a suite that only show when all of it is put together: names that occur twice, two
//! kinds of benchmarks, and what is wrong in low-level groups.
//!
//! Two benchmarks of the same name would share their files, and the second would be compared with
//! the first.

use std::fmt;

use super::benchmarks::{self, Function, Group, Place};
use super::order::{self, Entry};
use super::table::{Groups, Suite};
use crate::protocol::Kind;
use crate::shared::text::{contains, joined};

/// Every mistake, one line each.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mistakes(pub(super) Vec<String>);

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&joined(&self.0, "\nerror: "))
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
    let mut names = Vec::new();
    for group in groups {
        names.push((group.name.as_str(), 0, names.len()));
    }
    for &(_, second, _) in &twins(names) {
        let name = &groups[second as usize].name;
        mistakes.push(format!(
            "{file}: the group `{name}` is listed twice in `main!`"
        ));
    }
    for group in groups {
        let name = &group.name;
        if group.functions.is_empty() {
            mistakes.push(format!(
                "{file}: the group `{name}` has no benchmark; add one with \
                 `group.binary_benchmark(..)`"
            ));
        }
        for mistake in &group.mistakes {
            mistakes.push(mistake.clone());
        }
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
        Some(format!("`{}` ({})", function.name, function.place))
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
    let mut names = Vec::new();
    for function in all {
        names.push((function.name.as_str(), 0, names.len()));
    }
    for &(_, second, first) in &twins(names) {
        let second = &all[second as usize];
        mistakes.push(format!(
            "{}: two functions of the group `{}` are named `{}`, the other one is at {}",
            second.place, group.name, second.name, all[first].place
        ));
    }
    for function in all {
        let Function { name, place, .. } = function;
        let mut ids = Vec::new();
        for case in &function.cases {
            ids.push((case.id.as_deref().unwrap_or_default(), 0, ids.len()));
        }
        for &(_, second, _) in &twins(ids) {
            let id = &function.cases[second as usize].id;
            mistakes.push(format!(
                "{}: two benchmarks of `{}::{}` have the id `{}`",
                place,
                group.name,
                name,
                id.as_deref().unwrap_or_default(),
            ));
        }
    }
}

/// Modules in modules can give one name to two benchmarks: `a::b` of `c`, and `a` with `b::c`.
fn addresses(groups: &[Group], mistakes: &mut Vec<String>) {
    if !groups.iter().any(|group| contains(&group.name, "::")) {
        return;
    }
    let all = benchmarks::each(groups);
    let mut addresses = Vec::new();
    for (address, ..) in &all {
        addresses.push((address.as_str(), 0, addresses.len()));
    }
    for &(_, second, first) in &twins(addresses) {
        let (address, _, function, _) = &all[second as usize];
        let (place, other) = (&function.place, &all[first].2.place);
        // The same function has two ids of one name, which is said already.
        if other != place {
            mistakes.push(format!(
                "{}: `{}` is the name of two benchmarks, the other one is at {}; \
                 rename a module or function",
                place, address, other
            ));
        }
    }
}

/// Names that stand twice, each with the index of the second and that of the last one before it that is the same.
fn twins(names: Vec<Entry<'_>>) -> Vec<Entry<'static>> {
    let mut twins = Vec::new();
    for pair in order::sorted(names).windows(2) {
        let ((name, _, index), (next, _, of_next)) = (pair[0], pair[1]);
        if name == next {
            twins.push(("", of_next as u64, index));
        }
    }
    order::sorted(twins)
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}
