//! The base of all crates of iai-callgrind.
//!
//! In: names and bytes. Out: the table of tools, the names of benchmarks and of the functions by
//! which a benchmark is found in a profile; and what knows nothing of benchmarks: files and
//! directories, command lines, time, signals, the system, compact tables of groups, circles of a
//! graph, shares of a sum, and words with a number.

#![cfg(unix)]

pub mod apportion;
pub mod benchmark_path;
pub mod cargo_hash;
pub mod causes;
pub mod clock;
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
