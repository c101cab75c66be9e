//! The suite of a benchmark executable, as `describe` writes it and the runner reads it.
//!
//! A benchmark file writes most of it without these types (`__internal/describe.rs`), so only their
//! reader compiles them.

use super::json::described;
#[cfg(feature = "serde")]
use super::{Command, Config, Input};

#[cfg(feature = "serde")]
described! {
    /// All benchmarks of one benchmark executable.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Suite {
        /// [`PROTOCOL`](super::PROTOCOL) of the library. Readers look at this field before the
        /// others.
        pub protocol: u32,
        /// [`VERSION`](super::VERSION) of the library.
        pub version: String,
        /// Package of the benchmark executable.
        pub package: Package,
        /// Platform that the executable was built for, and runs on.
        pub platform: Platform,
        /// `config` of `main!`.
        pub config: Option<Config>,
        /// `deterministic_random` of `main!`.
        pub deterministic_random: bool,
        /// Does every benchmark function start and stop Cachegrind? (feature `cachegrind`)
        pub brackets: bool,
        /// Does Rust's global allocator take each block from the C library's `malloc`? Absent if
        /// the C library does not say.
        pub is_malloc: Option<bool>,
        /// `setup` and `teardown` of `main!`.
        pub hooks: Hooks,
        /// Groups in the order of `main!`, or without a list in the order of the source.
        pub groups: Vec<Group>,
        /// Annotated functions that are in no group: `file:line: name`.
        pub unlisted: Vec<String>,
        /// Warnings about iterators without an element, each a sentence.
        pub empty: Vec<String>,
        /// Number of entries in the executable's table, to be compared with that of its server.
        pub entries: u32,
        /// Are benchmarks registered while the executable runs? Then all have the same measured
        /// function.
        #[cfg_attr(feature = "serde", serde(default))]
        pub at_run_time: bool,
    }
}

#[cfg(feature = "serde")]
described! {
    /// Facts about the package that were fixed when the benchmark was compiled.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Package {
        /// `CARGO_PKG_NAME`.
        pub name: String,
        /// `CARGO_MANIFEST_DIR`: the directory in which cargo starts the executable.
        pub manifest_dir: String,
        /// The root of the workspace, as cargo knows it.
        pub workspace: String,
        /// `CARGO_TARGET_TMPDIR`: a directory right below the target directory.
        pub target_tmpdir: Option<String>,
        /// `file!()` of `main!`.
        pub file: String,
        /// `module_path!()` of `main!`: the name of the bench target as an identifier.
        pub module: String,
    }
}

described! {
    /// Platform that a benchmark executable was built for, and runs on.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Platform {
        /// Target, put together from what the compiler says: `x86_64-unknown-linux-gnu`.
        pub target: String,
        /// C library of the process: `glibc 2.36`. Absent if the C library does not say.
        pub libc: Option<String>,
        /// The instruction sets that the compiler could take for granted: `avx2`. Those that all
        /// processors of the target have are left out.
        pub target_features: Vec<String>,
        /// Was the library compiled with `debug-assertions`?
        pub debug_assertions: bool,
        /// Does a panic abort instead of unwinding?
        pub panic_aborts: bool,
    }
}

described! {
    /// Hooks that exist at a level.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct Hooks {
        /// Runs before everything below this level.
        pub setup: bool,
        /// Runs after everything below this level.
        pub teardown: bool,
    }
}

described! {
    /// Kind of the benchmarks in a group.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum Kind {
        /// Functions of the benchmark executable.
        #[default]
        Library,
        /// Programs: every case has a command.
        Binary,
    }
}

#[cfg(feature = "serde")]
described! {
    /// One `library_benchmark_group!` or `binary_benchmark_group!`, or the functions of a module
    /// when `main!` has no list.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Group {
        /// `name` of the group.
        pub name: String,
        /// Kind of the benchmarks, equal in all groups of a suite.
        pub kind: Kind,
        /// `config` of the group.
        pub config: Option<Config>,
        /// Compare the cases of different functions that have the same id.
        pub compare_by_id: bool,
        /// Largest number of benchmarks that run at the same time; 0 is no limit.
        pub max_parallel: usize,
        /// `setup` and `teardown` of the group.
        pub hooks: Hooks,
        /// Functions in the order of `benchmarks`.
        pub functions: Vec<Function>,
        /// Pairs of benchmarks whose counts have to be in a ratio.
        pub ratios: Vec<Ratio>,
    }
}

#[cfg(feature = "serde")]
described! {
    /// Ratio of the counts of two benchmarks of a group: the first may count at most so many times
    /// what the other does.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Ratio {
        /// The benchmark that may not count more.
        pub limited: RatioSide,
        /// A decimal above 0, as it is written in the source.
        pub ratio: String,
        /// The benchmark whose count is multiplied by the ratio.
        pub of: RatioSide,
    }
}

#[cfg(feature = "serde")]
described! {
    /// A benchmark of a group.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct RatioSide {
        /// The name of the function.
        pub function: String,
        /// The id of the case, if it has one.
        pub id: Option<String>,
    }
}

#[cfg(feature = "serde")]
described! {
    /// One annotated function, or one `BinaryBenchmark`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Function {
        /// The function's name.
        pub name: String,
        /// Index in the executable's table, for [`wire::Command`](super::wire::Command).
        pub index: u32,
        /// `file!()` of the attribute.
        pub file: String,
        /// `line!()` of the attribute.
        pub line: u32,
        /// `config` of the attribute. In a box, as it is large and most often absent.
        pub config: Option<Box<Config>>,
        /// All cases have to count the same: `equal_counts` of the attribute or of the group.
        pub equal_counts: bool,
        /// Cases in the order of the attributes; one case without id when there are none.
        pub cases: Vec<Case>,
    }
}

#[cfg(feature = "serde")]
described! {
    /// One benchmark: a function with one set of arguments.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Case {
        /// Absent for a function without `#[bench]`.
        pub id: Option<String>,
        /// The arguments as they are written in the source, or the label, for display.
        pub args: Option<String>,
        /// Arguments, to be compared with those of other results; absent if the case has no id, or
        /// if they are not known.
        pub input: Option<Input>,
        /// Index in the executable's table, for [`wire::Command`](super::wire::Command).
        pub index: u32,
        /// Index of the element or line that is the argument; 0 if there is none.
        pub element: u32,
        /// Number of elements; 0 if there is no iterator.
        pub elements: u32,
        /// `config` of `#[bench]`.
        pub config: Option<Box<Config>>,
        /// Part of the case in the growth of its attribute; absent without `scaling`.
        pub scaling: Option<Scaling>,
        /// Amounts that the benchmark handles; absent without `throughput`. In a box, since most
        /// often there are none.
        pub throughput: Option<Box<Throughput>>,
        /// Name in the words of the framework that the source was written for, which filters match
        /// as well.
        pub title: Option<String>,
        /// Hooks of a binary benchmark. Those of a library benchmark run in the measured process,
        /// and only its `teardown` is said. In the `assist` role hooks have no other variables than
        /// those that the runner sets: it alone has the merged configuration of all levels.
        pub hooks: Hooks,
        /// Command of a binary benchmark; absent in library benchmarks.
        pub command: Option<Box<Command>>,
    }
}

#[cfg(feature = "serde")]
described! {
    /// Part of a case in the growth of counts with the size of the input. Cases of the same
    /// function and attribute belong together.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Scaling {
        /// Id of the attribute.
        pub bench: String,
        /// Stated growth: `constant`, `log n`, `n`, `n log n`, `n^2`, `n^3` or `any`.
        pub growth: String,
        /// Size of the input.
        pub size: u64,
    }
}

described! {
    /// Amounts that a benchmark handles; without any, nothing is said.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct Throughput {
        /// Number of bytes, if it is said.
        pub bytes: Option<u64>,
        /// Number of elements, if it is said.
        pub elements: Option<u64>,
    }
}
