//! Flamegraphs of calls that can be counted by hand.

use std::hint::black_box;
use std::thread;

use iai_callgrind::{
    library_benchmark, library_benchmark_group, main, measure, Callgrind, Dhat, Direction,
    EntryPoint, EventKind, FlamegraphConfig, FlamegraphKind, LibraryBenchmarkConfig,
};
use inside_benchmarks::rounds;

/// Called by both.
#[inline(never)]
fn shared(n: u64) {
    rounds(n);
    black_box(());
}

#[inline(never)]
fn left(n: u64) {
    shared(n);
    black_box(());
}

#[inline(never)]
fn right(n: u64) {
    shared(n);
    black_box(());
}

/// The rounds on the left and on the right.
fn amounts() -> (u64, u64) {
    match std::env::var("WORK").as_deref() {
        Ok("more") => (1000, 5000),
        Ok("nothing") => (0, 0),
        _ => (1000, 3000),
    }
}

fn config(callgrind: &mut Callgrind, flamegraph: &mut FlamegraphConfig) -> LibraryBenchmarkConfig {
    LibraryBenchmarkConfig::default()
        .pass_through_env("WORK")
        .tool(callgrind.flamegraph(flamegraph))
        .build()
}

fn drawn(flamegraph: &mut FlamegraphConfig) -> LibraryBenchmarkConfig {
    config(&mut Callgrind::default(), flamegraph)
}

#[library_benchmark(config = drawn(&mut FlamegraphConfig::default()))]
#[bench::both(amounts())]
fn tree((a, b): (u64, u64)) {
    assert!(a > 0, "there is nothing to do");
    left(a);
    right(b);
}

#[library_benchmark]
#[bench::cycles(
    config = drawn(
        FlamegraphConfig::default()
            .kind(FlamegraphKind::Regular)
            .event_kinds([EventKind::EstimatedCycles, EventKind::Bc])
            .direction(Direction::BottomToTop)
            .title("A & B")
    )
)]
#[bench::everything(
    config = config(
        Callgrind::with_args(["--collect-atstart=yes"]).entry_point(EntryPoint::None),
        &mut FlamegraphConfig::default(),
    )
)]
#[bench::none(config = drawn(FlamegraphConfig::default().kind(FlamegraphKind::None)))]
fn one() {
    left(1000);
}

#[library_benchmark(config = drawn(&mut FlamegraphConfig::default()))]
fn region() {
    right(70_000);
    measure(|| left(1000));
}

#[library_benchmark(
    config = config(Callgrind::default().count_threads(true), &mut FlamegraphConfig::default())
)]
fn threads() {
    let thread = thread::spawn(|| left(100_000));
    right(1000);
    thread.join().unwrap();
}

#[library_benchmark(
    config = drawn(FlamegraphConfig::default().event_kinds([EventKind::Ir, EventKind::L1HitRate]))
)]
fn refused() {}

/// A list of `n` numbers, in blocks that grow.
#[inline(never)]
fn numbers(n: u64) -> Vec<u64> {
    let numbers = (0..n).filter(|n| black_box(*n) < u64::MAX).collect();
    // A function that ends with a call is not on the stack during it.
    black_box(());
    numbers
}

#[library_benchmark(
    config = LibraryBenchmarkConfig::default()
        .pass_through_env("WORK")
        .tool(Dhat::default().flamegraph(FlamegraphConfig::default()))
)]
#[bench::both(amounts())]
fn heap((a, b): (u64, u64)) -> usize {
    let first = vec![black_box(1_u8); a as usize];
    first.len() + numbers(b).len()
}

library_benchmark_group!(
    name = group;
    benchmarks = tree, one, region, threads, refused, heap
);

main!(library_benchmark_groups = group);
