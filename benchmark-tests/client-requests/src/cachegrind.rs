//! Requests that start and stop the counting of Cachegrind.

use iai_callgrind::client_requests::cachegrind;

use crate::callgrind::kernel;

/// Counts 1000 rounds of 7000, with instrumentation off at first.
pub(crate) fn instrumentation() {
    kernel(2000);
    cachegrind::start_instrumentation();
    kernel(1000);
    cachegrind::stop_instrumentation();
    kernel(4000);
}

/// Counts nothing, with instrumentation off at first.
pub(crate) fn instrumentation_empty() {
    kernel(2000);
    cachegrind::start_instrumentation();
    cachegrind::stop_instrumentation();
    kernel(4000);
}

/// The same with a closure.
pub(crate) fn closure() {
    kernel(2000);
    cachegrind::instrument(|| kernel(1000));
    kernel(4000);
}
