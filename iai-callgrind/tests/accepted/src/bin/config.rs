//! Configurations in every place and by every kind of expression.

use iai_callgrind::{
    library_benchmark, library_benchmark_group, main, Callgrind, LibraryBenchmarkConfig,
    OutputFormat,
};

fn config() -> LibraryBenchmarkConfig {
    LibraryBenchmarkConfig::default()
}

#[library_benchmark(config = config().env("A", "b"))]
#[bench::value(args = (1), config = config())]
#[bench::reference(1, config = &config())]
#[bench::mutable(1, config = &mut config())]
#[bench::condition(1, config = if cfg!(windows) { config() } else { LibraryBenchmarkConfig::default() })]
#[bench::block(1, config = { let mut c = config(); c.env("A", "b"); c })]
#[bench::chain(1, config = config().tool(Callgrind::default().args(["--x"])).output_format(OutputFormat::default()))]
#[benches::several(args = [1, 2], config = config())]
fn by_value(x: u64) -> u64 {
    x
}

#[library_benchmark(config = &config())]
fn by_reference() {}

library_benchmark_group!(name = a; config = &mut config(); benchmarks = by_value);
library_benchmark_group!(name = b; config = config().env("A", "b"); benchmarks = by_reference);
main!(config = &config(); library_benchmark_groups = a, b);
