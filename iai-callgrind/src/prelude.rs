//! Names that nearly every benchmark file needs, for `use iai_callgrind::prelude::*`.
//!
//! Tools, metrics and everything else that only some files need are taken from the crate's root.
//!
//! ```no_run,standalone_crate
//! use iai_callgrind::prelude::*;
//!
//! #[library_benchmark(config = LibraryBenchmarkConfig::default().env("MODE", "fast"))]
//! fn bench_sort() -> Vec<i32> {
//!     let mut numbers = vec![3, 1, 2];
//!     numbers.sort();
//!     numbers
//! }
//!
//! library_benchmark_group!(name = sorting, benchmarks = [bench_sort]);
//! # mod of_the_file {
//! # use super::*;
//! main!(library_benchmark_groups = [sorting]);
//! # }
//! # fn main() {}
//! ```

pub use crate::{
    binary_benchmark, binary_benchmark_group, library_benchmark, library_benchmark_group, main,
    BinaryBenchmarkConfig, Command, LibraryBenchmarkConfig,
};
