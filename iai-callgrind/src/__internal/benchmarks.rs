//! All benchmarks of the executable by name, for the roles other than measuring.
//!
//! In: the constant tables, and what the functions of low-level groups add to them. Out: groups,
//! functions and cases in the order in which they run, with the elements of iterators and the lines of
//! files as cases of their own. Every case of a table knows its place in it, by which the measuring
//! process finds it.

use std::collections::BinaryHeap;

#[cfg(feature = "registration")]
use super::at_run_time;
use super::cases::cases;
use super::later::{LaterConfig, SharedConfig};
use super::low_level::Member;
use super::program::AnyProgram;
use super::ratios::{self, RatioPair};
use super::registry;
use super::table::{self, BinaryFunction, Element, Hooks, ListedGroup, Scaling, Suite};
use super::throughput::LaterThroughputs;
use crate::protocol::{Address, Input, Kind};

/// The group of functions that stand in no module, when `main!` has no list.
const ROOT: &str = "main";

pub(super) const NO_HOOKS: Hooks = Hooks {
    setup: None,
    teardown: None,
};

pub(super) struct Group {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) config: Option<fn() -> SharedConfig>,
    pub(super) compare_by_id: bool,
    pub(super) max_parallel: usize,
    pub(super) hooks: &'static Hooks,
    pub(super) functions: Vec<Function>,
    /// Pairs of benchmarks whose counts have to be in a ratio.
    pub(super) ratios: Vec<RatioPair>,
    /// Mistakes in a low-level group, and in ratios.
    pub(super) mistakes: Vec<String>,
}

/// One function, or one `BinaryBenchmark`.
pub struct Function {
    /// Index in the group's table, or in the registry.
    pub(super) index: u32,
    /// Annotated function of which it is made.
    pub(super) table: Option<&'static table::Function>,
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) config: Option<LaterConfig>,
    /// Do all cases have to count the same?
    pub(super) equal_counts: bool,
    pub(super) cases: Vec<Case>,
    /// Ids of the attributes whose iterator has no element.
    pub(super) empty: Vec<&'static str>,
}

/// One benchmark.
pub(super) struct Case {
    /// Index in the function's table.
    pub(super) index: u32,
    pub(super) element: Element,
    pub(super) id: Option<String>,
    pub(super) args: Option<String>,
    pub(super) input: Option<Input>,
    /// Is there a teardown that runs in the measured process?
    pub(super) tears_down: bool,
    pub(super) config: Option<LaterConfig>,
    pub(super) scaling: Option<&'static Scaling>,
    pub(super) throughput: Option<LaterThroughputs>,
    /// Another name, which filters match as well.
    #[cfg(feature = "registration")]
    pub(super) title: Option<String>,
    pub(super) code: Code,
}

impl Case {
    /// Another name, which filters match as well.
    pub(super) fn title(&self) -> Option<&str> {
        #[cfg(feature = "registration")]
        return self.title.as_deref();
        #[cfg(not(feature = "registration"))]
        None
    }
}

/// Code of a benchmark: a function of this process, or a program that it starts.
pub enum Code {
    Function(fn(Element)),
    Program(Box<dyn AnyProgram>),
}

/// Place in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: &'static str,
    pub(super) line: u32,
    pub(super) column: u32,
}

/// All groups, in the order in which they run.
pub(super) fn groups(suite: &Suite) -> Vec<Group> {
    groups_of(suite, Wanted::All)
}

/// Benchmarks that are asked for.
#[derive(Clone, Copy)]
pub(super) enum Wanted<'a> {
    All,
    /// All, and the commands of elements, which are made in the same pass over them.
    WithCommands,
    /// The one with this address. The functions of low-level groups that it cannot be in are not called, and no
    /// iterator is asked for its elements: the benchmark does so itself. Others may be there as well.
    At(&'a str),
}

impl Wanted<'_> {
    /// Can it be in the group with this name?
    fn is_in(self, group: &str) -> bool {
        match self {
            Self::All | Self::WithCommands => true,
            Self::At(address) => address
                .strip_prefix(group)
                .is_some_and(|rest| rest.starts_with("::")),
        }
    }
}

/// The groups in which the benchmarks can be.
pub(super) fn groups_of(suite: &Suite, wanted: Wanted<'_>) -> Vec<Group> {
    let mut found = Vec::new();
    match suite.groups {
        table::Groups::Library(groups) => {
            for group in groups {
                if wanted.is_in(group.name) {
                    found.push(library(group, wanted));
                }
            }
        }
        table::Groups::Binary(groups) => {
            for group in groups {
                if wanted.is_in(group.name) {
                    found.push(binary(group, wanted));
                }
            }
        }
        table::Groups::Registered => registered(suite, wanted, &mut found),
        #[cfg(feature = "registration")]
        table::Groups::AtRunTime => found = at_run_time::groups(),
    }
    found
}

/// Function that gets each benchmark with its address.
type Each<'a, 'b> = dyn FnMut(String, &'a Group, &'a Function, &'a Case) + 'b;

/// Gives each benchmark to `take`, with its address: `group::function` or `group::function::id`.
pub(super) fn each<'a>(groups: &'a [Group], take: &mut Each<'a, '_>) {
    for group in groups {
        for function in &group.functions {
            for case in &function.cases {
                let address = Address {
                    group: &group.name,
                    function: &function.name,
                    id: case.id.as_deref(),
                };
                take(format!("{address}"), group, function, case);
            }
        }
    }
}

/// A group without its functions.
pub(super) struct Level {
    pub(super) hooks: &'static Hooks,
    pub(super) config: Option<fn() -> SharedConfig>,
}

/// The group with this name, which `main!` lists. No function of a low-level group is called.
pub(super) fn level(suite: &Suite, name: &str) -> Option<Level> {
    fn find<F>(groups: &'static [ListedGroup<F>], name: &str) -> Option<Level> {
        for listed in groups {
            if listed.name == name {
                return Some(Level {
                    hooks: &listed.group.hooks,
                    config: listed.group.config,
                });
            }
        }
        None
    }
    match suite.groups {
        table::Groups::Library(groups) => find(groups, name),
        table::Groups::Binary(groups) => find(groups, name),
        table::Groups::Registered => None,
        #[cfg(feature = "registration")]
        table::Groups::AtRunTime => None,
    }
}

/// Number of entries in the tables, as the server counts them: without asking iterators. A suite of
/// binary benchmarks has no server.
pub(super) fn entries(suite: &Suite) -> usize {
    let mut entries = 0;
    match suite.groups {
        table::Groups::Library(groups) => {
            for listed in groups {
                for function in listed.group.functions {
                    entries += function.cases.len();
                }
            }
        }
        table::Groups::Registered => {
            for entry in registry::entries() {
                let Some(function) = entry else { continue };
                entries += function.cases.len();
            }
        }
        table::Groups::Binary(_) => {}
        #[cfg(feature = "registration")]
        table::Groups::AtRunTime => {}
    }
    entries
}

/// The functions of this crate that none of the groups has, where `main!` lists groups, with their places.
pub(super) fn unlisted(suite: &Suite, groups: &[Group]) -> Vec<String> {
    let mut unlisted = Vec::new();
    match suite.groups {
        table::Groups::Library(_) | table::Groups::Binary(_) => {}
        // Here all functions of the crate are benchmarks, so none can be forgotten.
        _ => return unlisted,
    }
    for (_, function) in of_crate(suite) {
        if !function.place.may_be_unused && !is_listed(function, groups) {
            let table::Place { file, line, .. } = function.place;
            unlisted.push(format!("{file}:{line}: {}", function.name));
        }
    }
    unlisted
}

fn is_listed(table: &table::Function, groups: &[Group]) -> bool {
    for group in groups {
        for function in &group.functions {
            if function
                .table
                .is_some_and(|other| std::ptr::eq(other, table))
            {
                return true;
            }
        }
    }
    false
}

/// Warnings about iterators without an element.
pub(super) fn empty(groups: &[Group]) -> Vec<String> {
    let mut all = Vec::new();
    for group in groups {
        for function in &group.functions {
            let Place { file, line, .. } = function.place;
            for id in &function.empty {
                let address = Address {
                    group: &group.name,
                    function: &function.name,
                    id: Some(id),
                };
                all.push(format!(
                    "{file}:{line}: the `iter` of `{address}` has no elements, so there is no benchmark \
                     of it"
                ));
            }
        }
    }
    all
}

fn library(listed: &'static ListedGroup, wanted: Wanted<'_>) -> Group {
    let mut functions = Vec::new();
    for table in listed.group.functions {
        let mut function = Function::listed(functions.len() as u32, table, wanted);
        function.equal_counts |= listed.group.equal_counts;
        functions.push(function);
    }
    Group::listed(listed, Kind::Library, functions)
}

fn binary(listed: &'static ListedGroup<table::MembersOf>, wanted: Wanted<'_>) -> Group {
    let mut mistakes = Vec::new();
    let mut functions = Vec::new();
    for member in &(listed.group.functions)() {
        match member {
            Member::Function(BinaryFunction(table)) => {
                let index = functions.len() as u32;
                functions.push(Function::listed(index, table, wanted));
            }
            Member::Build(build) => build.build(listed.name, &mut functions, &mut mistakes),
        }
    }
    let mut group = Group::listed(listed, Kind::Binary, functions);
    group.mistakes.append(&mut mistakes);
    group
}

impl Group {
    fn is(&self, name: &str, kind: Kind) -> bool {
        self.name == name && self.kind == kind
    }

    fn listed<F>(listed: &'static ListedGroup<F>, kind: Kind, functions: Vec<Function>) -> Self {
        let table = listed.group;
        let mut mistakes = Vec::new();
        let ratios = ratios::pairs(listed.name, table.ratios, &functions, &mut mistakes);
        Self {
            name: listed.name.to_owned(),
            kind,
            config: table.config,
            compare_by_id: (table.compare_by_id)(),
            max_parallel: (table.max_parallel)(),
            hooks: &table.hooks,
            functions,
            ratios,
            mistakes,
        }
    }
}

/// Groups by module.
fn registered(suite: &Suite, wanted: Wanted<'_>, groups: &mut Vec<Group>) {
    for (index, table) in of_crate(suite) {
        let name = module(&table.place).unwrap_or(ROOT);
        if !wanted.is_in(name) {
            continue;
        }
        let function = Function::listed(index as u32, table, wanted);
        let mut group = 0;
        while group < groups.len() && !groups[group].is(name, table.kind) {
            group += 1;
        }
        if group == groups.len() {
            groups.push(Group {
                name: name.to_owned(),
                kind: table.kind,
                config: None,
                compare_by_id: false,
                max_parallel: 0,
                hooks: &NO_HOOKS,
                functions: Vec::new(),
                ratios: Vec::new(),
                mistakes: Vec::new(),
            });
        }
        groups[group].functions.push(function);
    }
}

/// The functions of the crate that `main!` is in, and not of others that it links, with their
/// index. The linker's order means nothing; the source's does. The file of `main!` comes first.
fn of_crate(suite: &Suite) -> Vec<(usize, &'static table::Function)> {
    let own = root(suite.package.module);
    let entries = registry::entries();
    let functions = entries.iter().enumerate();
    let functions = functions.filter_map(|(index, entry)| Some((index, &(*entry)?.place)));
    let own = functions.filter(|(_, place)| root(place.module) == own);
    // Every user compiles this: a heap is a tenth of the code of `sort`.
    let places: BinaryHeap<_> = own
        .map(|(index, place)| {
            let is_other = place.file != suite.package.file;
            (is_other, place.file, place.line, place.column, index)
        })
        .collect();
    let places = places.into_sorted_vec().into_iter();
    let function = |(.., index): (_, _, _, _, usize)| Some((index, entries[index]?));
    places.filter_map(function).collect()
}

/// The crate that a module is in.
pub(super) fn root(module: &str) -> &str {
    match module.split_once(':') {
        Some((root, _)) => root,
        None => module,
    }
}

/// The module below the crate, if there is one.
fn module(place: &table::Place) -> Option<&'static str> {
    let (_, below) = place.module.split_once(':')?;
    below.strip_prefix(":")
}

impl Function {
    fn listed(index: u32, table: &'static table::Function, wanted: Wanted<'_>) -> Self {
        let table::Place {
            file, line, column, ..
        } = table.place;
        let mut empty = Vec::new();
        Self {
            index,
            table: Some(table),
            name: table.name.to_owned(),
            place: Place { file, line, column },
            config: table.config.map(LaterConfig::Of),
            equal_counts: table.equal_counts,
            cases: cases(table, wanted, &mut empty),
            empty,
        }
    }
}
