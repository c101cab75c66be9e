//! `main!` without a list: every annotated function, grouped by module.

use iai_callgrind::{library_benchmark, LibraryBenchmarkConfig};

#[library_benchmark]
fn at_the_top() {}

pub mod inner {
    use iai_callgrind::library_benchmark;

    #[library_benchmark]
    #[bench::one(1)]
    fn private(n: u64) -> u64 {
        n
    }

    mod deeper {
        #[iai_callgrind::library_benchmark]
        #[benches::few(iter = 0..2)]
        fn private(n: u64) -> u64 {
            n
        }
    }
}

#[library_benchmark]
fn at_the_end() {}

iai_callgrind::main!(config = LibraryBenchmarkConfig::default());
