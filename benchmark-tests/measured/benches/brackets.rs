//! With the feature `cachegrind`: the benchmark functions start and stop Cachegrind.

use iai_callgrind::{
    library_benchmark, library_benchmark_group, main, measure, LibraryBenchmarkConfig, Tool,
};
use inside_benchmarks::rounds;

fn long_setup(n: u64) -> u64 {
    rounds(1_000_000);
    n
}

#[library_benchmark]
#[bench::short(1000)]
#[bench::long(2000)]
#[bench::after_setup(args = (1000), setup = long_setup)]
#[bench::callgrind(
    args = (1000),
    config = LibraryBenchmarkConfig::default().default_tool(Tool::Callgrind)
)]
fn work(n: u64) {
    rounds(n);
}

#[library_benchmark]
fn region() {
    measure(|| rounds(1000));
}

library_benchmark_group!(name = group, benchmarks = [work, region]);
main!(library_benchmark_groups = [group]);
