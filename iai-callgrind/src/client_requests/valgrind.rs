//! Requests that every Valgrind tool answers.

/// How many Valgrinds are around this process: 0 on a real processor, 1 under Valgrind.
///
/// Always 0 when requests are not [`ACTIVE`](super::ACTIVE).
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// if valgrind::running_on_valgrind() > 0 {
///     println!("this takes a while");
/// }
/// ```
#[inline]
#[must_use]
pub fn running_on_valgrind() -> usize {
    if super::ACTIVE {
        crate::valgrind_request::running_on_valgrind()
    } else {
        0
    }
}
