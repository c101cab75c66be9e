//! The suite as the macros write it: constant tables of names and function pointers.
//!
//! Nothing in here is made at run time, so the measuring process reaches a benchmark by three
//! indices, without allocating and without looking at a name.

use crate::protocol::Config;

/// What `main!` expands to.
#[derive(Debug)]
pub struct Suite {
    pub package: Package,
    pub config: Option<fn() -> Config>,
    /// Does the executable bring its own `getrandom`?
    pub deterministic_random: bool,
    pub hooks: Hooks,
    pub groups: &'static [&'static Group],
}

/// Facts of the benchmark's crate, fixed at compile time.
#[derive(Debug)]
pub struct Package {
    pub name: &'static str,
    pub manifest_dir: &'static str,
    pub target_tmpdir: Option<&'static str>,
    pub file: &'static str,
    pub module: &'static str,
    /// `IAI_CALLGRIND_RUNNER` as it was when the benchmark was compiled.
    pub runner: Option<&'static str>,
}

/// What `library_benchmark_group!` expands to.
#[derive(Debug)]
pub struct Group {
    pub name: &'static str,
    pub config: Option<fn() -> Config>,
    pub compare_by_id: fn() -> bool,
    pub hooks: Hooks,
    pub functions: &'static [&'static Function],
}

/// What `#[library_benchmark]` expands to.
#[derive(Debug)]
pub struct Function {
    pub name: &'static str,
    pub config: Option<fn() -> Config>,
    pub cases: &'static [Case],
}

/// One `#[bench]`.
#[derive(Debug)]
pub struct Case {
    pub id: Option<&'static str>,
    /// The arguments as they are written in the source.
    pub args: Option<&'static str>,
    pub config: Option<fn() -> Config>,
    /// Evaluates the arguments, runs setup, the benchmark function and teardown.
    pub run: fn(),
}

/// `setup` and `teardown` of `main!` or of a group.
#[derive(Debug)]
pub struct Hooks {
    pub setup: Option<fn()>,
    pub teardown: Option<fn()>,
}
