//! The macros of `iai-callgrind`. Use them through that crate.
//!
//! Every macro goes the same way: tokens become a model with spans (`attr`, `groups`), all checks run
//! over the model (`check`), then code is written (`expand`). Errors are collected on the way, and the
//! user's function is emitted in any case (`recover`).

mod attr;
mod bench;
mod cases;
mod check;
mod expand;
mod groups;
mod lines;
mod model;
mod parameters;
mod recover;
mod text;

use proc_macro::TokenStream;
use quote::quote;

use model::Kind;
use recover::Errors;

/// Makes a function a benchmark that is measured by itself.
///
/// Each `#[bench::id(..)]` below the attribute is one benchmark, `#[benches::id(..)]` is one for each
/// of its cases, with the ids `id_0`, `id_1` and so on. A function without parameters needs
/// neither. What is counted is what the function executes, including the drop of what it consumes;
/// building the arguments and dropping the result are not.
///
/// | parameter | of | value |
/// | --- | --- | --- |
/// | without a name, or `args` | `bench` | the arguments: `(1, "x")`, `args = (1, "x")` or `args = [1, "x"]` |
/// | without a name, or `args` | `benches` | one value for each case; a tuple holds several arguments |
/// | `iter` | `benches` | anything that can be iterated over: each element is the argument of a case. It is evaluated in every process, before the count begins, and has to give the same each time |
/// | `file` | `benches` | the path of a file from the root of the workspace: each line is, as a `String`, the argument of a case |
/// | `consts` | both | values for the const generics of the function: `consts = (4)`; in `benches` an array with one element for each case, whose last one stands for all further cases |
/// | `label` | `bench` | a text that is shown instead of the arguments |
/// | `labels` | `benches` | an array with such a text for each case |
/// | `config` | all | a `LibraryBenchmarkConfig`; it goes over those of outer levels |
/// | `setup` | all | a function or closure that gets the arguments and returns the value for the benchmark; or any other expression, which is evaluated before the arguments are |
/// | `teardown` | all | a function or closure that gets the result; or any other expression, which is evaluated when the result is dropped |
/// | `crate` | the function | the path of the library, if the dependency has another name |
///
/// On the function, a parameter applies to all of its benchmarks; what a bench says replaces it, and
/// `setup = ()` unsets it. When the benchmark's parameter is a reference, it borrows what the setup
/// made.
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

/// Stands for benchmarks of whole programs, which are not available in this version: the attribute
/// checks what it is given and then is an error that says so.
#[proc_macro_attribute]
pub fn binary_benchmark(attribute: TokenStream, item: TokenStream) -> TokenStream {
    benchmark(Kind::Binary, attribute.into(), item.into()).into()
}

/// `library_benchmark_group!` with the path of the library in front.
#[doc(hidden)]
#[proc_macro]
pub fn __library_benchmark_group(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let group = groups::group(input.into(), &mut errors);
    let compile_errors = errors.to_compile_errors();
    let group = group.and_then(|group| expand::groups::group(&group));
    quote!(#compile_errors #group).into()
}

/// `main!` with the path of the library in front.
#[doc(hidden)]
#[proc_macro]
pub fn __main(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    match groups::main(input.into(), &mut errors) {
        Some(main) if errors.is_empty() => expand::groups::main(&main).into(),
        _ => {
            let compile_errors = errors.to_compile_errors();
            quote!(#compile_errors fn main() {}).into()
        }
    }
}

fn benchmark(
    kind: Kind,
    attribute: proc_macro2::TokenStream,
    item: proc_macro2::TokenStream,
) -> proc_macro2::TokenStream {
    let mut errors = Errors::default();
    let Some(function) = errors.keep(syn::parse2(item.clone())) else {
        let compile_errors = errors.to_compile_errors();
        let item = recover::without_bench_attributes(item);
        return quote!(#compile_errors #item);
    };
    let benchmark = attr::parse(kind, attribute, function, &mut errors);
    let cases = cases::cases(&benchmark);
    check::check(&benchmark, &cases, &mut errors);
    expand::benchmark(&benchmark, &cases, &mut errors)
}
