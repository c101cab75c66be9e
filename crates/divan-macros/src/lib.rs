//! The attributes of `iai-callgrind-divan`. Use them through that crate.
//!
//! The text of an attribute becomes options with spans (`options`); only the head of the item below
//! is parsed (`item`); the generated code (`bench`, `group`) calls `__private` of the library. The
//! user's item is emitted in any case.

mod bench;
mod dependency;
mod group;
mod item;
mod options;
mod tokens;

use proc_macro::TokenStream;

/// Makes a function a benchmark. It is what `#[divan::bench]` means in sources that were written
/// for Divan.
///
/// | option | what |
/// | --- | --- |
/// | `name` | another name, a `&str` |
/// | `args` | anything that can be iterated over: one benchmark for each element, which the function gets as its last parameter |
/// | `types`, `consts` | one benchmark for each type or value of the function's generic parameter |
/// | `counter`, `counters`, `bytes_count`, `chars_count`, `cycles_count`, `items_count` | what one call handles |
/// | `ignore` | leaves the benchmark out, unless the command line asks for it |
/// | `crate` | the path of the library |
/// | `min_time`, `max_time`, `sample_size` | the duration and the calls of a sample where time is measured, with `--time` |
/// | `sample_count`, `skip_ext_time`, `threads` | nothing: one call is counted, and the first line of a run says so |
///
/// ```ignore
/// #[divan::bench(args = [10, 20])]
/// fn fibonacci(n: u64) -> u64 {
///     (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0
/// }
/// ```
#[proc_macro_attribute]
pub fn bench(attribute: TokenStream, item: TokenStream) -> TokenStream {
    bench::expand(attribute.into(), item.into()).into()
}

/// Gives all benchmarks of a module options, and another name. The options are those of
/// [`macro@bench`] without `args`, `types` and `consts`; what a benchmark or an inner group says
/// goes over them.
///
/// ```ignore
/// #[divan::bench_group(name = "sums", items_count = 100_usize)]
/// mod arithmetic {
///     #[divan::bench]
///     fn sum() -> u64 {
///         (0..100).sum()
///     }
/// }
/// ```
#[proc_macro_attribute]
pub fn bench_group(attribute: TokenStream, item: TokenStream) -> TokenStream {
    group::expand(attribute.into(), item.into()).into()
}
