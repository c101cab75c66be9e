//! A benchmark file as users of Criterion write them, with all forms of its API. Only what is in
//! `configured` is ours.

use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use criterion::async_executor::FuturesExecutor;
use criterion::measurement::{Measurement, WallTime};
use criterion::profiler::Profiler;
use criterion::{
    criterion_group, criterion_main, AxisScale, BatchSize, Bencher, BenchmarkGroup, BenchmarkId,
    Criterion, PlotConfiguration, SamplingMode, Throughput,
};
use criterion_source::{fibonacci, map, shuffled, sort, sum};

fn alone(c: &mut Criterion) {
    if std::env::var_os("PRINTS").is_some() {
        println!("is no output of the run");
    }
    c.bench_function("fib 20", |b| b.iter(|| fibonacci(black_box(20))));
    c.bench_function("fibs/recursive", |b| b.iter(|| fibonacci(black_box(10))));
    c.bench_with_input(BenchmarkId::new("fib", 15), &15, |b, n| {
        b.iter(|| fibonacci(*n));
    });
    // Twice the same, as Criterion allows it.
    c.bench_function("fib 20", |b| b.iter(|| fibonacci(black_box(20))));
}

fn inputs(c: &mut Criterion<WallTime>) {
    let mut group = c.benchmark_group("sorting");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(1))
        .plot_config(PlotConfiguration::default().summary_scale(AxisScale::Logarithmic))
        .sampling_mode(SamplingMode::Flat);
    for size in [10, 100] {
        group.throughput(Throughput::Elements(size));
        group.bench_with_input(BenchmarkId::new("batched", size), &size, |b, &size| {
            b.iter_batched(
                || shuffled(size as usize),
                |mut values| {
                    sort(&mut values);
                    values
                },
                BatchSize::SmallInput,
            );
        });
        group.bench_with_input(BenchmarkId::new("batched_ref", size), &size, by_reference);
    }
    group.bench_function(BenchmarkId::from_parameter("with/setup"), |b| {
        b.iter_with_setup(|| shuffled(10), |mut values| sort(&mut values));
    });
    group.bench_function("large setup", |b| {
        b.iter_with_large_setup(|| shuffled(10), |values| sum(&values));
    });
    group.bench_function(String::from("large drop"), |b| {
        b.iter_with_large_drop(|| shuffled(1000));
    });
    group.finish();
    anything(&mut c.benchmark_group("maps"));
}

fn by_reference(b: &mut Bencher, size: &u64) {
    b.iter_batched_ref(
        || shuffled(*size as usize),
        |values| sort(values),
        BatchSize::LargeInput,
    );
}

fn anything<M: Measurement>(group: &mut BenchmarkGroup<'_, M>) {
    group.throughput(Throughput::ElementsAndBytes {
        elements: 50,
        bytes: 800,
    });
    group.bench_function("insert", |b| b.iter(|| map(50)));
    // Code outside of the routine does not count: neither this map nor its drop.
    let made = map(1000);
    group.bench_with_input("sum of a slice", &[1, 2, 3][..], |b, values: &[u64]| {
        let kept = made.clone();
        b.iter(|| sum(values));
        drop(kept);
    });
}

fn asynchronous(c: &mut Criterion) {
    c.bench_function("async/futures", |b| {
        b.to_async(FuturesExecutor)
            .iter(|| async { fibonacci(black_box(10)) });
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    c.bench_function("async/tokio", |b| {
        b.to_async(&runtime).iter_batched(
            || 10,
            |n| async move { fibonacci(n) },
            BatchSize::PerIteration,
        );
    });
}

fn configured(c: &mut Criterion) {
    use criterion::iai_callgrind::LibraryBenchmarkConfig;

    c.bench_function("environment/unset", |b| b.iter(of_environment));
    criterion::config(LibraryBenchmarkConfig::default().env("CRITERION_SOURCE", "20"));
    c.bench_function("environment/set", |b| b.iter(of_environment));
}

/// Is the target above the only one that its configuration is for?
fn not_configured(c: &mut Criterion) {
    c.bench_function("environment/unset again", |b| b.iter(of_environment));
}

static CALLS: AtomicU64 = AtomicU64::new(0);

fn of_environment() -> u64 {
    CALLS.fetch_add(1, Ordering::Relaxed);
    let n = std::env::var("CRITERION_SOURCE").map_or(0, |n| n.parse().unwrap());
    fibonacci(n)
}

struct NoProfiler;

impl Profiler for NoProfiler {
    fn start_profiling(&mut self, _id: &str, _directory: &Path) {
        unreachable!("nobody profiles")
    }

    fn stop_profiling(&mut self, _id: &str, _directory: &Path) {
        unreachable!("nobody profiles")
    }
}

/// Registers as many benchmarks as a variable says, and then one that allocates.
fn neighbours(c: &mut Criterion) {
    let number = std::env::var("NEIGHBOURS").map_or(0, |number| number.parse().unwrap());
    let mut group = c.benchmark_group("neighbours");
    for n in 0..number {
        // Its texts have as many bytes as what is allocated below.
        let id = BenchmarkId::new("neighbour with a name of fifty characters, or so..", n);
        group.bench_with_input(id, &n, |b, n| b.iter(|| *n));
    }
    group.bench_function("last", |b| {
        b.iter(|| {
            (0..20)
                .map(|_| Vec::<u8>::with_capacity(50))
                .collect::<Vec<_>>()
        });
    });
    group.finish();
}

criterion_group!(benches, alone, inputs, neighbours);
criterion_group! {
    name = others;
    config = Criterion::default()
        .sample_size(20)
        .with_profiler(NoProfiler)
        .save_baseline("main".to_owned())
        .with_filter("async|environment")
        .configure_from_args();
    targets = asynchronous, configured, not_configured, alone
}
criterion_main!(benches, others);
