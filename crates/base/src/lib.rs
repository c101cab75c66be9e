//! The base of all crates of iai-callgrind: the words that they share, and small tools without a
//! word about benchmarks.
//!
//! **In**: names, bytes, files. **Out**: plain values and tables. Each module stands alone.
//!
//! | subject | modules |
//! | --- | --- |
//! | tools: titles, files, arguments | [`tool`], [`per_tool`], [`event_glob`] |
//! | benchmarks, functions | [`benchmark_path`], [`measured_function`], [`entry_functions`] |
//! | files, directories | [`regular_file`], [`listed_directory`], [`own_places`], [`cargo_hash`], [`file_operation`] |
//! | the system | [`os`], [`signal`], [`clock`], [`variables`], [`exit`], [`shell_line`] |
//! | graphs and sums | [`csr`], [`scc`], [`apportion`] |
//! | words of messages | [`causes`], [`counted`], [`listed_names`], [`invisible`], [`colors`] |
//!
//! ```
//! use iai_callgrind_base::apportion;
//! use iai_callgrind_base::benchmark_path::BenchmarkPath;
//! use iai_callgrind_base::entry_functions::EntryFunctions;
//! use iai_callgrind_base::tool::{self, Tool};
//!
//! let path = BenchmarkPath {
//!     file: "app".to_owned(),
//!     group: "sort".to_owned(),
//!     function: "bench_sort".to_owned(),
//!     id: Some("large".to_owned()),
//!     args: None,
//! };
//! assert_eq!(path.to_string(), "app::sort::bench_sort::large");
//! assert_eq!(path.stem(), "bench_sort.large");
//!
//! assert_eq!(tool::row(Tool::Dhat).title, "DHAT");
//! assert!(tool::is_of_hardware(Tool::Perf));
//!
//! assert!(EntryFunctions::of_patterns(["app::*"]).has("app::sort"));
//! assert_eq!(apportion::divide(10, &[1, 1, 1]), [4, 3, 3]);
//! ```

#![cfg(unix)]

pub mod apportion;
pub mod benchmark_path;
pub mod cargo_hash;
pub mod causes;
pub mod clock;
pub mod colors;
pub mod counted;
pub mod csr;
pub mod entry_functions;
pub mod event_glob;
pub mod exit;
pub mod file_operation;
pub mod invisible;
pub mod listed_directory;
pub mod listed_names;
pub mod measured_function;
pub mod os;
pub mod own_places;
pub mod per_tool;
pub mod regular_file;
pub mod repository;
pub mod scc;
pub mod shell_line;
pub mod signal;
pub mod tool;
pub mod variables;
