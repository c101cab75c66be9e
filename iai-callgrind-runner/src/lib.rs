//! Runs iai-callgrind benchmarks under Valgrind's tools, compares and reports.
//!
//! [`main`] runs a command line. `run.rs` is where to begin: it calls the stages in their order.
//! `ARCHITECTURE.md` has the map.

// Elsewhere there is neither Valgrind nor what processes are ended with: `main.rs` says what works.
#![cfg(unix)]

pub mod bench_targets;
mod commands;
pub mod doctor;
pub mod error;
pub mod execute;
pub mod machine;
pub mod measure;
pub mod plan;
pub mod results;
mod run;
pub mod run_report;
pub mod session;
pub mod settings;
pub mod verify;

// The format of results has this name in the documents for other programs.
pub use records::summary;

pub use commands::main;
