//! The macros without an attribute.
//!
//! They only put the path of this crate in front of what the user wrote, so that a renamed
//! dependency works, and leave the rest to `iai-callgrind-macros`.

/// Makes the `main` function of a benchmark file.
///
/// | parameter | value |
/// | --- | --- |
/// | `library_benchmark_groups` | names or paths of groups, in the order in which they run. Without this parameter every annotated function of the file and its modules runs |
/// | `config` | a [`LibraryBenchmarkConfig`](crate::LibraryBenchmarkConfig) for all of them |
/// | `deterministic_random` | the standard library, and crates that ask the C library for them, draw the same random numbers in every run of a library benchmark, so that a `HashMap` has one order and one count; Linux only. This is the default. `false` switches it off, for one benchmark `LibraryBenchmarkConfig::deterministic_random(false)`. `true` reaches crates as well that ask by the C function `syscall` (`getrandom` 0.2, `rand` 0.8); each call of it then takes two instructions more |
/// | `setup`, `teardown` | run once before the first and after the last group: the path of a function or a closure, which is called, or any other expression |
///
/// Parameters stand in any order and are separated by `;` or `,`; lists may stand in brackets.
///
/// # Without a list
///
/// With `main!()` a file needs neither groups nor lists: all functions with
/// [`#[library_benchmark]`](crate::library_benchmark) run in the order of the source. Those of a
/// module are a group with the module's name, those in no module are the group `main`.
///
/// ```no_run,standalone_crate
/// #[iai_callgrind::library_benchmark]
/// fn add() -> u64 {
///     std::hint::black_box(1) + std::hint::black_box(2)
/// }
/// # mod in_a_module {
/// iai_callgrind::main!();
/// # }
/// # fn main() {}
/// ```
///
/// # Examples
///
/// ```no_run,standalone_crate
/// use iai_callgrind::{library_benchmark, library_benchmark_group, main, LibraryBenchmarkConfig};
///
/// #[library_benchmark]
/// fn add() -> u64 {
///     std::hint::black_box(1) + std::hint::black_box(2)
/// }
///
/// library_benchmark_group!(name = numbers, benchmarks = [add]);
/// # mod in_a_module { use super::numbers;
/// main!(
///     config = LibraryBenchmarkConfig::default().env("MODE", "fast"),
///     library_benchmark_groups = [numbers]
/// );
/// # use super::LibraryBenchmarkConfig; use iai_callgrind::main; }
/// # fn main() {}
/// ```
#[doc(alias("criterion_main", "divan::main"))]
#[macro_export]
macro_rules! main {
    ($($parameters:tt)*) => {
        $crate::__internal::__main! { [$crate] $($parameters)* }
    };
}

/// Makes a group of functions with [`#[library_benchmark]`](crate::library_benchmark).
///
/// | parameter | value |
/// | --- | --- |
/// | `name` | an identifier, the name of the group for [`main!`](crate::main). The name that it has there is its id: another one, if it is imported under another one |
/// | `benchmarks` | names or paths of functions, in the order in which they run |
/// | `config` | a [`LibraryBenchmarkConfig`](crate::LibraryBenchmarkConfig) for all of them |
/// | `compare_by_id` | a `bool`, by default `false`: compare the benchmarks of different functions that have the same id |
/// | `equal_counts` | `true` or `false`, by default `false`: all cases of each function have to execute the same number of instructions, branches, reads and writes; others are regressions (exit code 3) |
/// | `ratios` | relations between the instructions of two functions, `[fast <= 0.5 * slow]`, or of single cases, `[fast::large <= fast::small]`; one that does not hold is a regression (exit code 3) |
/// | `max_parallel` | how many benchmarks of the group may run at the same time with `--parallel`; by default 0, which is no limit |
/// | `setup`, `teardown` | run once before the first and after the last function: the path of a function or a closure, which is called, or any other expression |
///
/// The first two are mandatory. Parameters stand in any order and are separated by `;` or `,`;
/// lists may stand in brackets.
///
/// # Examples
///
/// ```no_run
/// use iai_callgrind::{library_benchmark, library_benchmark_group};
///
/// #[library_benchmark]
/// #[bench::small(3)]
/// fn first(n: u64) -> u64 {
///     (0..n).sum()
/// }
///
/// #[library_benchmark]
/// #[bench::small(3)]
/// fn second(n: u64) -> u64 {
///     n * n.saturating_sub(1) / 2
/// }
///
/// library_benchmark_group!(
///     name = sums,
///     compare_by_id = true,
///     benchmarks = [first, second]
/// );
/// # fn main() {}
/// ```
#[doc(alias("criterion_group", "benchmark_group", "BenchmarkGroup", "bench_group"))]
#[macro_export]
macro_rules! library_benchmark_group {
    ($($parameters:tt)*) => {
        $crate::__internal::__library_benchmark_group! { [$crate] $($parameters)* }
    };
}

/// Makes a group of binary benchmarks: of functions with
/// [`#[binary_benchmark]`](crate::binary_benchmark), or of what a closure adds.
///
/// | parameter | value |
/// | --- | --- |
/// | `name` | an identifier, the name of the group for [`main!`](crate::main). The name that it has there is its id: another one, if it is imported under another one |
/// | `benchmarks` | names or paths of functions, in the order in which they run; or a closure, see below |
/// | `config` | a [`BinaryBenchmarkConfig`](crate::BinaryBenchmarkConfig) for all of them |
/// | `compare_by_id` | a `bool`, by default `false`: compare the benchmarks of different functions that have the same id |
/// | `max_parallel` | a `usize`, by default 0: how many of them may run at the same time with `--parallel`; 0 is no limit of its own |
/// | `setup`, `teardown` | run once before the first and after the last benchmark, outside of any sandbox: the path of a function or a closure, which is called, or any other expression |
///
/// The first two are mandatory. Parameters stand in any order and are separated by `;` or `,`;
/// lists may stand in brackets.
///
/// In the low-level form `benchmarks` is a closure with one parameter, a [`&mut
/// BinaryBenchmarkGroup`](crate::BinaryBenchmarkGroup) whose type can be left out and need not be
/// imported, or the path of a function with that parameter. It is called in the directory of the
/// package, and again in every process that runs a setup or teardown of the group's benchmarks, so
/// it has to add the same benchmarks each time.
///
/// # Examples
///
/// ```no_run
/// use iai_callgrind::{
///     binary_benchmark, binary_benchmark_attribute, binary_benchmark_group, Bench, BinaryBenchmark,
///     Command,
/// };
///
/// #[binary_benchmark]
/// #[bench::short("3")]
/// #[bench::long("3000")]
/// fn seq(last: &str) -> Command {
///     Command::new("seq").arg(last).build()
/// }
///
/// binary_benchmark_group!(name = high_level, benchmarks = [seq]);
///
/// binary_benchmark_group!(
///     name = low_level,
///     benchmarks = |group: &mut BinaryBenchmarkGroup| {
///         let bench = Bench::new("backwards").command(Command::new("seq").args(["9", "-1", "1"])).build();
///         group
///             .binary_benchmark(binary_benchmark_attribute!(seq))
///             .binary_benchmark(BinaryBenchmark::new("other").bench(bench))
///     }
/// );
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! binary_benchmark_group {
    ($($parameters:tt)*) => {
        $crate::__internal::__binary_benchmark_group! { [$crate] $($parameters)* }
    };
}

/// A function with [`#[binary_benchmark]`](crate::binary_benchmark) as a
/// [`BinaryBenchmark`](crate::BinaryBenchmark), for the low-level form of
/// [`binary_benchmark_group!`](crate::binary_benchmark_group).
///
/// Its id is the name of the function, and each case is a [`Bench`](crate::Bench) with the id of
/// the case; a function without `#[bench]` has one whose id is the name of the function. More can
/// be added to it. The argument is the name or path of the function.
///
/// # Examples
///
/// ```no_run
/// use iai_callgrind::{binary_benchmark, binary_benchmark_attribute, Command};
///
/// #[binary_benchmark]
/// #[bench::short("3")]
/// fn seq(last: &str) -> Command {
///     Command::new("seq").arg(last).build()
/// }
///
/// fn main() {
///     binary_benchmark_attribute!(seq).setup(|| println!("runs before each case without a setup"));
/// }
/// ```
#[macro_export]
macro_rules! binary_benchmark_attribute {
    ($($function:tt)+) => {
        $crate::__internal::attribute(&$($function)+::__FUNCTION)
    };
}
