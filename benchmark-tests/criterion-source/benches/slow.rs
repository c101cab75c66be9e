//! A target whose preparation takes long, and a benchmark in it that must not run.

use std::thread::sleep;
use std::time::Duration;

use criterion::{criterion_group, criterion_main, Criterion};
use criterion_source::fibonacci;

/// Is this the process that lists the benchmarks?
fn lists() -> bool {
    std::env::args().any(|word| word == "describe")
}

fn prepared(c: &mut Criterion) {
    if lists() {
        sleep(Duration::from_secs(3));
    }
    c.bench_function("quick", |b| b.iter(|| fibonacci(10)));
    c.bench_function("never", |_| std::process::exit(9));
}

criterion_group!(benches, prepared);
criterion_main!(benches);
