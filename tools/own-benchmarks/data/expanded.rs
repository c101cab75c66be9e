//! Benchmarks with every kind of annotation, for `src/bin/expand.rs`. Nothing compiles this file.

use iai_callgrind::{library_benchmark, library_benchmark_group, main, LibraryBenchmarkConfig};

#[library_benchmark]
fn plain_0() -> u64 {
    (0..0).sum()
}

#[library_benchmark(config = LibraryBenchmarkConfig::default(), setup = numbers)]
#[bench::small(10)]
#[bench::large(args = (1000, "x"), teardown = drop)]
#[benches::many(args = [(1, "a"), (2, "b"), (3, "c")], labels = ["one", "two", "three"])]
#[benches::powers(iter = (0..4).map(|n| 10_u64.pow(n)), setup = ())]
fn sorts_0(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.sort();
    numbers.retain(|number| *number > 0);
    numbers
}

#[library_benchmark]
#[bench::four(args = ([0; 4]), consts = (4))]
#[benches::sizes(args = [[0; 2], [1; 2]], consts = [2, 2], ids = ["zeros", "ones"])]
fn sums_0<const N: usize>(numbers: [u64; N]) -> u64 {
    numbers.iter().sum()
}

#[library_benchmark]
fn plain_1() -> u64 {
    (0..1).sum()
}

#[library_benchmark(config = LibraryBenchmarkConfig::default(), setup = numbers)]
#[bench::small(10)]
#[bench::large(args = (1000, "x"), teardown = drop)]
#[benches::many(args = [(1, "a"), (2, "b"), (3, "c")], labels = ["one", "two", "three"])]
#[benches::powers(iter = (0..4).map(|n| 10_u64.pow(n)), setup = ())]
fn sorts_1(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.sort();
    numbers.retain(|number| *number > 0);
    numbers
}

#[library_benchmark]
#[bench::four(args = ([0; 4]), consts = (4))]
#[benches::sizes(args = [[0; 2], [1; 2]], consts = [2, 2], ids = ["zeros", "ones"])]
fn sums_1<const N: usize>(numbers: [u64; N]) -> u64 {
    numbers.iter().sum()
}

#[library_benchmark]
fn plain_2() -> u64 {
    (0..2).sum()
}

#[library_benchmark(config = LibraryBenchmarkConfig::default(), setup = numbers)]
#[bench::small(10)]
#[bench::large(args = (1000, "x"), teardown = drop)]
#[benches::many(args = [(1, "a"), (2, "b"), (3, "c")], labels = ["one", "two", "three"])]
#[benches::powers(iter = (0..4).map(|n| 10_u64.pow(n)), setup = ())]
fn sorts_2(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.sort();
    numbers.retain(|number| *number > 0);
    numbers
}

#[library_benchmark]
#[bench::four(args = ([0; 4]), consts = (4))]
#[benches::sizes(args = [[0; 2], [1; 2]], consts = [2, 2], ids = ["zeros", "ones"])]
fn sums_2<const N: usize>(numbers: [u64; N]) -> u64 {
    numbers.iter().sum()
}

#[library_benchmark]
fn plain_3() -> u64 {
    (0..3).sum()
}

#[library_benchmark(config = LibraryBenchmarkConfig::default(), setup = numbers)]
#[bench::small(10)]
#[bench::large(args = (1000, "x"), teardown = drop)]
#[benches::many(args = [(1, "a"), (2, "b"), (3, "c")], labels = ["one", "two", "three"])]
#[benches::powers(iter = (0..4).map(|n| 10_u64.pow(n)), setup = ())]
fn sorts_3(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.sort();
    numbers.retain(|number| *number > 0);
    numbers
}

#[library_benchmark]
#[bench::four(args = ([0; 4]), consts = (4))]
#[benches::sizes(args = [[0; 2], [1; 2]], consts = [2, 2], ids = ["zeros", "ones"])]
fn sums_3<const N: usize>(numbers: [u64; N]) -> u64 {
    numbers.iter().sum()
}

#[library_benchmark]
fn plain_4() -> u64 {
    (0..4).sum()
}

#[library_benchmark(config = LibraryBenchmarkConfig::default(), setup = numbers)]
#[bench::small(10)]
#[bench::large(args = (1000, "x"), teardown = drop)]
#[benches::many(args = [(1, "a"), (2, "b"), (3, "c")], labels = ["one", "two", "three"])]
#[benches::powers(iter = (0..4).map(|n| 10_u64.pow(n)), setup = ())]
fn sorts_4(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.sort();
    numbers.retain(|number| *number > 0);
    numbers
}

#[library_benchmark]
#[bench::four(args = ([0; 4]), consts = (4))]
#[benches::sizes(args = [[0; 2], [1; 2]], consts = [2, 2], ids = ["zeros", "ones"])]
fn sums_4<const N: usize>(numbers: [u64; N]) -> u64 {
    numbers.iter().sum()
}

#[library_benchmark]
fn plain_5() -> u64 {
    (0..5).sum()
}

#[library_benchmark(config = LibraryBenchmarkConfig::default(), setup = numbers)]
#[bench::small(10)]
#[bench::large(args = (1000, "x"), teardown = drop)]
#[benches::many(args = [(1, "a"), (2, "b"), (3, "c")], labels = ["one", "two", "three"])]
#[benches::powers(iter = (0..4).map(|n| 10_u64.pow(n)), setup = ())]
fn sorts_5(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.sort();
    numbers.retain(|number| *number > 0);
    numbers
}

#[library_benchmark]
#[bench::four(args = ([0; 4]), consts = (4))]
#[benches::sizes(args = [[0; 2], [1; 2]], consts = [2, 2], ids = ["zeros", "ones"])]
fn sums_5<const N: usize>(numbers: [u64; N]) -> u64 {
    numbers.iter().sum()
}

#[library_benchmark]
fn plain_6() -> u64 {
    (0..6).sum()
}

#[library_benchmark(config = LibraryBenchmarkConfig::default(), setup = numbers)]
#[bench::small(10)]
#[bench::large(args = (1000, "x"), teardown = drop)]
#[benches::many(args = [(1, "a"), (2, "b"), (3, "c")], labels = ["one", "two", "three"])]
#[benches::powers(iter = (0..4).map(|n| 10_u64.pow(n)), setup = ())]
fn sorts_6(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.sort();
    numbers.retain(|number| *number > 0);
    numbers
}

#[library_benchmark]
#[bench::four(args = ([0; 4]), consts = (4))]
#[benches::sizes(args = [[0; 2], [1; 2]], consts = [2, 2], ids = ["zeros", "ones"])]
fn sums_6<const N: usize>(numbers: [u64; N]) -> u64 {
    numbers.iter().sum()
}

#[library_benchmark]
fn plain_7() -> u64 {
    (0..7).sum()
}

#[library_benchmark(config = LibraryBenchmarkConfig::default(), setup = numbers)]
#[bench::small(10)]
#[bench::large(args = (1000, "x"), teardown = drop)]
#[benches::many(args = [(1, "a"), (2, "b"), (3, "c")], labels = ["one", "two", "three"])]
#[benches::powers(iter = (0..4).map(|n| 10_u64.pow(n)), setup = ())]
fn sorts_7(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.sort();
    numbers.retain(|number| *number > 0);
    numbers
}

#[library_benchmark]
#[bench::four(args = ([0; 4]), consts = (4))]
#[benches::sizes(args = [[0; 2], [1; 2]], consts = [2, 2], ids = ["zeros", "ones"])]
fn sums_7<const N: usize>(numbers: [u64; N]) -> u64 {
    numbers.iter().sum()
}

library_benchmark_group!(name = all, benchmarks = [plain_0, sorts_0, sums_0, plain_1, sorts_1, sums_1, plain_2, sorts_2, sums_2, plain_3, sorts_3, sums_3, plain_4, sorts_4, sums_4, plain_5, sorts_5, sums_5, plain_6, sorts_6, sums_6, plain_7, sorts_7, sums_7]);
main!(library_benchmark_groups = [all]);
