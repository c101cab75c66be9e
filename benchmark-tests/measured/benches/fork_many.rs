//! A thousand benchmarks that do little.

use std::hint::black_box;

use iai_callgrind::{library_benchmark, library_benchmark_group, main};
use inside_benchmarks::rounds;

/// Functions with a hundred cases each.
macro_rules! functions {
    ($($name:ident)*) => {
        $(
            #[library_benchmark]
            #[benches::n(args = [
                0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
                24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44,
                45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65,
                66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86,
                87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99
            ])]
            fn $name(n: u64) -> u64 {
                rounds(10);
                (0..n).map(black_box).sum()
            }
        )*
        library_benchmark_group!(name = group, benchmarks = [$($name),*]);
    };
}

functions!(many_0 many_1 many_2 many_3 many_4 many_5 many_6 many_7 many_8 many_9);
main!(library_benchmark_groups = [group]);
