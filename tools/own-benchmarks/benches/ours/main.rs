//! Our own hot paths, from the files that tools write to what the terminal shows.

mod descriptions;
mod flamegraphs;
mod parsers;
mod results;
mod runs;

use iai_callgrind::main;

main!(
    deterministic_random = true,
    library_benchmark_groups = [
        parsers::parsers,
        flamegraphs::flamegraphs,
        results::results,
        descriptions::descriptions,
        runs::runs
    ]
);
