//! Functions with the names that generated code could want for itself.

use iai_callgrind::{library_benchmark, library_benchmark_group, main, LibraryBenchmarkConfig};

#[library_benchmark]
#[bench::one(1)]
fn measured(n: u64) -> u64 {
    n
}

#[library_benchmark(config = LibraryBenchmarkConfig::default())]
fn config() {}

#[library_benchmark]
fn case() {}

#[library_benchmark]
fn hook() {}

#[library_benchmark]
fn wrapper_mod() {}

#[library_benchmark]
fn group_names() {}

library_benchmark_group!(
    name = names,
    compare_by_id = true,
    setup = hook(),
    benchmarks = [measured, config, case, hook, wrapper_mod, group_names],
);
main!(library_benchmark_groups = [names]);
