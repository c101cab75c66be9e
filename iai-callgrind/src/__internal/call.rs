//! Calls of generated code right before and after the benchmark function.
//!
//! There is one copy of these functions for each type and not one for each case, which would be most
//! of what the compiler has to do for a file with many cases.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{instrumentation, perf, threads};
#[cfg(feature = "cachegrind")]
use crate::client_requests::cachegrind;

/// Does anything happen around the benchmark function? One question instead of three: a fork under Callgrind has to
/// translate each piece of code that it runs, and each branch ends one.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// From here on the marks around the benchmark function act as their switches say.
#[cfg(unix)]
pub(super) fn watch() {
    WATCHED.store(true, Ordering::Relaxed);
}

/// Every case passes its last argument through this function: all arguments are made, the benchmark
/// function is next. Also hides the value from the optimizer.
#[inline(never)]
pub fn ready<T>(value: T) -> T {
    let is_watched = WATCHED.load(Ordering::Relaxed);
    if is_watched {
        threads::begin();
    }
    let value = black_box(value);
    if is_watched {
        perf::begin();
        instrumentation::begin();
    }
    // Last, since Cachegrind counts whatever comes behind it.
    #[cfg(feature = "cachegrind")]
    cachegrind::start_instrumentation();
    value
}

/// Every case passes the result through this function, right after the benchmark function returned.
#[inline(never)]
pub fn done<T>(result: T) -> T {
    #[cfg(feature = "cachegrind")]
    cachegrind::stop_instrumentation();
    if WATCHED.load(Ordering::Relaxed) {
        instrumentation::end();
        perf::end();
        threads::end();
    }
    black_box(result)
}

/// Drops what a case leaves behind.
#[inline(never)]
pub fn discard<T>(value: T) {
    drop(black_box(value));
}

/// Value of a setup, for a benchmark whose parameter is a reference.
#[derive(Debug)]
pub struct Made<T>(Option<T>);

impl<T> Made<T> {
    pub fn new(value: T) -> Self {
        Self(Some(value))
    }
}

impl<'a, T: ?Sized> Made<&'a T> {
    /// The setup returned a reference: it is passed as it is.
    pub fn pass(&mut self) -> &'a T {
        self.0.expect("the value is passed once")
    }
}

impl<'a, T: ?Sized> Made<&'a mut T> {
    /// The setup returned a reference: it is passed as it is.
    pub fn pass(&mut self) -> &'a mut T {
        self.0.take().expect("the value is passed once")
    }
}

/// The setup returned a value: it is borrowed. Methods of the type itself, above, come first.
pub trait Borrowed {
    type Value;

    fn pass(&mut self) -> &mut Self::Value;
}

impl<T> Borrowed for Made<T> {
    type Value = T;

    fn pass(&mut self) -> &mut T {
        self.0.as_mut().expect("the value is there")
    }
}
