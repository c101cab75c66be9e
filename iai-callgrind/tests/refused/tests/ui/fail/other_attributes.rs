use iai_callgrind::library_benchmark;

#[library_benchmark]
#[inline]
fn inlined() {}

#[library_benchmark]
#[inline(never)]
fn never_inlined() {}

#[library_benchmark]
#[library_benchmark]
fn twice() {}

#[library_benchmark]
#[target_feature(enable = "sse2")]
fn with_feature() {}

fn main() {}
