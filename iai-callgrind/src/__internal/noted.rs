//! How far the process is with its benchmark, and requests that end its count, noted where they are
//! made.
//!
//! `stop_instrumentation` makes Callgrind forget that it is in the benchmark function, and its
//! profile shows that in some modes only. So the request notes it, and the message about the return
//! tells the runner. The note is made while Callgrind does not look, so it is in no count.
//!
//! And a panic does not tell whether it came from the benchmark function or from its setup.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// The benchmark function has not begun: arguments are made, or a setup runs.
const BEFORE: u8 = 0;
/// The benchmark function runs.
const INSIDE: u8 = 1;
/// The benchmark function runs, and a request of the program has switched instrumentation off.
const STOPPED: u8 = 2;
/// The benchmark function has returned: its result is dropped, or a teardown runs.
const AFTER: u8 = 3;

static PHASE: AtomicU8 = AtomicU8::new(BEFORE);

/// Was instrumentation off at the return of the benchmark function? A teardown may switch as it
/// likes.
static STOPPED_AT_RETURN: AtomicBool = AtomicBool::new(false);

/// Instrumentation was switched off by a request of the program. What a setup does is not noted.
#[cfg(feature = "client_requests_defs")]
#[inline(always)]
pub(crate) fn stop() {
    let _ = PHASE.compare_exchange(INSIDE, STOPPED, Ordering::Relaxed, Ordering::Relaxed);
}

/// Forgets a rehearsal, whose phases are not those of the forks that come.
#[cfg(unix)]
pub(super) fn reset() {
    PHASE.store(BEFORE, Ordering::Relaxed);
}

/// Called right before the benchmark function.
#[inline(always)]
pub(super) fn begin() {
    PHASE.store(INSIDE, Ordering::Relaxed);
}

/// Called right after the benchmark function.
#[inline(always)]
pub(super) fn end() {
    let stopped = PHASE.swap(AFTER, Ordering::Relaxed) == STOPPED;
    STOPPED_AT_RETURN.store(stopped, Ordering::Relaxed);
}

/// Did the benchmark function switch instrumentation off?
#[cfg(unix)]
pub(super) fn has_stopped() -> bool {
    STOPPED_AT_RETURN.load(Ordering::Relaxed)
}

/// Says where a benchmark panicked, if that was not in its function. It lives around the call of
/// the benchmark, whose end by a panic drops it.
pub(super) struct PlaceOfPanic;

impl Drop for PlaceOfPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // Below the text of the panic, in all modes.
            if let Some(place) = place(PHASE.load(Ordering::Relaxed)) {
                eprintln!("note: it panicked {place}");
            }
        }
    }
}

/// `None`: in the benchmark function, where everyone looks first.
fn place(phase: u8) -> Option<&'static str> {
    match phase {
        BEFORE => Some("before the benchmark function began: in its setup or arguments"),
        AFTER => Some("after the benchmark function returned: in its teardown or a drop"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One test, since all have the same state.
    #[test]
    fn the_phase_is_known_at_each_moment() {
        let now = || place(PHASE.load(Ordering::Relaxed));
        assert!(now().unwrap().starts_with("before"));
        begin();
        assert_eq!(now(), None);
        end();
        assert!(now().unwrap().starts_with("after"));
        #[cfg(all(unix, feature = "client_requests_defs"))]
        {
            assert!(!has_stopped());
            // A setup stops, then the function; what a teardown does later changes nothing.
            reset();
            stop();
            assert!(now().unwrap().starts_with("before"));
            begin();
            stop();
            assert_eq!(now(), None);
            end();
            assert!(has_stopped());
            stop();
            assert!(has_stopped() && now().unwrap().starts_with("after"));
        }
    }
}
