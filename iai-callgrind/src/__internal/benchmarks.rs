//! All benchmarks of the executable by name, for the roles that speak with somebody.
//!
//! In: the constant tables, and what the functions of low-level groups add to them. Out: groups,
//! functions and cases in the order in which they run, with the elements of iterators and the lines of
//! files as cases of their own. Every case of a table knows its place in it, by which the measuring
//! process finds it.

use super::cases::cases;
use super::low_level::Member;
use super::registry;
use super::table::{self, BinaryFunction, Element, Hooks, ListedGroup, Suite};
use crate::binary::BinaryBenchmarkGroup;
use crate::protocol::{Address, Command, Config, Input, Kind};

/// The group of functions that stand in no module, when `main!` has no list.
const ROOT: &str = "main";

const NO_HOOKS: Hooks = Hooks {
    setup: None,
    teardown: None,
};

/// Value that is computed only when somebody asks: that may be slow, and it is the user's code.
pub(super) type Later<T> = Box<dyn Fn() -> T>;

pub(super) struct Group {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) config: Option<fn() -> Config>,
    pub(super) compare_by_id: bool,
    pub(super) max_parallel: usize,
    pub(super) hooks: &'static Hooks,
    pub(super) functions: Vec<Function>,
    /// Mistakes in a low-level group.
    pub(super) mistakes: Vec<String>,
}

/// One function, or one `BinaryBenchmark`.
pub(super) struct Function {
    /// Index in the group's table, or in the registry.
    pub(super) index: u32,
    /// Annotated function of which it is made.
    pub(super) table: Option<&'static table::Function>,
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) config: Option<Later<Config>>,
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
    pub(super) config: Option<Later<Config>>,
    pub(super) code: Code,
}

pub(super) enum Code {
    Function(fn(Element)),
    Program(Program),
}

/// The parts of a binary benchmark.
pub(super) struct Program {
    pub(super) command: Later<Command>,
    pub(super) setup: Option<Later<()>>,
    pub(super) teardown: Option<Later<()>>,
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
    match suite.groups {
        table::Groups::Library(groups) => {
            let groups = groups.iter().filter(|group| wanted.is_in(group.name));
            groups.map(|group| library(group, wanted)).collect()
        }
        table::Groups::Binary(groups) => {
            let groups = groups.iter().filter(|group| wanted.is_in(group.name));
            groups.map(|group| binary(group, wanted)).collect()
        }
        table::Groups::Registered => {
            let mut groups = registered(suite, wanted);
            groups.retain(|group| wanted.is_in(&group.name));
            groups
        }
    }
}

/// Each benchmark with its address: `group::function` or `group::function::id`.
pub(super) fn each(groups: &[Group]) -> Vec<(String, &Group, &Function, &Case)> {
    let mut all = Vec::new();
    for group in groups {
        for function in &group.functions {
            for case in &function.cases {
                let address = Address {
                    group: &group.name,
                    function: &function.name,
                    id: case.id.as_deref(),
                };
                all.push((address.to_string(), group, function, case));
            }
        }
    }
    all
}

/// A group without its functions.
pub(super) struct Level {
    pub(super) hooks: &'static Hooks,
    pub(super) config: Option<fn() -> Config>,
}

/// The group with this name, which `main!` lists. No function of a low-level group is called.
pub(super) fn level(suite: &Suite, name: &str) -> Option<Level> {
    fn find<F>(groups: &'static [ListedGroup<F>], name: &str) -> Option<Level> {
        let group = groups.iter().find(|listed| listed.name == name)?.group;
        Some(Level {
            hooks: &group.hooks,
            config: group.config,
        })
    }
    match suite.groups {
        table::Groups::Library(groups) => find(groups, name),
        table::Groups::Binary(groups) => find(groups, name),
        table::Groups::Registered => None,
    }
}

/// Number of entries in the tables, as the server counts them: without asking iterators. A suite of
/// binary benchmarks has no server.
pub(super) fn entries(suite: &Suite) -> usize {
    let mut entries = 0;
    match suite.groups {
        table::Groups::Library(groups) => {
            for function in groups.iter().flat_map(|listed| listed.group.functions) {
                entries += function.cases.len();
            }
        }
        table::Groups::Registered => {
            for function in registry::entries().iter().flatten() {
                entries += function.cases.len();
            }
        }
        table::Groups::Binary(_) => {}
    }
    entries
}

/// The functions of this crate that none of the groups has, where `main!` lists groups.
pub(super) fn unlisted(suite: &Suite, groups: &[Group]) -> Vec<&'static table::Function> {
    if let table::Groups::Registered = suite.groups {
        return Vec::new();
    }
    let functions = groups.iter().flat_map(|group| &group.functions);
    let listed: Vec<*const table::Function> = functions
        .filter_map(|function| Some(function.table? as *const _))
        .collect();
    let mut unlisted = Vec::new();
    for (_, function) in of_crate(suite) {
        if !function.place.may_be_unused && !listed.contains(&(function as *const _)) {
            unlisted.push(function);
        }
    }
    unlisted
}

/// Warnings about iterators without an element.
pub(super) fn empty(groups: &[Group]) -> Vec<String> {
    let mut all = Vec::new();
    for group in groups {
        for function in &group.functions {
            let Place { file, line, .. } = function.place;
            all.extend(function.empty.iter().map(|id| {
                let address = Address {
                    group: &group.name,
                    function: &function.name,
                    id: Some(id),
                };
                format!(
                    "{file}:{line}: the `iter` of `{address}` has no elements, so there is no benchmark \
                     of it"
                )
            }));
        }
    }
    all
}

fn library(listed: &'static ListedGroup, wanted: Wanted<'_>) -> Group {
    let functions = listed.group.functions.iter().copied().zip(0..);
    let functions = functions.map(|(table, index)| Function::listed(index, table, wanted));
    Group::listed(listed, Kind::Library, functions.collect())
}

fn binary(listed: &'static ListedGroup<table::MembersOf>, wanted: Wanted<'_>) -> Group {
    let mut mistakes = Vec::new();
    let mut functions = Vec::new();
    for member in (listed.group.functions)() {
        match member {
            Member::Function(BinaryFunction(table)) => {
                let index = functions.len() as u32;
                functions.push(Function::listed(index, table, wanted));
            }
            Member::Build(build) => {
                let mut built = BinaryBenchmarkGroup::default();
                build(&mut built);
                built.add_to(listed.name, &mut functions, &mut mistakes);
            }
        }
    }
    Group {
        mistakes,
        ..Group::listed(listed, Kind::Binary, functions)
    }
}

impl Group {
    fn listed<F>(listed: &'static ListedGroup<F>, kind: Kind, functions: Vec<Function>) -> Self {
        let table = listed.group;
        Self {
            name: listed.name.to_owned(),
            kind,
            config: table.config,
            compare_by_id: (table.compare_by_id)(),
            max_parallel: (table.max_parallel)(),
            hooks: &table.hooks,
            functions,
            mistakes: Vec::new(),
        }
    }
}

/// Groups by module.
fn registered(suite: &Suite, wanted: Wanted<'_>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (index, table) in of_crate(suite) {
        let name = module(&table.place).unwrap_or(ROOT);
        let is_same = |group: &Group| group.name == name && group.kind == table.kind;
        let found = groups.iter().position(is_same);
        let group = found.unwrap_or_else(|| {
            groups.push(Group {
                name: name.to_owned(),
                kind: table.kind,
                config: None,
                compare_by_id: false,
                max_parallel: 0,
                hooks: &NO_HOOKS,
                functions: Vec::new(),
                mistakes: Vec::new(),
            });
            groups.len() - 1
        });
        let function = Function::listed(index, table, wanted);
        groups[group].functions.push(function);
    }
    groups
}

/// The registered functions of the crate that `main!` is in, and not of others that it links, with their
/// index. The linker's order means nothing; the source's does.
fn of_crate(suite: &Suite) -> Vec<(u32, &'static table::Function)> {
    let own = root(suite.package.module);
    let mut functions = Vec::new();
    for (entry, index) in registry::entries().iter().zip(0..) {
        match *entry {
            Some(function) if root(function.place.module) == own => {
                functions.push((index, function));
            }
            _ => {}
        }
    }
    functions.sort_by_key(|(_, function)| order(&function.place, suite));
    functions
}

/// The file of `main!` comes first.
fn order<'a>(place: &'a table::Place, suite: &Suite) -> (bool, &'a str, u32, u32) {
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
fn module(place: &table::Place) -> Option<&'static str> {
    place.module.split_once("::").map(|(_, module)| module)
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
            config: later(table.config),
            cases: cases(table, wanted, &mut empty),
            empty,
        }
    }
}

pub(super) fn later<T: 'static>(function: Option<fn() -> T>) -> Option<Later<T>> {
    function.map(|function| Box::new(function) as _)
}
