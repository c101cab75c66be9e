//! The suite as the macros write it: constant tables of names and function pointers.
//!
//! Nothing in here is made at run time, so the measuring process reaches a benchmark by three
//! indices, without allocating and without looking at a name. Facts about benchmarks that are
//! needed only on demand, such as how many elements an iterator has, are functions.
//!
//! Features that only a few benchmark files use (a configuration, a program, a group that is made
//! at run time) are values of a trait here ([`Configuration`](super::later::Configuration),
//! [`Programmed`], [`Build`](super::low_level::Build)), and all functions that only their methods
//! call are `#[inline]`. The compiler generates code of such functions in the crate that needs
//! their address, which is the benchmark file with its table: a file without programs compiles
//! nothing that runs one, and the library, which everybody compiles, is a third smaller.

use super::benchmarks::Code;
use super::elements::{Each, Text};
use super::later::SharedConfig;
use super::low_level::Member;
use super::throughput::Throughputs;
use crate::protocol::{Command, Kind};

/// Expansion of `main!`.
pub struct Suite {
    pub package: Package,
    pub config: Option<fn() -> SharedConfig>,
    /// Does the executable bring its own `getrandom`?
    pub deterministic_random: bool,
    pub hooks: Hooks,
    pub groups: Groups,
}

/// Source of the groups.
pub enum Groups {
    /// `main!` lists groups of library benchmarks.
    Library(&'static [ListedGroup]),
    /// `main!` lists groups of binary benchmarks.
    Binary(&'static [ListedGroup<MembersOf>]),
    /// `main!` has no list: every annotated function of the crate, grouped by module.
    Registered,
    /// Functions of the user register benchmarks while they run.
    #[cfg(feature = "registration")]
    AtRunTime,
}

/// Group with the name that `main!` has for it, which is its own unless it was imported under another one.
/// Groups of different modules can have the same.
pub struct ListedGroup<F: 'static = &'static [&'static Function]> {
    pub name: &'static str,
    pub group: &'static Group<F>,
}

/// Facts of the benchmark's crate, fixed at compile time.
#[derive(Debug)]
pub struct Package {
    pub name: &'static str,
    pub manifest_dir: &'static str,
    /// The root of the workspace.
    pub workspace: &'static str,
    pub target_tmpdir: Option<&'static str>,
    pub file: &'static str,
    pub module: &'static str,
    /// `IAI_CALLGRIND_RUNNER` as it was when the benchmark was compiled.
    pub runner: Option<&'static str>,
}

/// Expansion of `library_benchmark_group!` or, with another type of members, of
/// `binary_benchmark_group!`.
pub struct Group<F = &'static [&'static Function]> {
    pub config: Option<fn() -> SharedConfig>,
    pub compare_by_id: fn() -> bool,
    pub max_parallel: fn() -> usize,
    /// Do all cases of each function have to count the same?
    pub equal_counts: bool,
    pub ratios: &'static [Ratio],
    pub hooks: Hooks,
    pub functions: F,
}

/// Counts of two members of a group: `limited <= number * of`.
pub struct Ratio {
    pub limited: RatioSide,
    /// The decimal as it is written.
    pub number: &'static str,
    pub of: RatioSide,
}

/// The cases of a function, or one of them.
pub struct RatioSide {
    pub function: &'static str,
    pub id: Option<&'static str>,
}

/// Expansion of `binary_benchmark_group!`. Its members are needed by the roles other than measuring
/// only, so they need not be constant.
pub type BinaryGroup = Group<MembersOf>;

/// Function that makes the members of a group of binary benchmarks.
pub type MembersOf = fn() -> Vec<Member>;

/// Expansion of `#[binary_benchmark]`. A type of its own, so that rustc tells the kinds apart.
pub struct BinaryFunction(pub Function);

/// Expansion of `#[library_benchmark]`.
pub struct Function {
    pub kind: Kind,
    pub name: &'static str,
    pub place: Place,
    pub config: Option<fn() -> SharedConfig>,
    /// Do all cases have to count the same?
    pub equal_counts: bool,
    pub cases: &'static [Case],
}

/// Place of a function in the source.
pub struct Place {
    pub module: &'static str,
    pub file: &'static str,
    pub line: u32,
    pub column: u32,
    /// May the function be in no group without a word about it?
    pub may_be_unused: bool,
}

/// One `#[bench]`, one element of `args` in `#[benches]`, or all that an iterator or file gives.
pub struct Case {
    pub id: Option<&'static str>,
    /// The arguments as they are written in the source, or the label.
    pub args: Option<&'static str>,
    /// The arguments alone, however the source is formatted; absent if there is no id, or if there are elements.
    pub input: Option<&'static str>,
    /// Is the id the place in a list?
    pub positional: bool,
    pub has_teardown: bool,
    pub config: Option<fn() -> SharedConfig>,
    /// Texts of the elements of an iterator or file, each of which is a library benchmark.
    pub elements: Option<fn() -> Vec<Text>>,
    pub scaling: Option<Scaling>,
    /// Makes the amounts that the benchmark handles.
    pub throughput: Option<fn(Element) -> Throughputs>,
    pub run: Run,
}

/// Growth of counts with the size of the input. The cases of an attribute have the same one, apart from the size.
pub struct Scaling {
    /// Id of the attribute.
    pub bench: &'static str,
    /// Growth as the runner knows it.
    pub growth: &'static str,
    pub size: Size,
}

/// Size of an input.
#[derive(Clone, Copy)]
pub enum Size {
    /// The argument is written as this number.
    Number(u64),
    /// Evaluates the argument.
    Of(fn(Element) -> u64),
}

/// Code of a case.
#[derive(Clone, Copy)]
pub enum Run {
    /// Evaluates the arguments, runs setup, the benchmark function and teardown.
    Function(fn(Element)),
    /// Does nothing by itself; the runner asks for the parts.
    Program(&'static dyn Programmed),
}

impl Case {
    /// Does it stand for the elements of an iterator or file?
    #[must_use]
    pub fn has_elements(&self) -> bool {
        match self.run {
            Run::Function(_) => self.elements.is_some(),
            Run::Program(programs) => programs.has_elements(),
        }
    }
}

impl Run {
    /// The function of a library benchmark.
    #[must_use]
    pub fn function(self) -> Option<fn(Element)> {
        match self {
            Self::Function(function) => Some(function),
            Self::Program(_) => None,
        }
    }
}

/// The program of a case, or those of all elements for which it stands.
pub trait Programmed: Sync {
    /// Does it stand for the elements of an iterator or file?
    fn has_elements(&self) -> bool;

    /// The program of one element. Its command is made on demand.
    fn program(&self, element: Element) -> Code;

    /// Texts and programs of all elements. The iterator is evaluated once, and with `made` the commands are made in
    /// this pass.
    fn elements(&self, made: bool) -> (Vec<Text>, Vec<Option<Code>>);
}

/// The parts of a binary benchmark. Each evaluates the arguments anew.
#[derive(Clone, Copy)]
pub struct Program {
    pub command: fn() -> Command,
    pub setup: Option<fn(Element)>,
    pub teardown: Option<fn(Element)>,
}

/// The parts of the binary benchmarks of all elements. The first makes all commands in one pass, the others get
/// theirs out of the elements.
#[derive(Clone, Copy)]
pub struct Programs {
    pub commands: fn(&mut Each<'_>),
    pub setup: Option<fn(Element)>,
    pub teardown: Option<fn(Element)>,
}

/// Element of an iterator, or line of a file.
#[derive(Clone, Copy, Default)]
pub struct Element {
    pub index: u32,
    /// Number of elements when the suite was described; 0 if the suite was not described.
    pub count: u32,
}

/// `setup` and `teardown` of `main!` or of a group.
pub struct Hooks {
    pub setup: Option<fn()>,
    pub teardown: Option<fn()>,
}
