//! A file with a `main` of its own, in which nobody can choose a benchmark.

use criterion::{criterion_group, Criterion};

fn numbers(c: &mut Criterion) {
    c.bench_function("add", |b| b.iter(|| 1 + 2));
}

criterion_group!(benches, numbers);

fn main() {
    if std::env::var_os("WITHOUT_GROUP").is_some() {
        numbers(&mut Criterion::default().configure_from_args());
    } else {
        benches();
    }
    Criterion::default().configure_from_args().final_summary();
}
