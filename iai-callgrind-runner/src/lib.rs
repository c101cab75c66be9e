//! Runs iai-callgrind benchmarks under Valgrind's tools, compares and reports.
//!
//! [`main`] runs a command line. `run.rs` is where to begin: it calls the stages in their order.
//! `ARCHITECTURE.md` has the map.

// Elsewhere there is neither Valgrind nor what processes are ended with: `main.rs` says what works.
#![cfg(unix)]

pub mod accepted;
pub mod allocator;
pub mod bench_targets;
pub mod benchmark_path;
mod browser;
mod built;
mod cargo_hash;
pub mod cli;
mod clock;
mod commands;
mod components;
mod counted;
mod debug_file;
mod determinism;
pub mod digest;
pub mod doctor;
pub mod entry_functions;
pub mod error;
mod event_glob;
pub mod execute;
pub mod exit;
pub mod explain;
pub mod flamegraph;
mod gone_benchmarks;
mod grouped;
pub mod heap_stacks;
pub mod history;
pub mod host;
mod invisible;
pub mod kept_digests;
mod last_times;
mod listed_directory;
mod listed_names;
pub mod measure;
mod measured_function;
pub mod metrics;
mod nothing_selected;
mod os;
pub mod parse;
pub mod per_tool;
pub mod plan;
mod private_directory;
mod pull_request;
pub mod records;
mod regular_file;
pub mod report;
#[cfg(test)]
mod repository;
pub mod results;
mod run;
pub mod session;
pub mod settings;
mod shares;
mod shell_line;
mod signal;
mod source;
mod source_origin;
pub mod store;
pub mod suite;
pub mod symbolize;
pub mod symbols;
mod system;
pub mod timings;
pub mod tool;
mod unknown_baseline;
pub mod verdict;
pub mod verification;
pub mod verify;

// The format of results has this name in the documents for other programs.
pub use records::summary;

pub use commands::main;
