//! Tests of the library as a benchmark file sees it: one executable, so that an edit links it once.
//!
//! The package `tests/refused` has files that must not compile, `tests/accepted` those that must.

#[cfg(feature = "client_requests_defs")]
mod client_requests;
#[cfg(feature = "benchmark")]
mod config;
#[cfg(feature = "benchmark")]
mod earlier_names;
#[cfg(feature = "benchmark")]
mod packages;
