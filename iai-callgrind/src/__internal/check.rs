//! Mistakes in a suite that only show when all of it is put together: names that occur twice, two
//! kinds of benchmarks, and what is wrong in low-level groups.
//!
//! Two benchmarks of the same name would share their files, and the second would be compared with
//! the first.

use std::collections::BinaryHeap;
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
        nothing(suite, &mut mistakes);
    }
    // Reported alone: most other mistakes would follow from it.
    if let Some(mistake) = two_kinds(suite, groups) {
        return Err(Mistakes(vec![mistake]));
    }
    let names = groups.iter().map(|group| group.name.as_str());
    for (second, _) in twins(names) {
        let name = &groups[second].name;
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
    mistakes.push(format!("{file}: {reason}"));
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
            *first = Some(format!("`{}` ({})", function.name, function.place));
        }
    }
    let (library, binary) = (library?, binary?);
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
    let names = all.iter().map(|function| function.name.as_str());
    for (second, first) in twins(names) {
        let second = &all[second];
        mistakes.push(format!(
            "{}: two functions of the group `{}` are named `{}`, the other one is at {}",
            second.place, group.name, second.name, all[first].place
        ));
    }
    for function in all {
        let Function { name, place, .. } = function;
        let ids = function.cases.iter().map(|case| case.id.as_deref());
        let ids: Vec<&str> = ids.map(Option::unwrap_or_default).collect();
        for (second, _) in twins(ids.iter().copied()) {
            mistakes.push(format!(
                "{place}: two benchmarks of `{}::{name}` have the id `{}`",
                group.name, ids[second],
            ));
        }
    }
}

/// Modules in modules can give one name to two benchmarks: `a::b` of `c`, and `a` with `b::c`.
fn addresses(groups: &[Group], mistakes: &mut Vec<String>) {
    if !groups.iter().any(|group| group.name.contains("::")) {
        return;
    }
    let (mut addresses, mut places) = (Vec::new(), Vec::new());
    benchmarks::each(groups, &mut |address, _, function, _| {
        addresses.push(address);
        places.push(function.place);
    });
    for (second, first) in twins(addresses.iter().map(String::as_str)) {
        let (place, other) = (&places[second], &places[first]);
        // The same function has two ids of one name, which is said already.
        if other != place {
            mistakes.push(format!(
                "{place}: `{}` is the name of two benchmarks, the other one is at {other}; \
                     rename a module or function",
                addresses[second]
            ));
        }
    }
}

/// Names that occur twice: the indices of the second and the first, in their order.
fn twins<'a>(names: impl Iterator<Item = &'a str>) -> Vec<(usize, usize)> {
    // Heaps instead of `sort` for the reason that `benchmarks.rs` gives: every user compiles this.
    let names: BinaryHeap<_> = names
        .enumerate()
        .map(|(index, name)| (name, index))
        .collect();
    let sorted = names.into_sorted_vec();
    let pairs = sorted.iter().zip(sorted.iter().skip(1));
    let twins = pairs.filter(|((first, _), (second, _))| first == second);
    let twins: BinaryHeap<_> = twins
        .map(|((_, first), (_, second))| (*second, *first))
        .collect();
    twins.into_sorted_vec()
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_fmt(format_args!("{}:{}", self.file, self.line))
    }
}
