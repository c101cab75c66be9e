//! The macros of `iai-callgrind`. Use them through that crate.
//!
//! Every macro goes the same way: tokens become a model with spans (`input`), all checks run over
//! the model (`check`), then code is written (`expand`). Errors are collected on the way, and the
//! user's function is emitted in any case (`errors`).

mod cases;
mod check;
mod compiler;
mod errors;
mod expand;
mod expansion;
mod input;
mod model;
mod text;
mod workspace;

use proc_macro::TokenStream;

use expansion::{benchmark, group, main};
use model::Kind;

/// Makes a function a benchmark that is measured by itself.
///
/// Each `#[bench::id(..)]` below the attribute is one benchmark, `#[benches::id(..)]` is one for
/// each of its cases, with the ids `id_0`, `id_1` and so on, unless `ids` names them. A function
/// without parameters needs neither. What is counted is what the function executes, including the
/// drop of what it consumes; building the arguments and dropping the result are not.
///
/// | parameter | of | value |
/// | --- | --- | --- |
/// | without a name, or `args` | `bench` | the arguments: `(1, "x")`, `args = (1, "x")` or `args = [1, "x"]` |
/// | without a name, or `args` | `benches` | one value for each case; a tuple holds several arguments |
/// | `iter` | `benches` | anything that can be iterated over: each element is the argument of a case. It is evaluated in every process, before the count begins, and has to give the same each time |
/// | `file` | `benches` | the path of a file from the root of the workspace: each line is, as a `String`, the argument of a case |
/// | `consts` | both | values for the const generics of the function: `consts = (4)`; in `benches` an array with one element for each case, whose last one stands for all further cases |
/// | `ids` | `benches` | an array of names for the cases instead of their numbers: `ids = ["small", "large"]`; `ids = values` makes them of arguments and values of const generics that are plain literals |
/// | `label` | `bench` | a text that is shown instead of the arguments |
/// | `labels` | `benches` | an array with such a text for each case |
/// | `scaling` | `benches` | how the instructions may grow with the size of the input: `"constant"`, `"log n"`, `"n"`, `"n log n"`, `"n^2"`, `"n^3"`, or `"any"` to be told only. The size is the argument, or what a function of the arguments returns: `scaling = ("n log n", size)`. A faster growth is a regression; at least three sizes tell one |
/// | `equal_counts` | the function | `true`: all of its cases have to execute the same number of instructions, branches, reads and writes, as code does whose time must not depend on secrets; others are regressions. The default is `false` |
/// | `throughput` | all | how much one run handles, for instructions per byte and element: `Bytes(n)`, `Elements(n)`, an array of both, or an `Option`. An expression has the names of the parameters: `throughput = Bytes(text.len())`; a function or closure gets the arguments as the setup does: `throughput = |n| Elements(n)` |
/// | `config` | all | a `LibraryBenchmarkConfig`; it goes over those of outer levels |
/// | `setup` | all | a function or closure that gets the arguments and returns the value for the benchmark; or any other expression, which is evaluated before the arguments are |
/// | `teardown` | all | a function or closure that gets the result; or any other expression, which is evaluated when the result is dropped |
/// | `executor` | the function, if it is `async` | a function or closure that gets the future and returns its output, such as the `block_on` of a runtime. Without it the future is polled on the spot, and has to be ready or to wake itself |
/// | `crate` | the function | the path of the library, where another crate re-exports it: `crate = other::iai_callgrind`. A dependency with another name (`counts = { package = "iai-callgrind", .. }`) is found without it |
///
/// On the function, a parameter applies to all of its benchmarks; what a bench says replaces it,
/// and `setup = ()` or `throughput = ()` unsets it. When the benchmark's parameter is a reference,
/// it borrows what the setup made.
///
/// The function stays a function that other code can call. What is measured is a copy of it, so a
/// `static` inside of its body exists twice.
///
/// ```ignore
/// #[library_benchmark]
/// #[bench::ten(args = (10), setup = worst_case)]
/// #[benches::many(args = [100, 1000], setup = worst_case, labels = ["some", "many"])]
/// #[benches::powers(iter = (0..4).map(|n| 10_u32.pow(n)), setup = worst_case)]
/// fn sort(mut numbers: Vec<u32>) -> Vec<u32> {
///     numbers.sort();
///     numbers
/// }
/// ```
#[proc_macro_attribute]
pub fn library_benchmark(attribute: TokenStream, item: TokenStream) -> TokenStream {
    benchmark(Kind::Library, attribute.into(), item.into()).into()
}

/// Makes a function a benchmark of a program: the function returns the
/// [`Command`](../iai_callgrind/struct.Command.html) that is measured, and is not measured itself.
///
/// `#[bench::id(..)]` and `#[benches::id(..)]` below the attribute are as in
/// [`#[library_benchmark]`](macro@library_benchmark): each case is one call of the function, with
/// the arguments in parentheses. The whole program counts, from the loader to its exit;
/// `entry_point` of [`Callgrind`](../iai_callgrind/struct.Callgrind.html) narrows it down.
///
/// All attributes take `config`, `setup`, `teardown` and `throughput`, which is as in
/// `#[library_benchmark]`; on the function they apply to all of its benchmarks. `setup` runs before
/// the program, and `teardown` after it, each in a process of its own: the path of a function or a
/// closure is called with the arguments of the case (a closure without parameters is called without
/// them), any other expression is evaluated as it stands. What they return is dropped. By default
/// there is none. With a sandbox they run in it, and `_WORKSPACE_ROOT` in their environment is the
/// root of the workspace.
///
/// The function is called in the directory of the package, before anything else runs, and for all
/// cases, also for those that a filter on the command line leaves out: it cannot see what a setup
/// does.
///
/// ```ignore
/// fn write_input(lines: usize) {
///     std::fs::write("in.txt", "x\n".repeat(lines)).unwrap();
/// }
///
/// #[binary_benchmark(config = BinaryBenchmarkConfig::default().sandbox(Sandbox::new(true)))]
/// #[bench::small(args = (10), setup = write_input)]
/// #[bench::large(args = (9), setup = write_input(1000), teardown = println!("done"))]
/// fn cat(_lines: usize) -> Command {
///     Command::new(env!("CARGO_BIN_EXE_my-cat")).arg("in.txt").build()
/// }
/// ```
#[proc_macro_attribute]
pub fn binary_benchmark(attribute: TokenStream, item: TokenStream) -> TokenStream {
    benchmark(Kind::Binary, attribute.into(), item.into()).into()
}

/// `library_benchmark_group!` with the path of the library in front.
#[doc(hidden)]
#[proc_macro]
pub fn __library_benchmark_group(input: TokenStream) -> TokenStream {
    group(Kind::Library, input.into()).into()
}

/// `binary_benchmark_group!` with the path of the library in front.
#[doc(hidden)]
#[proc_macro]
pub fn __binary_benchmark_group(input: TokenStream) -> TokenStream {
    group(Kind::Binary, input.into()).into()
}

/// `main!` with the path of the library in front.
#[doc(hidden)]
#[proc_macro]
pub fn __main(input: TokenStream) -> TokenStream {
    main(input.into()).into()
}

/// The package that is compiled, as an expression. The input is the path of the library.
#[doc(hidden)]
#[proc_macro]
pub fn __package(library: TokenStream) -> TokenStream {
    expand::groups::package(&library.into()).into()
}

/// The items of `deterministic_random = true`. The input is the path of the library.
#[doc(hidden)]
#[proc_macro]
pub fn __random(library: TokenStream) -> TokenStream {
    expand::groups::random(&library.into(), model::OwnRandom::WithSystemCalls).into()
}
