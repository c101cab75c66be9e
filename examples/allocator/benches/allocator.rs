use std::hint::black_box;

use allocator::Counting;
use iai_callgrind::{
    library_benchmark, library_benchmark_group, main, Dhat, DhatMetric, LibraryBenchmarkConfig,
};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Under Callgrind, and under DHAT, which counts blocks and bytes: five strings, and the list of
/// them, which grows once. More are an error.
#[library_benchmark(
    config = LibraryBenchmarkConfig::default()
        .tool(Dhat::default().hard_limits([(DhatMetric::TotalBlocks, 7)]))
)]
#[bench::five_words("one two three four five")]
fn owned(text: &str) -> Vec<String> {
    black_box(allocator::owned(black_box(text)))
}

library_benchmark_group!(name = blocks, benchmarks = [owned]);
main!(library_benchmark_groups = [blocks]);
