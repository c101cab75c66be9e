//! Runs iai-callgrind benchmarks under Valgrind's tools, compares and reports.

pub mod identity;
