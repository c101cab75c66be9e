//! Cases from a file, from an iterator, for const generics, and with labels.

use iai_callgrind::{library_benchmark, library_benchmark_group, main, LibraryBenchmarkConfig};
use inside_benchmarks::rounds;

fn length(line: String) -> u64 {
    10 + line.len() as u64
}

/// Two instructions for each character, and ten more rounds.
#[library_benchmark(setup = length)]
#[benches::line(file = "benchmark-tests/measured/benches/cases.txt")]
fn characters(n: u64) {
    rounds(n);
}

#[library_benchmark]
#[benches::of(iter = (1..=3).map(|n| n * 100))]
fn elements(n: u64) {
    rounds(n);
}

/// A wrong iterator: it gives different elements in every process.
fn unsteady() -> impl Iterator<Item = u64> {
    let described = std::env::args().any(|word| word == "describe");
    (1..).take(if described { 2 } else { 3 })
}

#[library_benchmark]
#[benches::of(iter = unsteady())]
fn changing(n: u64) {
    rounds(n);
}

#[library_benchmark]
#[bench::one(consts = (1000))]
#[benches::several(consts = [2000, 3000])]
fn sized<const N: u64>() {
    rounds(N);
}

#[library_benchmark]
#[bench::one(args = (1 + 2 * 3), label = "seven")]
#[benches::two(10, 20, labels = ["ein Stück", "zwei Stücke"])]
fn labelled(n: u64) {
    rounds(n);
}

library_benchmark_group!(
    name = group,
    config = LibraryBenchmarkConfig::default().env("MODE", "x"),
    benchmarks = [characters, elements, changing, sized, labelled]
);
main!(library_benchmark_groups = [group]);
