use std::hint::black_box;

use iai_callgrind::{
    library_benchmark, library_benchmark_group, main, Callgrind, EventKind, LibraryBenchmarkConfig,
};

/// Text of so many words, of which 70 are different. A setup does not count.
fn text(words: usize) -> String {
    (0..words).map(|n| format!("word{} ", n % 70)).collect()
}

#[library_benchmark(setup = text)]
#[bench::short(10)]
#[bench::long(1000)]
fn map(text: String) -> usize {
    black_box(words::count(&text)).len()
}

#[library_benchmark(setup = text)]
#[bench::short(10)]
#[bench::long(1000)]
fn sorted(text: String) -> usize {
    black_box(words::count_sorted(&text)).len()
}

/// Fails when the costs grow faster than this, whatever they are.
#[library_benchmark(setup = text)]
#[benches::of(args = [100, 200, 400, 800], scaling = "n log n")]
fn grows(text: String) -> usize {
    black_box(words::count_sorted(&text)).len()
}

/// Fails when it is five percent above the last run, or above a million instructions.
#[library_benchmark(
    setup = text,
    config = LibraryBenchmarkConfig::default().tool(
        Callgrind::default()
            .soft_limits([(EventKind::Ir, 5.0)])
            .hard_limits([(EventKind::Ir, 1_000_000)]),
    )
)]
#[bench::long(1000)]
fn limited(text: String) -> usize {
    black_box(words::count(&text)).len()
}

library_benchmark_group!(
    // A table of both ways for each text, best first.
    name = ways,
    compare_by_id = true,
    benchmarks = [map, sorted]
);
library_benchmark_group!(name = promises, benchmarks = [grows, limited]);

main!(library_benchmark_groups = [ways, promises]);
