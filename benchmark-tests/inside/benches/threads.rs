//! Closures on other threads, which count.

use std::hint::black_box;
use std::thread;

use iai_callgrind::{library_benchmark, Callgrind, LibraryBenchmarkConfig};
use inside_benchmarks::rounds;

fn config() -> LibraryBenchmarkConfig {
    LibraryBenchmarkConfig::default()
        .tool(Callgrind::default().count_threads(true))
        .build()
}

#[library_benchmark(config = config())]
#[benches::n(1, 1_000_001)]
pub(crate) fn closure_on_both_threads(n: u64) {
    let closure: Box<dyn Fn() + Send + Sync> = Box::new(move || rounds(n));
    let closure = black_box(&closure);
    #[expect(
        clippy::redundant_closure,
        reason = "a closure on the other thread is what is tested"
    )]
    thread::scope(|scope| {
        scope.spawn(|| closure());
    });
    closure();
}

#[library_benchmark(config = config())]
#[benches::n(1, 1_000_001)]
pub(crate) fn spawned(n: u64) {
    thread::spawn(move || rounds(n)).join().unwrap();
    rounds(n);
}
