//! Benchmarks that cannot be counted, beside one that can.

use std::time::Instant;

use criterion::{criterion_main, Criterion};
use criterion_source::fibonacci;

/// Not of the macro: a group is any function.
fn benches() {
    let mut c = Criterion::default().configure_from_args();
    let mut group = c.benchmark_group("refused");
    group.bench_function("custom", |b| {
        b.iter_custom(|iterations| {
            let start = Instant::now();
            for _ in 0..iterations {
                fibonacci(10);
            }
            start.elapsed()
        });
    });
    group.bench_function("twice", |b| {
        b.iter(|| fibonacci(1));
        b.iter(|| fibonacci(2));
    });
    group.bench_function("never", |_| {});
    group.bench_function("good", |b| b.iter(|| fibonacci(10)));
    group.finish();
}

criterion_main!(benches);
