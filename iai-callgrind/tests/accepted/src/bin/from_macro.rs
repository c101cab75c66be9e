//! Attributes whose parts come from a macro of the user.

use iai_callgrind::{library_benchmark, library_benchmark_group, main};

fn double(n: u64) -> u64 {
    2 * n
}

macro_rules! benchmark {
    ($name:ident, $value:expr, $args:expr, $setup:expr, $hook:path, $ty:ty) => {
        #[library_benchmark]
        #[bench::value($value)]
        #[bench::args(args = $args, setup = $setup)]
        #[bench::path($value, setup = $hook)]
        fn $name(x: $ty) -> $ty {
            x
        }
    };
}

benchmark!(first, 1 + 1, (3), double, self::double, u64);

macro_rules! borrowing {
    ($name:ident, $ty:ty) => {
        #[library_benchmark(setup = up_to)]
        #[bench::three(3)]
        fn $name(numbers: $ty) -> u64 {
            numbers.iter().sum()
        }
    };
}

fn up_to(n: u64) -> Vec<u64> {
    (0..n).collect()
}

borrowing!(second, &[u64]);

macro_rules! group {
    ($name:ident, $times:expr, $($function:path),*) => {
        library_benchmark_group!(
            name = $name,
            benchmarks = [$($function),*],
            ratios = [first::value <= $times * second::three],
        );
    };
}

group!(all, 2, first, second);
main!(library_benchmark_groups = all);
