//! The executor of `async fn` benchmarks that name none.
//!
//! It polls on the thread of the benchmark and has neither timers nor sockets, so it is for futures
//! that are ready whenever they are polled, or wake themselves. What it executes counts: it
//! allocates nothing, and looks at its waker only where a future was not ready.

use std::pin::pin;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, RawWaker, RawWakerVTable, Waker};

/// Was the waker called since it was looked at? Static, so that a waker may outlive the executor.
static WOKEN: AtomicBool = AtomicBool::new(false);

// SAFETY: the functions of the table look at nothing but a static.
static WAKER: Waker = unsafe { Waker::from_raw(RawWaker::new(ptr::null(), &TABLE)) };

static TABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake, forget);

/// Runs a future to its end.
///
/// # Panics
///
/// When the future waits and has not been woken: nobody would ever poll it again.
#[inline]
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(&WAKER);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending => poll_again_if_woken(),
        }
    }
}

#[cold]
#[inline(never)]
fn poll_again_if_woken() {
    assert!(
        WOKEN.swap(false, Ordering::Relaxed),
        "the future of this benchmark waits, and nothing has woken it: what it waits for, such as a timer, a \
         socket or another thread, needs a runtime; name the function that runs it there: \
         `#[library_benchmark(executor = my_block_on)]`"
    );
}

fn clone(_: *const ()) -> RawWaker {
    RawWaker::new(ptr::null(), &TABLE)
}

fn wake(_: *const ()) {
    WOKEN.store(true, Ordering::Relaxed);
}

fn forget(_: *const ()) {}

#[cfg(test)]
mod tests {
    use std::future;

    use super::*;

    /// One test: the flag is for the whole process.
    #[test]
    fn what_wakes_itself_is_polled_again_and_what_does_not_is_refused() {
        assert_eq!(block_on(async { 1 + block_on(async { 2 }) }), 3);
        let mut polls = 0;
        let third = block_on(future::poll_fn(|context| {
            polls += 1;
            match polls {
                1 => context.waker().wake_by_ref(),
                2 => {
                    let kept = context.waker().clone();
                    kept.wake_by_ref();
                }
                _ => return Poll::Ready(polls),
            }
            Poll::Pending
        }));
        assert_eq!(third, 3);
        let never = std::panic::catch_unwind(|| block_on(future::pending::<()>()));
        let text = never.unwrap_err().downcast::<&str>().unwrap();
        assert!(text.contains("nothing has woken it"), "{text}");
    }
}
