//! Async functions: what their bodies execute, in as many polls as it takes, and what runs them.

use std::future::{self, Future};
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use iai_callgrind::{library_benchmark, library_benchmark_group, main};
use inside_benchmarks::rounds;

/// A hand-written executor for futures that are ready.
fn by_hand<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}

/// Is ready at the second poll.
async fn step_aside() {
    let mut is_second = false;
    future::poll_fn(|context| {
        if black_box(is_second) {
            return Poll::Ready(());
        }
        is_second = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

#[library_benchmark]
#[benches::of(100, 1100)]
fn plain(n: u64) {
    rounds(n);
}

#[library_benchmark]
#[benches::of(100, 1100)]
fn blocking_by_hand(n: u64) {
    by_hand(async { rounds(n) });
}

#[library_benchmark]
#[benches::of(100, 1100)]
async fn ready(n: u64) {
    rounds(n);
}

#[library_benchmark(executor = by_hand)]
#[benches::of(100, 1100)]
async fn with_executor(n: u64) {
    rounds(n);
}

#[library_benchmark(executor = |future| by_hand(future))]
#[benches::of(100, 1100)]
async fn with_closure(n: u64) {
    rounds(n);
}

/// Every poll does its share.
#[library_benchmark]
#[benches::polls(args = [(0, 1000), (1, 1000), (11, 1000)])]
async fn in_steps(more: u64, n: u64) {
    rounds(n);
    for _ in 0..more {
        step_aside().await;
        rounds(n);
    }
}

fn list(n: u64) -> Vec<u64> {
    vec![n; 3]
}

fn is_list(list: Vec<u64>) {
    assert_eq!(list.len(), 4);
}

#[library_benchmark(setup = list, teardown = is_list)]
#[benches::elements(iter = [1, 5_000_000_000], consts = [2])]
#[benches::constants(args = [1], consts = [2, 1002])]
async fn made<const N: u64>(mut list: Vec<u64>) -> Vec<u64> {
    rounds(N);
    list.push(future::ready(N).await);
    list
}

/// The same, polled by hand.
#[library_benchmark(executor = by_hand)]
#[benches::polls(args = [(0, 1000), (1, 1000), (11, 1000)])]
async fn in_steps_by_hand(more: u64, n: u64) {
    rounds(n);
    for _ in 0..more {
        step_aside().await;
        rounds(n);
    }
}

#[library_benchmark]
async fn never() {
    future::pending::<()>().await;
}

library_benchmark_group!(
    name = awaited,
    benchmarks = [
        plain,
        blocking_by_hand,
        ready,
        with_executor,
        with_closure,
        in_steps,
        in_steps_by_hand,
        made
    ]
);
library_benchmark_group!(name = waiting, benchmarks = never);
main!(library_benchmark_groups = [awaited, waiting]);
