use std::future::Future;
use std::hint::black_box;
use std::sync::OnceLock;

use iai_callgrind::{library_benchmark, library_benchmark_group, main};
use tokio::runtime::{Builder, Runtime};

async fn sum(numbers: &[u32]) -> u32 {
    numbers.iter().sum()
}

/// A future that waits for nothing needs no runtime.
#[library_benchmark]
#[bench::small(vec![1; 100])]
async fn ready(numbers: Vec<u32>) -> u32 {
    black_box(sum(black_box(&numbers)).await)
}

/// Started by the setup, which does not count. With one thread, since the order of several is never
/// the same.
fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| Builder::new_current_thread().build().unwrap())
}

fn pages(count: usize) -> Vec<u8> {
    runtime();
    vec![1; count * 4096]
}

fn block_on<F: Future>(future: F) -> F::Output {
    runtime().block_on(future)
}

#[library_benchmark(setup = pages, executor = block_on)]
#[bench::one(1)]
#[bench::ten(10)]
async fn on_a_runtime(bytes: Vec<u8>) -> u32 {
    futures_example::checksum(&bytes).await
}

library_benchmark_group!(name = polls, benchmarks = [ready, on_a_runtime]);
main!(library_benchmark_groups = [polls]);
