//! Runs iai-callgrind benchmarks under Valgrind's tools, compares and reports.
//!
//! [`run`] is where to begin: it calls the stages in their order. `ARCHITECTURE.md` has the map.

pub mod cli;
mod collected;
pub mod compare;
pub mod doctor;
pub mod error;
pub mod execute;
pub mod exit;
pub mod flamegraph;
pub mod host;
pub mod identity;
mod inputs;
pub mod measure;
pub mod metrics;
pub mod parse;
mod pattern;
pub mod plan;
mod previous;
pub mod process;
mod queue;
pub mod report;
pub mod result;
pub mod run;
pub mod samples;
mod session;
pub mod settings;
mod shell_line;
pub mod store;
pub mod suite;
pub mod summary;
pub mod symbols;
mod system;
pub mod tool;
pub mod units;
