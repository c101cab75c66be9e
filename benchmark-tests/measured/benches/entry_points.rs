//! Where counting begins and ends.

use std::hint::black_box;

use iai_callgrind::{
    library_benchmark, library_benchmark_group, main, Callgrind, EntryPoint, LibraryBenchmarkConfig,
};
use inside_benchmarks::rounds;

#[inline(never)]
fn inner_kernel(n: u64) {
    rounds(n);
}

#[inline(never)]
fn around(n: u64) {
    for _ in 0..black_box(1000) {
        black_box(n);
    }
    inner_kernel(n);
}

fn entry(point: EntryPoint) -> LibraryBenchmarkConfig {
    LibraryBenchmarkConfig::default()
        .tool(Callgrind::default().entry_point(point))
        .build()
}

#[library_benchmark]
#[bench::function(5000)]
#[bench::custom(args = (5000), config = entry("*inner_kernel*".into()))]
#[bench::custom_short(args = (10), config = entry("*inner_kernel*".into()))]
#[bench::none(args = (5000), config = entry(EntryPoint::None))]
#[bench::missing(args = (5000), config = entry("*no_such_function*".into()))]
fn counts(n: u64) {
    around(n);
}

library_benchmark_group!(name = group, benchmarks = [counts]);
main!(library_benchmark_groups = [group]);
