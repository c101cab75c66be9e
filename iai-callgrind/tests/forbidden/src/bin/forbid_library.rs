//! All forms of library benchmarks.
#![cfg(not(test))] // The harness of rustc itself allows `dead_code` for `main`.
#![forbid(unsafe_code)]

use iai_callgrind::{
    library_benchmark, library_benchmark_group, main, measure, Callgrind, LibraryBenchmarkConfig,
};

fn make(n: u64) -> Vec<u64> {
    (0..n).collect()
}

const fn nothing() {}

#[library_benchmark]
fn without_arguments() -> u64 {
    measure(|| 1)
}

#[library_benchmark]
const fn without_a_result() {}

#[library_benchmark(config = LibraryBenchmarkConfig::default().tool(Callgrind::default()))]
#[bench::one(1)]
#[bench::named(args = (2), config = LibraryBenchmarkConfig::default())]
#[bench::tuple((3))]
#[benches::several(4, 5)]
#[benches::list(args = [6, 7], labels = ["six", "seven"])]
#[benches::elements(iter = [8, 9])]
#[benches::range(iter = (1..4).map(|n| n * 2))]
const fn plain(n: u64) -> u64 {
    n + 1
}

#[library_benchmark(setup = make, teardown = drop)]
#[bench::one(1)]
#[bench::closure(2, setup = |n| make(n), teardown = |values: Vec<u64>| drop(values))]
#[bench::evaluated(args = (vec![1]), setup = (), teardown = nothing())]
#[benches::elements(iter = vec![3, 4], throughput = |n| Elements(n))]
fn made(mut values: Vec<u64>) -> Vec<u64> {
    values.sort_unstable();
    values
}

#[library_benchmark(setup = make, teardown = |n: &usize| assert!(*n < 100))]
#[bench::one(1)]
const fn borrowed(values: &[u64]) -> usize {
    values.len()
}

#[library_benchmark]
#[benches::sizes(args = [10, 20, 30], setup = make, scaling = "n")]
#[benches::functions(args = [10, 20, 30], setup = make, scaling = ("n", |n: u64| n))]
fn sum(values: Vec<u64>) -> u64 {
    values.into_iter().sum()
}

#[library_benchmark]
#[bench::bytes("text", 2, throughput = Bytes(text.len()))]
fn amounts(text: &str, mut times: usize) -> String {
    times += 1;
    text.repeat(times)
}

struct Pair {
    first: u64,
    second: u64,
}

#[library_benchmark]
#[bench::patterns(Pair { first: 1, second: 2 }, (3, [4, 5]), throughput = Elements(first))]
fn patterns(Pair { first, second }: Pair, (mut third, [ref fourth, _]): (u64, [u64; 2])) -> u64 {
    third += *fourth;
    first + second + third
}

#[library_benchmark]
#[benches::lines(file = "iai-callgrind/tests/forbidden/Cargo.toml")]
fn lines(line: String) -> usize {
    line.into_bytes().len()
}

#[library_benchmark]
#[bench::two(consts = (2))]
#[bench::three(consts = ({ 1 + 2 }))]
const fn sized<const N: usize>() -> [u8; N] {
    [0; N]
}

#[library_benchmark]
#[bench::both("a", consts = (2))]
fn generic<T: AsRef<str>, const N: usize>(text: T) -> [usize; N] {
    [text.as_ref().len(); N]
}

#[library_benchmark]
#[bench::word("word")]
fn any(text: impl AsRef<str>) -> usize {
    text.as_ref().len()
}

#[library_benchmark]
#[bench::one(1)]
async fn future(n: u64) -> u64 {
    std::future::ready(n).await
}

#[library_benchmark(equal_counts = true)]
#[bench::first(1)]
#[bench::second(2)]
const fn r#type(n: u64) -> u64 {
    n
}

mod inner {
    use iai_callgrind::{library_benchmark, library_benchmark_group};

    #[library_benchmark]
    pub(super) fn in_a_module() {}

    library_benchmark_group!(name = of_a_module, benchmarks = in_a_module);
}

macro_rules! benchmark {
    ($name:ident, $id:ident, $value:literal) => {
        #[library_benchmark(setup = make)]
        #[bench::$id($value)]
        fn $name(values: Vec<u64>) -> usize {
            values.len()
        }
    };
}
benchmark!(by_a_macro, one, 1);

library_benchmark_group!(
    name = all;
    config = LibraryBenchmarkConfig::default();
    compare_by_id = true;
    max_parallel = 2;
    setup = nothing();
    teardown = nothing;
    benchmarks = without_arguments, without_a_result, plain, made, borrowed, sum, amounts, patterns, lines
);
library_benchmark_group!(
    name = more,
    setup = drop(make(1)),
    ratios = [sized::two <= 10 * sized::three],
    benchmarks = [
        sized,
        generic,
        any,
        future,
        r#type,
        inner::in_a_module,
        by_a_macro
    ]
);
main!(
    config = LibraryBenchmarkConfig::default(),
    setup = nothing(),
    teardown = { nothing() },
    library_benchmark_groups = [all, more, inner::of_a_module]
);
