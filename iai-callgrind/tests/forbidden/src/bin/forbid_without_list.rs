//! Benchmarks in no group.
#![cfg(not(test))] // The harness of rustc itself allows `dead_code` for `main`.
#![forbid(unsafe_code)]

use iai_callgrind::{library_benchmark, main};

#[library_benchmark]
#[bench::one(1)]
const fn function(n: u64) -> u64 {
    n
}

main!(deterministic_random = true);
