//! The call of a routine.

use std::marker::PhantomData;

use iai_callgrind::__internal::{discard, measured, registration};
use iai_callgrind::protocol::ROLE_ARGUMENT;

use crate::measurement::{Measurement, WallTime};
use crate::BatchSize;

/// Calls the routine of a benchmark, once. The call counts; what is done to prepare it and the drop
/// of its result do not.
///
/// A benchmark calls one of these methods, and once.
///
/// ```
/// use iai_callgrind_criterion::{BatchSize, Bencher, Criterion};
///
/// fn reversed() -> Vec<u32> {
///     (0..100).rev().collect()
/// }
///
/// fn sorting(c: &mut Criterion) {
///     c.bench_function("iter", |b| b.iter(|| reversed()));
///     c.bench_function("iter_batched", |b| {
///         b.iter_batched(reversed, |mut v| { v.sort(); v }, BatchSize::SmallInput);
///     });
///     c.bench_function("iter_batched_ref", |b| {
///         b.iter_batched_ref(reversed, |v| v.sort(), BatchSize::SmallInput);
///     });
///     c.bench_function("iter_with_setup", |b| b.iter_with_setup(reversed, |v| v.len()));
///     c.bench_function("iter_with_large_setup", |b| b.iter_with_large_setup(reversed, |v| v.len()));
///     c.bench_function("iter_with_large_drop", |b| b.iter_with_large_drop(reversed));
/// }
///
/// /// Bencher::iter_custom is refused when it is counted.
/// fn custom(b: &mut Bencher) {
///     b.iter_custom(|_iterations| std::time::Duration::ZERO);
/// }
/// ```
#[derive(Debug)]
pub struct Bencher<'a, M: Measurement = WallTime> {
    lifetime: PhantomData<&'a ()>,
    measurement: PhantomData<fn() -> M>,
}

impl<'a, M: Measurement> Bencher<'a, M> {
    pub(crate) fn new() -> Self {
        Self {
            lifetime: PhantomData,
            measurement: PhantomData,
        }
    }

    /// Counts a call of the routine.
    #[inline]
    pub fn iter<O, R>(&mut self, mut routine: R)
    where
        R: FnMut() -> O,
    {
        discard(measured(move |()| routine(), ()));
    }

    /// Counts a call of the routine with what the setup returns. How many inputs a batch has is of
    /// no matter.
    #[inline]
    pub fn iter_batched<I, O, S, R>(&mut self, mut setup: S, routine: R, _size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> O,
    {
        discard(measured(routine, setup()));
    }

    /// Counts a call of the routine with a reference to what the setup returns, which is dropped
    /// after the count.
    #[inline]
    pub fn iter_batched_ref<I, O, S, R>(&mut self, mut setup: S, mut routine: R, _size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(&mut I) -> O,
    {
        let mut input = setup();
        discard(measured(move |input: &mut I| routine(input), &mut input));
        discard(input);
    }

    /// The same as [`iter_batched`](Self::iter_batched).
    #[inline]
    pub fn iter_with_setup<I, O, S, R>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> O,
    {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    /// The same as [`iter_batched`](Self::iter_batched).
    #[inline]
    pub fn iter_with_large_setup<I, O, S, R>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> O,
    {
        self.iter_batched(setup, routine, BatchSize::NumBatches(1));
    }

    /// The same as [`iter`](Self::iter), of which the drop of the result is no part either.
    #[inline]
    pub fn iter_with_large_drop<O, R>(&mut self, routine: R)
    where
        R: FnMut() -> O,
    {
        self.iter(routine);
    }

    /// Fails when it is counted, since the routine alone knows which part of it is the benchmark.
    /// In the test mode it is called for one iteration.
    pub fn iter_custom<R>(&mut self, routine: R)
    where
        R: FnMut(u64) -> M::Value,
    {
        refuse_if_counted();
        discard(measured(routine, 1));
    }

    /// Runs futures with this executor.
    ///
    /// ```
    /// # #[cfg(feature = "async_futures")]
    /// # {
    /// use iai_callgrind_criterion::Criterion;
    /// use iai_callgrind_criterion::async_executor::FuturesExecutor;
    ///
    /// fn numbers(c: &mut Criterion) {
    ///     c.bench_function("add", |b| b.to_async(FuturesExecutor).iter(|| async { 1 + 2 }));
    /// }
    /// # }
    /// ```
    #[cfg(feature = "async")]
    pub fn to_async<'b, A: crate::async_executor::AsyncExecutor>(
        &'b mut self,
        runner: A,
    ) -> AsyncBencher<'a, 'b, A, M> {
        crate::async_executor::prepare();
        AsyncBencher {
            bencher: self,
            runner,
        }
    }
}

fn refuse_if_counted() {
    // A measured process has no arguments. The roles `test` and `run` call benchmarks without a
    // tool.
    let mut words = std::env::args_os().skip(1);
    let is_role = words.next().is_some_and(|word| word == ROLE_ARGUMENT);
    let is_native = is_role
        && words
            .next()
            .is_some_and(|role| role == "test" || role == "run");
    if !is_native {
        registration::refuse(
            "`iter_custom` does its own timing, so the part to count is unknown\n  \
             hint: `iter_batched` has a setup that does not count, and `iter_with_large_drop` a drop that does not",
        );
    }
}

/// Calls the routine of a benchmark that returns a future, and runs that to its end; from
/// [`Bencher::to_async`].
///
/// The future and its executor count.
///
/// ```
/// use iai_callgrind_criterion::async_executor::AsyncExecutor;
/// use iai_callgrind_criterion::{BatchSize, Criterion};
///
/// fn numbers<E: AsyncExecutor>(c: &mut Criterion, executor: fn() -> E) {
///     c.bench_function("iter", |b| b.to_async(executor()).iter(|| async { 1 + 2 }));
///     c.bench_function("iter_batched", |b| {
///         b.to_async(executor()).iter_batched(|| 3, |n| async move { n * n }, BatchSize::SmallInput);
///     });
///     c.bench_function("iter_batched_ref", |b| {
///         let routine = |n: &mut i32| std::future::ready(*n + 1);
///         b.to_async(executor()).iter_batched_ref(|| 3, routine, BatchSize::SmallInput);
///     });
///     c.bench_function("iter_with_setup", |b| {
///         b.to_async(executor()).iter_with_setup(|| 3, |n| async move { n * n });
///     });
///     c.bench_function("iter_with_large_setup", |b| {
///         b.to_async(executor()).iter_with_large_setup(|| 3, |n| async move { n * n });
///     });
///     c.bench_function("iter_with_large_drop", |b| {
///         b.to_async(executor()).iter_with_large_drop(|| async { vec![0; 100] });
///     });
///     c.bench_function("iter_custom", |b| {
///         b.to_async(executor()).iter_custom(|_iterations| async { std::time::Duration::ZERO });
///     });
/// }
/// ```
#[cfg(feature = "async")]
#[derive(Debug)]
pub struct AsyncBencher<'a, 'b, A: crate::async_executor::AsyncExecutor, M: Measurement = WallTime>
{
    bencher: &'b mut Bencher<'a, M>,
    runner: A,
}

#[cfg(feature = "async")]
impl<A: crate::async_executor::AsyncExecutor, M: Measurement> AsyncBencher<'_, '_, A, M> {
    /// Counts a call of the routine and the run of its future.
    #[inline]
    pub fn iter<O, R, F>(&mut self, mut routine: R)
    where
        R: FnMut() -> F,
        F: Future<Output = O>,
    {
        let runner = &self.runner;
        self.bencher.iter(move || runner.block_on(routine()));
    }

    /// Counts the same with what the setup returns.
    #[inline]
    pub fn iter_batched<I, O, S, R, F>(&mut self, setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        let runner = &self.runner;
        let routine = move |input| runner.block_on(routine(input));
        self.bencher.iter_batched(setup, routine, size);
    }

    /// Counts the same with a reference to what the setup returns, which is dropped after the
    /// count.
    #[inline]
    pub fn iter_batched_ref<I, O, S, R, F>(&mut self, setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(&mut I) -> F,
        F: Future<Output = O>,
    {
        let runner = &self.runner;
        let routine = move |input: &mut I| runner.block_on(routine(input));
        self.bencher.iter_batched_ref(setup, routine, size);
    }

    /// The same as [`iter_batched`](Self::iter_batched).
    #[inline]
    pub fn iter_with_setup<I, O, S, R, F>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    /// The same as [`iter_batched`](Self::iter_batched).
    #[inline]
    pub fn iter_with_large_setup<I, O, S, R, F>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        self.iter_batched(setup, routine, BatchSize::NumBatches(1));
    }

    /// The same as [`iter`](Self::iter), of which the drop of the result is no part either.
    #[inline]
    pub fn iter_with_large_drop<O, R, F>(&mut self, routine: R)
    where
        R: FnMut() -> F,
        F: Future<Output = O>,
    {
        self.iter(routine);
    }

    /// Fails when it is counted, as [`Bencher::iter_custom`] does.
    pub fn iter_custom<R, F>(&mut self, mut routine: R)
    where
        R: FnMut(u64) -> F,
        F: Future<Output = M::Value>,
    {
        let runner = &self.runner;
        self.bencher
            .iter_custom(move |iterations| runner.block_on(routine(iterations)));
    }
}
