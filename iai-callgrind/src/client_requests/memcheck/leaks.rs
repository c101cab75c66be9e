//! The search for heap blocks that nothing points to any more.

use core::ffi::c_ulong;

use crate::client_requests::numbers::{
    VG_USERREQ__COUNT_LEAKS, VG_USERREQ__COUNT_LEAK_BLOCKS, VG_USERREQ__DO_LEAK_CHECK,
};

/// Searches for leaks now, and reports all of them in the log. Nothing happens natively.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// memcheck::do_leak_check();
/// assert_eq!(memcheck::count_leaks().leaked, 0);
/// ```
#[doc = request_doc!(VG_USERREQ__DO_LEAK_CHECK)]
#[inline(always)]
pub fn do_leak_check() {
    request!(0; VG_USERREQ__DO_LEAK_CHECK, 0, 0);
}

/// Searches for leaks, and reports those that have grown since the last search. Nothing happens
/// natively.
///
/// In Valgrind 3.7 and later, perhaps earlier.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// memcheck::do_leak_check();
/// // ... one request of a server ...
/// memcheck::do_added_leak_check();
/// ```
#[doc = request_doc!(VG_USERREQ__DO_LEAK_CHECK)]
#[inline(always)]
pub fn do_added_leak_check() {
    request!(0; VG_USERREQ__DO_LEAK_CHECK, 0, 1);
}

/// Searches for leaks, and reports those that have grown or shrunk since the last search. Nothing
/// happens natively.
///
/// In Valgrind 3.7 and later, perhaps earlier.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// memcheck::do_leak_check();
/// // ... one request of a server ...
/// memcheck::do_changed_leak_check();
/// ```
#[doc = request_doc!(VG_USERREQ__DO_LEAK_CHECK)]
#[inline(always)]
pub fn do_changed_leak_check() {
    request!(0; VG_USERREQ__DO_LEAK_CHECK, 0, 2);
}

/// Searches for leaks, and reports those that the last search did not find. Nothing happens
/// natively.
///
/// Since Valgrind 3.21.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// memcheck::do_leak_check();
/// // ... one request of a server ...
/// memcheck::do_new_leak_check();
/// ```
#[doc = request_doc!(VG_USERREQ__DO_LEAK_CHECK)]
#[inline(always)]
pub fn do_new_leak_check() {
    request!(0; VG_USERREQ__DO_LEAK_CHECK, 0, 3);
}

/// Searches for leaks, and writes only the sums to the log. Nothing happens natively.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// memcheck::do_quick_leak_check();
/// let bytes = memcheck::count_leaks();
/// # assert_eq!(bytes, Default::default());
/// ```
#[doc = request_doc!(VG_USERREQ__DO_LEAK_CHECK)]
#[inline(always)]
pub fn do_quick_leak_check() {
    request!(0; VG_USERREQ__DO_LEAK_CHECK, 1, 0);
}

/// Result of the last search for leaks, in bytes ([`count_leaks`]) or in blocks
/// ([`count_leak_blocks`]).
///
/// ```
/// use iai_callgrind::client_requests::memcheck::{self, LeakCounts};
///
/// memcheck::do_quick_leak_check();
/// let LeakCounts { leaked, reachable, .. } = memcheck::count_leaks();
/// println!("{leaked} bytes leaked, {reachable} are still reachable");
/// ```
#[derive(Debug, Default, Clone, PartialEq, Eq, Hash)]
pub struct LeakCounts {
    /// Nothing points to them: "definitely lost" and "indirectly lost".
    pub leaked: c_ulong,
    /// Something points into their middle: "possibly lost".
    pub dubious: c_ulong,
    /// Something points to them: "still reachable".
    pub reachable: c_ulong,
    /// A suppression applies.
    pub suppressed: c_ulong,
}

/// The bytes that the last search for leaks found; zeros natively and before the first search.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// memcheck::do_quick_leak_check();
/// assert_eq!(memcheck::count_leaks().leaked, 0);
/// ```
#[doc = request_doc!(VG_USERREQ__COUNT_LEAKS)]
#[inline(always)]
#[must_use]
pub fn count_leaks() -> LeakCounts {
    counts(VG_USERREQ__COUNT_LEAKS)
}

/// The blocks that the last search for leaks found; zeros natively and before the first search.
///
/// ```
/// use iai_callgrind::client_requests::memcheck;
///
/// memcheck::do_quick_leak_check();
/// assert_eq!(memcheck::count_leak_blocks().leaked, 0);
/// ```
#[doc = request_doc!(VG_USERREQ__COUNT_LEAK_BLOCKS)]
#[inline(always)]
#[must_use]
pub fn count_leak_blocks() -> LeakCounts {
    counts(VG_USERREQ__COUNT_LEAK_BLOCKS)
}

#[inline(always)]
fn counts(number: usize) -> LeakCounts {
    // Words, since that is what Memcheck writes; `c_ulong` is shorter on Windows. Initialized,
    // since Memcheck does not mark them as defined.
    let [mut leaked, mut dubious, mut reachable, mut suppressed] = [0_usize; 4];
    request!(
        0;
        number,
        &raw mut leaked as usize,
        &raw mut dubious as usize,
        &raw mut reachable as usize,
        &raw mut suppressed as usize
    );
    LeakCounts {
        leaked: leaked as c_ulong,
        dubious: dubious as c_ulong,
        reachable: reachable as c_ulong,
        suppressed: suppressed as c_ulong,
    }
}
