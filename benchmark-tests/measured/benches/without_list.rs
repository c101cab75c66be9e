//! Neither a group nor a list: every annotated function runs.

use iai_callgrind::{library_benchmark, main, LibraryBenchmarkConfig};
use inside_benchmarks::rounds;

#[library_benchmark]
fn last_in_the_alphabet() {
    rounds(1000);
}

mod inner {
    use iai_callgrind::library_benchmark;
    use inside_benchmarks::rounds;

    #[library_benchmark]
    #[bench::short(2000)]
    #[benches::few(iter = [3000, 4000])]
    fn rounds_of(n: u64) {
        rounds(n);
    }

    mod deeper {
        #[iai_callgrind::library_benchmark]
        fn hidden() {
            inside_benchmarks::rounds(5000);
        }
    }
}

#[library_benchmark]
fn first_in_the_alphabet() {
    let configured = std::env::var_os("MODE").is_some();
    rounds(if configured { 1_000_000 } else { 1 });
}

main!(config = LibraryBenchmarkConfig::default().env("MODE", "x"));
