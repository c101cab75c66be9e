//! Shared code of the benchmarks of our own hot paths: recorded files, suites, runs without
//! Valgrind, and limits.

pub mod limits;
pub mod recorded;
pub mod replayed;
pub mod suites;
