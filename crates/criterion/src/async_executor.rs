//! Executors of futures.
//!
//! The runtimes of tokio are those of the crate. The others are one small executor, which sleeps
//! until its future is woken: futures of async-std and smol bring threads of their own for sockets
//! and timers, so they need no more, and less executor counts.

/// Runs a future to its end.
///
/// ```
/// use iai_callgrind_criterion::async_executor::AsyncExecutor;
///
/// struct Mine;
///
/// impl AsyncExecutor for Mine {
///     fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
///         let mut future = std::pin::pin!(future);
///         let mut context = std::task::Context::from_waker(std::task::Waker::noop());
///         loop {
///             if let std::task::Poll::Ready(value) = future.as_mut().poll(&mut context) {
///                 return value;
///             }
///         }
///     }
/// }
///
/// assert_eq!(Mine.block_on(async { 3 }), 3);
/// ```
pub trait AsyncExecutor {
    /// Runs a future to its end, on this thread.
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T;
}

/// Executors that need no more than a thread which sleeps.
macro_rules! sleeping {
    ($($(#[$meta:meta])* $name:ident $feature:literal;)+) => {
        $(
            $(#[$meta])*
            #[cfg(feature = $feature)]
            #[derive(Debug, Clone, Copy, Default)]
            pub struct $name;

            #[cfg(feature = $feature)]
            impl AsyncExecutor for $name {
                #[inline]
                fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
                    sleeper::block_on(future)
                }
            }
        )+
    };
}

sleeping! {
    /// For futures of the crate futures.
    ///
    /// ```
    /// # #[cfg(feature = "async_futures")]
    /// # {
    /// use iai_callgrind_criterion::async_executor::{AsyncExecutor, FuturesExecutor};
    ///
    /// assert_eq!(FuturesExecutor.block_on(async { 3 }), 3);
    /// # }
    /// ```
    FuturesExecutor "async_futures";
    /// For futures of smol.
    ///
    /// ```
    /// # #[cfg(feature = "async_smol")]
    /// # {
    /// use iai_callgrind_criterion::async_executor::{AsyncExecutor, SmolExecutor};
    ///
    /// assert_eq!(SmolExecutor.block_on(async { 3 }), 3);
    /// # }
    /// ```
    SmolExecutor "async_smol";
    /// For futures of async-std.
    ///
    /// ```
    /// # #[cfg(feature = "async_std")]
    /// # {
    /// use iai_callgrind_criterion::async_executor::{AsyncExecutor, AsyncStdExecutor};
    ///
    /// assert_eq!(AsyncStdExecutor.block_on(async { 3 }), 3);
    /// # }
    /// ```
    AsyncStdExecutor "async_std";
}

#[cfg(feature = "async_tokio")]
mod of_tokio {
    use tokio::runtime::{Handle, Runtime};

    use super::AsyncExecutor;

    impl AsyncExecutor for Runtime {
        #[inline]
        fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
            Runtime::block_on(self, future)
        }
    }

    impl AsyncExecutor for &Runtime {
        #[inline]
        fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
            Runtime::block_on(self, future)
        }
    }

    impl AsyncExecutor for Handle {
        #[inline]
        fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
            Handle::block_on(self, future)
        }
    }

    impl AsyncExecutor for &Handle {
        #[inline]
        fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
            Handle::block_on(self, future)
        }
    }
}

/// Makes everything beforehand that the first future would otherwise make, and count.
pub(crate) fn prepare() {
    #[cfg(any(
        feature = "async_futures",
        feature = "async_smol",
        feature = "async_std"
    ))]
    sleeper::prepare();
}

/// The executor that sleeps.
#[cfg(any(
    feature = "async_futures",
    feature = "async_smol",
    feature = "async_std"
))]
mod sleeper {
    use std::pin::pin;
    use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
    use std::task::{Context, Poll, Wake, Waker};

    /// Number of wakes. All futures wait for all wakes: to be polled once too often is no harm.
    static WAKES: Mutex<u64> = Mutex::new(0);
    static WOKEN: Condvar = Condvar::new();
    static WAKER: OnceLock<Waker> = OnceLock::new();

    struct Sleeper;

    impl Wake for Sleeper {
        fn wake(self: Arc<Self>) {
            *wakes() += 1;
            WOKEN.notify_all();
        }
    }

    pub(super) fn prepare() {
        waker();
    }

    fn waker() -> &'static Waker {
        WAKER.get_or_init(|| Waker::from(Arc::new(Sleeper)))
    }

    fn wakes() -> MutexGuard<'static, u64> {
        WAKES.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    pub(super) fn block_on<T>(future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        let mut context = Context::from_waker(waker());
        loop {
            // Before the poll, so that a wake during it is not missed.
            let before = *wakes();
            match future.as_mut().poll(&mut context) {
                Poll::Ready(output) => return output,
                Poll::Pending => wait(before),
            }
        }
    }

    /// Sleeps until there was a wake after this number of them.
    #[cold]
    #[inline(never)]
    fn wait(before: u64) {
        let mut wakes = wakes();
        while *wakes == before {
            wakes = WOKEN.wait(wakes).unwrap_or_else(PoisonError::into_inner);
        }
    }

    #[cfg(test)]
    mod tests {
        use std::future::poll_fn;
        use std::thread;

        use super::*;

        #[test]
        fn a_future_that_waits_is_polled_again_when_another_thread_wakes_it() {
            let mut polls = 0;
            let third = block_on(poll_fn(|context| {
                polls += 1;
                match polls {
                    1 => context.waker().wake_by_ref(),
                    2 => {
                        let waker = context.waker().clone();
                        thread::spawn(move || waker.wake());
                    }
                    _ => return Poll::Ready(polls),
                }
                Poll::Pending
            }));
            assert!(third >= 3, "{third}");
        }
    }
}
