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
use crate::shared::text::{contains, formatted, joined, push};

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
        nothing(suite, &mut mistakes);
    }
    if let Some(mistake) = two_kinds(suite, groups) {
        return Err(Mistakes(vec![mistake]));
    }
    for &(_, second, _) in &twins(groups.len(), &|index| &groups[index].name) {
        let name = &groups[second as usize].name;
        push(
            &mut mistakes,
            format_args!("{file}: the group `{name}` is listed twice in `main!`"),
        );
    }
    for group in groups {
        let name = &group.name;
        if group.functions.is_empty() {
            push(
                &mut mistakes,
                format_args!(
                    "{file}: the group `{name}` has no benchmark; add one with \
                     `group.binary_benchmark(..)`"
                ),
            );
        }
        for mistake in &group.mistakes {
            mistakes.push(mistake.clone());
        }
        functions(group, &mut mistakes);
    }
    addresses(groups, &mut mistakes);
    match mistakes.is_empty() {
        true => Ok(()),
        false => Err(Mistakes(mistakes)),
    }
}

/// Says why there is nothing to run.
fn nothing(suite: &Suite, mistakes: &mut Vec<String>) {
    let file = suite.package.file;
    let reason = match suite.groups {
        Groups::Registered if benchmarks::entries(suite) == 0 => {
            "no function with `#[library_benchmark]` or `#[binary_benchmark]` was found; if there is one, this target \
             cannot find it without a list: `main!(library_benchmark_groups = [my_group])`"
        }
        _ => "there is no benchmark",
    };
    push(mistakes, format_args!("{file}: {reason}"));
}

/// Mistake of a file with both kinds of benchmarks: the runner measures one kind in a file. Lists are
/// of one kind already.
fn two_kinds(suite: &Suite, groups: &[Group]) -> Option<String> {
    let (mut library, mut binary) = (None, None);
    for group in groups {
        let first = match group.kind {
            Kind::Library => &mut library,
            Kind::Binary => &mut binary,
        };
        if let (None, Some(function)) = (&first, group.functions.first()) {
            *first = Some(formatted!("`{}` ({})", function.name, function.place));
        }
    }
    let (library, binary) = (library?, binary?);
    Some(formatted!(
        "{}: there are library benchmarks, such as {library}, and binary benchmarks, such as \
         {binary}; put them into two files, or list the groups of one kind in `main!`",
        suite.package.file
    ))
}

/// Finds functions and ids that occur twice. Both places are reported, since a macro may have written
/// them.
fn functions(group: &Group, mistakes: &mut Vec<String>) {
    let all = &group.functions;
    for &(_, second, first) in &twins(all.len(), &|index| &all[index].name) {
        let second = &all[second as usize];
        push(
            mistakes,
            format_args!(
                "{}: two functions of the group `{}` are named `{}`, the other one is at {}",
                second.place, group.name, second.name, all[first].place
            ),
        );
    }
    for function in all {
        let Function { name, place, .. } = function;
        let id = |index: usize| function.cases[index].id.as_deref().unwrap_or_default();
        for &(_, second, _) in &twins(function.cases.len(), &id) {
            push(
                mistakes,
                format_args!(
                    "{place}: two benchmarks of `{}::{name}` have the id `{}`",
                    group.name,
                    id(second as usize),
                ),
            );
        }
    }
}

/// Modules in modules can give one name to two benchmarks: `a::b` of `c`, and `a` with `b::c`.
fn addresses(groups: &[Group], mistakes: &mut Vec<String>) {
    let mut may_have_twins = false;
    for group in groups {
        may_have_twins |= contains(&group.name, "::");
    }
    if !may_have_twins {
        return;
    }
    let (mut addresses, mut places) = (Vec::new(), Vec::new());
    benchmarks::each(groups, &mut |address, _, function, _| {
        addresses.push(address);
        places.push(function.place);
    });
    for &(_, second, first) in &twins(addresses.len(), &|index| &addresses[index]) {
        let second = second as usize;
        let (place, other) = (&places[second], &places[first]);
        // The same function has two ids of one name, which is said already.
        if other != place {
            push(
                mistakes,
                format_args!(
                    "{place}: `{}` is the name of two benchmarks, the other one is at {other}; \
                     rename a module or function",
                    addresses[second]
                ),
            );
        }
    }
}

/// Names that stand twice: the index of the second, and that of the last one before it that is the same.
fn twins<'a>(count: usize, name: &dyn Fn(usize) -> &'a str) -> Vec<Entry<'static>> {
    let mut names = Vec::new();
    for index in 0..count {
        names.push((name(index), 0, index));
    }
    let names = order::sorted(names);
    let mut twins = Vec::new();
    let mut rest = names.as_slice();
    while let [(name, _, index), behind @ ..] = rest {
        rest = behind;
        match rest {
            [(next, _, of_next), ..] if name == next => twins.push(("", *of_next as u64, *index)),
            _ => {}
        }
    }
    order::sorted(twins)
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_fmt(format_args!("{}:{}", self.file, self.line))
    }
}
