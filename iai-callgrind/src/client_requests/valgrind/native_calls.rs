//! Functions that run on the real processor while the program runs on Valgrind's.

use super::ThreadId;
use crate::client_requests::numbers::{
    VG_USERREQ__CLIENT_CALL0, VG_USERREQ__CLIENT_CALL1, VG_USERREQ__CLIENT_CALL2,
    VG_USERREQ__CLIENT_CALL3,
};

/// Calls `f` on the real processor, with the number of the calling thread, and returns its result.
///
/// **Natively `f` is not called** and the result is 0.
///
/// # Safety
///
/// `f` runs on Valgrind's own stack, unseen by the tool, while Valgrind's state is that of the
/// simulated program. It must not use thread-local storage, the C library, the heap, locks or other
/// global state, and it must not unwind.
///
/// ```
/// use iai_callgrind::client_requests::valgrind::{self, ThreadId};
///
/// extern "C" fn own_number(thread: ThreadId) -> usize {
///     thread
/// }
///
/// // SAFETY: the function uses its argument only.
/// let number = unsafe { valgrind::non_simd_call0(own_number) };
/// # assert_eq!(number, 0);
/// ```
#[doc = request_doc!(VG_USERREQ__CLIENT_CALL0)]
#[inline(always)]
pub unsafe fn non_simd_call0(f: extern "C" fn(ThreadId) -> usize) -> usize {
    request!(0; VG_USERREQ__CLIENT_CALL0, f as usize)
}

/// [`non_simd_call0`] with one argument more.
///
/// # Safety
///
/// That of [`non_simd_call0`].
///
/// ```
/// use iai_callgrind::client_requests::valgrind::{self, ThreadId};
///
/// extern "C" fn double(_: ThreadId, number: usize) -> usize {
///     number.wrapping_mul(2)
/// }
///
/// // SAFETY: the function uses its arguments only.
/// let result = unsafe { valgrind::non_simd_call1(double, 21) };
/// # assert_eq!(result, 0);
/// ```
#[doc = request_doc!(VG_USERREQ__CLIENT_CALL1)]
#[inline(always)]
pub unsafe fn non_simd_call1(f: extern "C" fn(ThreadId, usize) -> usize, arg1: usize) -> usize {
    request!(0; VG_USERREQ__CLIENT_CALL1, f as usize, arg1)
}

/// [`non_simd_call0`] with two arguments more.
///
/// # Safety
///
/// That of [`non_simd_call0`].
///
/// ```
/// use iai_callgrind::client_requests::valgrind::{self, ThreadId};
///
/// extern "C" fn sum(_: ThreadId, left: usize, right: usize) -> usize {
///     left.wrapping_add(right)
/// }
///
/// // SAFETY: the function uses its arguments only.
/// let result = unsafe { valgrind::non_simd_call2(sum, 1, 2) };
/// # assert_eq!(result, 0);
/// ```
#[doc = request_doc!(VG_USERREQ__CLIENT_CALL2)]
#[inline(always)]
pub unsafe fn non_simd_call2(
    f: extern "C" fn(ThreadId, usize, usize) -> usize,
    arg1: usize,
    arg2: usize,
) -> usize {
    request!(0; VG_USERREQ__CLIENT_CALL2, f as usize, arg1, arg2)
}

/// [`non_simd_call0`] with three arguments more.
///
/// # Safety
///
/// That of [`non_simd_call0`].
///
/// ```
/// use iai_callgrind::client_requests::valgrind::{self, ThreadId};
///
/// extern "C" fn sum(_: ThreadId, a: usize, b: usize, c: usize) -> usize {
///     a.wrapping_add(b).wrapping_add(c)
/// }
///
/// // SAFETY: the function uses its arguments only.
/// let result = unsafe { valgrind::non_simd_call3(sum, 1, 2, 3) };
/// # assert_eq!(result, 0);
/// ```
#[doc = request_doc!(VG_USERREQ__CLIENT_CALL3)]
#[inline(always)]
pub unsafe fn non_simd_call3(
    f: extern "C" fn(ThreadId, usize, usize, usize) -> usize,
    arg1: usize,
    arg2: usize,
    arg3: usize,
) -> usize {
    request!(0; VG_USERREQ__CLIENT_CALL3, f as usize, arg1, arg2, arg3)
}
