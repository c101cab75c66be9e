//! Benchmarks that count instead of time: exact, repeatable figures from Valgrind's tools.
#![cfg_attr(not(feature = "protocol"), no_std)]

#[cfg(feature = "client_requests_defs")]
pub mod client_requests;
#[cfg(feature = "protocol")]
#[doc(hidden)]
pub mod protocol;

#[cfg(feature = "benchmark")]
#[doc(hidden)]
pub mod __internal;
#[cfg(feature = "benchmark")]
mod config;
#[cfg(feature = "benchmark")]
mod macros;
#[cfg(feature = "benchmark")]
mod tool;

#[cfg(any(feature = "benchmark", feature = "client_requests_defs"))]
mod valgrind_request;

#[cfg(feature = "benchmark")]
pub use config::{LibraryBenchmarkConfig, OutputFormat};
#[cfg(feature = "benchmark")]
pub use iai_callgrind_macros::{binary_benchmark, library_benchmark};
#[cfg(feature = "benchmark")]
pub use protocol::{CallgrindMetrics, EntryPoint, EventKind, Limit};
#[cfg(feature = "benchmark")]
pub use tool::Callgrind;
