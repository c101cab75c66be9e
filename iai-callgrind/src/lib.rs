//! Benchmarks that count instead of time.

#[cfg(feature = "protocol")]
pub mod protocol;
