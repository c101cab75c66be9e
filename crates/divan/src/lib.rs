//! Counts benchmarks that were written for Divan: `divan = { package = "iai-callgrind-divan",
//! version = "0.17.0" }` in `Cargo.toml`, and the source stays as it is.
//!
//! ```no_run
//! use iai_callgrind_divan as divan;
//!
//! fn main() {
//!     divan::main();
//! }
//!
//! #[divan::bench(args = [10, 1000])]
//! fn sort(bencher: divan::Bencher, len: u64) {
//!     bencher
//!         .with_inputs(|| (0..len).rev().collect::<Vec<_>>())
//!         .bench_refs(|numbers| numbers.sort());
//! }
//! ```
//!
//! One call of the innermost routine is counted. Inputs are made before it, and what it returns is
//! dropped after it. Options about samples and threads are accepted and mean nothing; those about
//! time hold where time is measured as well, with `--time`. The
//! [book](https://iai-callgrind.github.io/iai-callgrind/from-divan.html) has a table of
//! everything.
//!
//! How it works: the attributes put an entry for each function and group into a section of the
//! executable (`registered`). [`main`] hands a function that goes through them to the part of
//! `iai-callgrind` that registers benchmarks while a program runs; each entry offers its benchmarks
//! (`benchmarks`), and the measured process enters one of them (`bencher`).

mod alloc;
#[allow(missing_docs)] // For generated code only.
mod arguments;
mod bencher;
#[allow(missing_docs)] // For generated code only.
mod benchmarks;
pub mod counter;
mod listing;
#[allow(missing_docs)] // For generated code only.
mod options;
#[allow(missing_docs)] // For generated code only.
mod registered;
mod runner;
mod timing;
mod words;

pub use std::hint::black_box;

pub use alloc::AllocProfiler;
pub use bencher::Bencher;
pub use iai_callgrind_divan_macros::{bench, bench_group};
pub use runner::{config, Divan};

/// The library that counts, for its configuration: see [`config`].
pub use iai_callgrind;

// The C functions from which the standard library takes random numbers, so that a `HashMap` counts
// the same in each run. The linker takes them from here before it looks at the C library.
iai_callgrind::__internal::__random!(iai_callgrind);

/// Drops a value of which the optimizer does not know that nobody needs it.
///
/// ```
/// # use iai_callgrind_divan as divan;
/// (0..10).map(|n| n.to_string()).for_each(divan::black_box_drop);
/// ```
pub fn black_box_drop<T>(value: T) {
    drop(black_box(value));
}

/// Does what the command line says with all benchmarks of the executable. The same as
/// `Divan::from_args().main()`.
///
/// With `cargo bench` it counts each of them, with `cargo test` it runs each of them once. Returns
/// if that went well; otherwise it ends the process, with the exit code that `cargo bench` then
/// shows.
///
/// ```no_run
/// # use iai_callgrind_divan as divan;
/// fn main() {
///     divan::main();
/// }
/// ```
#[track_caller]
pub fn main() {
    Divan::from_args().main();
}

/// Items that most benchmark files import.
///
/// ```
/// # use iai_callgrind_divan as divan;
/// use divan::prelude::*;
///
/// #[divan::bench]
/// fn sum(bencher: Bencher) {
///     bencher.bench(|| (0..black_box(10)).sum::<u32>());
/// }
/// ```
pub mod prelude {
    pub use crate::{bench, bench_group, black_box, black_box_drop, AllocProfiler, Bencher, Divan};
}

/// Items that generated code uses.
#[doc(hidden)]
pub mod __private {
    pub use iai_callgrind;

    pub use crate::__register as register;
    pub use crate::arguments::{Debugged, Label};
    pub use crate::benchmarks::{text, type_name, Benchmarks};
    pub use crate::counter::{BytesCount, CharsCount, CyclesCount, ItemsCount};
    pub use crate::options::Options;
    #[cfg(windows)]
    pub use crate::registered::register as register_entry;
    pub use crate::registered::{Entry, Function, Group, Registered};
}
