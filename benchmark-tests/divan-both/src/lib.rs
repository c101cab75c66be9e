//! Nothing: the benchmark calls the standard library.
