//! The words of the runner: tools, names of benchmarks, and the functions by which a benchmark is found in a profile.

pub mod benchmark_path;
pub mod entry_functions;
pub(crate) mod event_glob;
pub(crate) mod measured_function;
pub mod per_tool;
pub mod tool;
