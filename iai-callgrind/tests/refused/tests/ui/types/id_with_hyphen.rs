//! The compiler reads the path of an attribute before any macro does.

use iai_callgrind::library_benchmark;

#[library_benchmark]
#[bench::a-b(1)]
fn hyphen(_: u64) {}

fn main() {}
