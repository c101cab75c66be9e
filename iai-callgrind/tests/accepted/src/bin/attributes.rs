//! Other attributes stay on the function; the code of the macros raises no warning.
#![deny(
    warnings,
    missing_docs,
    unreachable_pub,
    unused_qualifications,
    single_use_lifetimes
)]
#![forbid(unsafe_code)]

use iai_callgrind::{library_benchmark, library_benchmark_group, main};

/// A comment.
#[allow(unused_variables)]
#[library_benchmark]
#[bench::one(1)]
/// More of it.
#[must_use]
fn documented(x: u64) -> u64 {
    let unused = 1;
    x
}

#[library_benchmark]
#[cfg_attr(all(), bench::one(1))]
#[cfg(all())]
#[bench::two(2)]
#[deprecated]
fn conditional(x: u64) -> Result<u64, ()> {
    Ok(x)
}

#[library_benchmark]
#[cfg(any())]
fn absent(x: Missing) {}

library_benchmark_group!(name = all, benchmarks = [documented]);

// A list of benchmarks uses them, and rustc says of each use that the function is deprecated.
#[allow(deprecated)]
mod old {
    iai_callgrind::library_benchmark_group!(name = old_ones, benchmarks = [super::conditional]);
}

main!(library_benchmark_groups = [all, old::old_ones]);
