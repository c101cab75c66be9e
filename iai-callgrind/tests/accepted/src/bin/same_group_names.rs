//! Groups of one name in different modules: `main!` knows them by the names of their imports.

use iai_callgrind::prelude::*;

mod a {
    use super::*;

    #[library_benchmark]
    fn f() -> u8 {
        1
    }

    library_benchmark_group!(name = group, benchmarks = f);
}

mod b {
    use super::*;

    #[library_benchmark]
    fn f() -> u8 {
        2
    }

    library_benchmark_group!(name = group, setup = || (), benchmarks = f);
}

use a::group as first;
use b::group as r#loop;

main!(library_benchmark_groups = [first, r#loop, b::group]);
