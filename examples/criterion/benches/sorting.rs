//! A file for Criterion, which is counted; with the feature `timed` the real Criterion measures the
//! time. Only the two lines below know of it.

#[cfg(not(feature = "timed"))]
extern crate counted as criterion;

use criterion::{criterion_group, criterion_main, BatchSize, BenchmarkId, Criterion, Throughput};
use criterion_benches::insertion_sort;

fn reversed(length: u32) -> Vec<u32> {
    (0..length).rev().collect()
}

fn sorting(c: &mut Criterion) {
    let mut group = c.benchmark_group("sorting");
    for length in [10, 100] {
        group.throughput(Throughput::Elements(length.into()));
        group.bench_with_input(
            BenchmarkId::new("insertion", length),
            &length,
            |b, &length| {
                b.iter_batched_ref(
                    || reversed(length),
                    |values| insertion_sort(values),
                    BatchSize::SmallInput,
                );
            },
        );
    }
    group.finish();
}

criterion_group!(benches, sorting);
criterion_main!(benches);
