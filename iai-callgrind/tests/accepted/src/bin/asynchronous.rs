//! Async functions, with all that other functions have.

use std::fmt::Display;
use std::future::{self, Future};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use iai_callgrind::prelude::*;

mod runtime {
    use super::*;

    pub fn block_on<F: Future>(future: F) -> F::Output {
        let mut future = pin!(future);
        let mut context = Context::from_waker(Waker::noop());
        loop {
            if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
                return output;
            }
        }
    }
}

#[library_benchmark]
#[bench::one(1)]
#[benches::elements(iter = [1, 5_000_000_000])]
async fn number(mut n: u64) -> u64 {
    n += 1;
    future::ready(n).await
}

#[library_benchmark(executor = runtime::block_on)]
#[bench::one(&mut vec![1, 2], "x")]
async fn borrows<'a>(list: &'a mut Vec<u64>, _: &str) -> &'a u64 {
    list.push(3);
    &list[2]
}

#[library_benchmark(executor = |future| runtime::block_on(future))]
#[bench::one((1, 2), consts = (3))]
async fn generic<T: Copy, const N: usize>((a, b): (T, T)) -> Result<[T; N], String>
where
    T: Display,
{
    let text = future::ready(Ok::<_, String>(b.to_string())).await?;
    if text.is_empty() {
        return Err(text);
    }
    Ok([a; N])
}

#[library_benchmark(setup = || vec![1], teardown = |list: &Vec<u8>| assert_eq!(list.len(), 2))]
async fn made(mut list: Vec<u8>) -> Vec<u8> {
    list.push(1);
    list
}

#[library_benchmark]
#[bench::some("a", 1)]
async fn of_any_type(text: impl AsRef<str>, _: u8) -> impl Display {
    text.as_ref().len()
}

#[library_benchmark]
async fn calls_itself_and_others() {
    assert_eq!(number(1).await, 2);
    if std::hint::black_box(false) {
        Box::pin(calls_itself_and_others()).await;
    }
}

library_benchmark_group!(
    name = all,
    benchmarks = [
        number,
        borrows,
        generic,
        made,
        of_any_type,
        calls_itself_and_others
    ]
);
main!(library_benchmark_groups = all);
