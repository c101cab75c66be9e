//! Whole runs of the runner, with recorded files instead of Valgrind.

use iai_callgrind::{library_benchmark, library_benchmark_group};
use own_benchmarks::limits;
use own_benchmarks::replayed::Replayed;

/// Everything that is done for 20 benchmarks that ran before, apart from measuring them.
#[library_benchmark(config = limits::of("run"), setup = Replayed::again)]
#[bench::twenty(20)]
fn run(replayed: Replayed) -> Replayed {
    replayed.run();
    replayed
}

library_benchmark_group!(name = runs, benchmarks = [run]);
