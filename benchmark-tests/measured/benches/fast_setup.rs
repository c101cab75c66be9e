//! Setups and teardowns that execute more than their benchmark functions.

use std::collections::BTreeMap;
use std::hint::black_box;

use iai_callgrind::{
    library_benchmark, library_benchmark_group, main, measure, Callgrind, EntryPoint,
    LibraryBenchmarkConfig,
};

fn key(number: u64) -> u64 {
    number.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

fn map(size: u64) -> BTreeMap<u64, u64> {
    (0..size).map(|number| (key(number), number)).collect()
}

fn texts(count: u64) -> Vec<String> {
    (0..count)
        .map(|number| format!("{number:>08}-{}", key(number)))
        .collect()
}

/// The map is dropped after the function.
#[library_benchmark]
#[bench::big(args = (2_000_000), setup = map)]
fn get(map: BTreeMap<u64, u64>) -> BTreeMap<u64, u64> {
    for number in 0..100 {
        black_box(map.get(&key(number)));
    }
    map
}

fn sorted(texts: Vec<String>) -> usize {
    let mut texts = texts;
    texts.sort();
    texts.len()
}

#[library_benchmark]
#[bench::with_teardown(args = (2_000), setup = texts, teardown = sorted)]
fn lengths(texts: Vec<String>) -> Vec<String> {
    black_box(texts.iter().map(String::len).sum::<usize>());
    texts
}

/// Counts in a part of itself.
#[library_benchmark]
#[bench::part(args = (2_000), setup = texts)]
fn region(texts: Vec<String>) -> usize {
    let lengths: Vec<usize> = texts.iter().map(String::len).collect();
    measure(|| black_box(&lengths).iter().sum())
}

/// Another entry point: what is fast elsewhere is refused.
#[library_benchmark(
    config = LibraryBenchmarkConfig::default()
        .tool(Callgrind::default().entry_point(EntryPoint::from("*::inner")).fast_setup(true))
)]
fn other_entry() -> u64 {
    #[inline(never)]
    fn inner() -> u64 {
        black_box(5) + black_box(6) + black_box(7) + black_box(8) + black_box(9)
    }
    black_box(inner())
}

library_benchmark_group!(name = group, benchmarks = [get, lengths, region]);
library_benchmark_group!(name = refused, benchmarks = [other_entry]);
main!(library_benchmark_groups = [group, refused]);
