//! Calls of generated code right before and after the benchmark function.
//!
//! A fork under Callgrind has to translate each piece of code that it runs and the server did not,
//! and each call and branch ends a piece. So what happens around the benchmark function is the same
//! code for all types, which the server has run in its rehearsal, and what depends on a type is
//! inlined into the case.

use std::hint::black_box;
use std::mem::needs_drop;
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(unix)]
use super::timed;
use super::{instrumentation, noted, perf, threads};
#[cfg(feature = "cachegrind")]
use crate::client_requests::cachegrind;

/// Does anything happen around the benchmark function? One question instead of three.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// From here on the marks around the benchmark function act as their switches say.
#[cfg(unix)]
pub(super) fn watch() {
    WATCHED.store(true, Ordering::Relaxed);
}

/// Every case passes its last argument through this function: all arguments are made, the benchmark
/// function is next. Also hides the value from the optimizer.
#[inline(always)]
pub fn ready<T>(value: T) -> T {
    let value = black_box(value);
    begin();
    value
}

/// Every case passes the result through this function, right after the benchmark function returned.
#[inline(always)]
pub fn done<T>(result: T) -> T {
    end();
    black_box(result)
}

/// Drops what a case leaves behind.
#[inline(always)]
pub fn discard<T>(value: T) {
    if needs_drop::<T>() {
        drop_it(value);
    }
}

/// The runner knows this function and [`end`] by their names: costs in them show that Callgrind
/// collected right before or right after the benchmark function.
#[inline(never)]
fn begin() {
    noted::begin();
    if WATCHED.load(Ordering::Relaxed) {
        threads::begin();
        perf::begin();
        instrumentation::begin();
        #[cfg(unix)]
        timed::begin();
    }
    // Last, since Cachegrind counts whatever comes behind it.
    #[cfg(feature = "cachegrind")]
    cachegrind::start_instrumentation();
}

#[inline(never)]
fn end() {
    #[cfg(feature = "cachegrind")]
    cachegrind::stop_instrumentation();
    noted::end();
    // In the reverse order of `begin`: the one closest to the function ends first.
    if WATCHED.load(Ordering::Relaxed) {
        #[cfg(unix)]
        timed::end();
        instrumentation::end();
        perf::end();
        threads::end();
    }
}

/// One copy for each type and not one for each case, which would be most of what the compiler has
/// to do for a file with many cases.
#[inline(never)]
fn drop_it<T>(value: T) {
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
