//! A file for Criterion with both forms of its groups.
#![cfg(not(test))] // The harness of rustc itself allows `dead_code` for `main`.
#![forbid(unsafe_code)]

use std::hint::black_box;

use iai_callgrind_criterion::{
    criterion_group, criterion_main, BatchSize, BenchmarkId, Criterion, Throughput,
};

fn numbers(c: &mut Criterion) {
    let _ = c.bench_function("add", |b| b.iter(|| black_box(1) + 2));
    let mut group = c.benchmark_group("group");
    let _ = group.throughput(Throughput::Elements(3));
    let _ = group.bench_with_input(BenchmarkId::new("vector", 3), &3_u64, |b, n| {
        b.iter_batched(|| vec![*n; 3], |v| v.len(), BatchSize::SmallInput);
    });
    group.finish();
}

criterion_group!(benches, numbers);
criterion_group! {
    name = configured;
    config = Criterion::default().sample_size(10);
    targets = numbers, numbers
}
criterion_main!(benches, configured);
