//! The readers against recorded and damaged files, see `data/README.md`: one executable, so that an
//! edit links it once.

mod callgrind_files;
mod callgrind_totals;
mod parsers_never_panic;
mod perf_files;
mod recorded_cases;
mod tool_files;
