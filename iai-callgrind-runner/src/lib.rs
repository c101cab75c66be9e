//! Runs iai-callgrind benchmarks under Valgrind's tools, compares and reports.
//!
//! [`run`] is where to begin: it calls the stages in their order. `ARCHITECTURE.md` has the map.

pub mod allocator;
mod built;
pub mod cli;
pub mod compare;
mod determinism;
pub mod doctor;
pub mod entry_functions;
pub mod error;
pub mod execute;
pub mod exit;
pub mod flamegraph;
pub mod host;
pub mod identity;
pub mod measure;
mod measured_function;
pub mod metrics;
pub mod parse;
mod pattern;
pub mod plan;
mod queue;
pub mod report;
pub mod results;
pub mod run;
mod session;
pub mod settings;
mod shell_line;
pub mod store;
pub mod suite;
pub mod summary;
pub mod symbols;
mod system;
pub mod tool;
pub mod verify;
