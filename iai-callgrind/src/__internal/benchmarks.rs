//! All benchmarks of the executable by name, for the roles that speak with somebody.
//!
//! In: the constant tables. Out: groups, functions and cases in the order in which they run, with
//! the elements of iterators and the lines of files as cases of their own. Every case knows its place
//! in the tables, by which the measuring process finds it.

use super::registry;
use super::table::{self, Element, Hooks, Place};
use crate::protocol::{Address, Config};

/// The group of functions that stand in no module, when `main!` has no list.
const ROOT: &str = "main";

const NO_HOOKS: Hooks = Hooks {
    setup: None,
    teardown: None,
};

/// One group.
pub(super) struct Group {
    pub(super) name: String,
    pub(super) config: Option<fn() -> Config>,
    pub(super) compare_by_id: bool,
    pub(super) max_parallel: usize,
    pub(super) hooks: &'static Hooks,
    pub(super) functions: Vec<Function>,
}

/// One function.
pub(super) struct Function {
    /// Its place in the group's table, or in the registry.
    pub(super) index: u32,
    pub(super) table: &'static table::Function,
    pub(super) cases: Vec<Case>,
}

/// One benchmark.
pub(super) struct Case {
    /// Its place in the function's table.
    pub(super) index: u32,
    pub(super) element: Element,
    pub(super) id: Option<String>,
    pub(super) args: Option<String>,
    pub(super) table: &'static table::Case,
}

/// All groups, in the order in which they run.
pub(super) fn groups(suite: &table::Suite) -> Vec<Group> {
    match suite.groups {
        table::Groups::Listed(groups) => groups.iter().copied().map(listed).collect(),
        table::Groups::Registered => registered(suite),
    }
}

/// Each benchmark with its address: `group::function` or `group::function::id`.
pub(super) fn each(groups: &[Group]) -> impl Iterator<Item = (String, &Group, &Function, &Case)> {
    groups.iter().flat_map(|group| {
        group.functions.iter().flat_map(move |function| {
            function.cases.iter().map(move |case| {
                let address = Address {
                    group: &group.name,
                    function: function.table.name,
                    id: case.id.as_deref(),
                };
                (address.to_string(), group, function, case)
            })
        })
    })
}

/// How many entries the tables have: what the server counts, without asking iterators.
pub(super) fn entries(suite: &table::Suite) -> usize {
    match suite.groups {
        table::Groups::Listed(groups) => {
            let functions = groups.iter().flat_map(|group| group.functions);
            functions.map(|function| function.cases.len()).sum()
        }
        table::Groups::Registered => {
            let functions = registry::entries().iter().flatten();
            functions.map(|function| function.cases.len()).sum()
        }
    }
}

/// The functions of this crate that no group has, where `main!` lists groups.
pub(super) fn unlisted(suite: &table::Suite) -> Vec<&'static table::Function> {
    let table::Groups::Listed(groups) = suite.groups else {
        return Vec::new();
    };
    let is_listed = |function: &table::Function| {
        let mut functions = groups.iter().flat_map(|group| group.functions);
        functions.any(|listed| std::ptr::eq(*listed, function))
    };
    let mut unlisted: Vec<_> = of_crate(suite)
        .map(|(_, function)| function)
        .filter(|function| !function.place.may_be_unused && !is_listed(function))
        .collect();
    unlisted.sort_by_key(|function| order(&function.place, suite));
    unlisted
}

fn listed(group: &'static table::Group) -> Group {
    let functions = group.functions.iter().copied().enumerate();
    Group {
        name: group.name.to_owned(),
        config: group.config,
        compare_by_id: (group.compare_by_id)(),
        max_parallel: (group.max_parallel)(),
        hooks: &group.hooks,
        functions: functions
            .map(|(index, table)| function(index as u32, table))
            .collect(),
    }
}

/// Groups by module. The linker's order means nothing; the source's does.
fn registered(suite: &table::Suite) -> Vec<Group> {
    let mut functions: Vec<_> = of_crate(suite).collect();
    functions.sort_by_key(|(_, function)| order(&function.place, suite));
    let mut groups: Vec<Group> = Vec::new();
    for (index, table) in functions {
        let name = module(&table.place).unwrap_or(ROOT);
        let found = groups.iter().position(|group| group.name == name);
        let group = found.unwrap_or_else(|| {
            groups.push(Group {
                name: name.to_owned(),
                config: None,
                compare_by_id: false,
                max_parallel: 0,
                hooks: &NO_HOOKS,
                functions: Vec::new(),
            });
            groups.len() - 1
        });
        groups[group].functions.push(function(index, table));
    }
    groups
}

/// The registered functions of the crate that `main!` is in, and not of others that it links.
fn of_crate(
    suite: &table::Suite,
) -> impl Iterator<Item = (u32, &'static table::Function)> + use<'_> {
    let entries = registry::entries().iter().enumerate();
    let functions = entries.filter_map(|(index, entry)| Some((index as u32, (*entry)?)));
    functions.filter(|(_, function)| root(function.place.module) == root(suite.package.module))
}

/// The file of `main!` comes first.
fn order<'a>(place: &'a Place, suite: &table::Suite) -> (bool, &'a str, u32, u32) {
    (
        place.file != suite.package.file,
        place.file,
        place.line,
        place.column,
    )
}

fn root(module: &str) -> &str {
    module.split("::").next().unwrap_or_default()
}

/// The module below the crate, if there is one.
fn module(place: &Place) -> Option<&'static str> {
    place.module.split_once("::").map(|(_, module)| module)
}

fn function(index: u32, table: &'static table::Function) -> Function {
    let cases = table.cases.iter().enumerate();
    Function {
        index,
        table,
        cases: cases
            .flat_map(|(index, table)| self::cases(index as u32, table))
            .collect(),
    }
}

/// The case, or one for each element.
fn cases(index: u32, table: &'static table::Case) -> Vec<Case> {
    let Some(elements) = table.elements else {
        return vec![Case {
            index,
            element: Element::default(),
            id: table.id.map(str::to_owned),
            args: table.args.map(str::to_owned),
            table,
        }];
    };
    let texts = elements();
    let count = texts.len() as u32;
    texts
        .into_iter()
        .zip(0..)
        .map(|(text, element)| Case {
            index,
            element: Element {
                index: element,
                count,
            },
            id: table.id.map(|id| format!("{id}_{element}")),
            args: Some(text),
            table,
        })
        .collect()
}
