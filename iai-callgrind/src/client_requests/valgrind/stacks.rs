//! Stacks that the program makes itself: coroutines, green threads.

use super::StackId;
use crate::client_requests::numbers::{
    VG_USERREQ__STACK_CHANGE, VG_USERREQ__STACK_DEREGISTER, VG_USERREQ__STACK_REGISTER,
};

/// Says that the bytes from `start` to `end`, its lowest and its highest address, are a stack.
///
/// Without it Valgrind has to guess from the distance whether a change of the stack pointer is a
/// switch to another stack or a big frame. The manual calls these requests unreliable. DRD honors
/// them since 3.17, but 3.19 and 3.27 stop with an assertion when a thread ends that has registered
/// memory of the heap. The result is Valgrind's number for the stack, the first is 1; it is
/// 0 natively.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// let stack = vec![0_u8; 64 * 1024];
/// let range = stack.as_ptr_range();
/// let id = valgrind::stack_register(range.start.cast(), range.end.wrapping_sub(1).cast());
/// // ... run on it ...
/// valgrind::stack_deregister(id);
/// ```
#[doc = request_doc!(VG_USERREQ__STACK_REGISTER)]
#[inline(always)]
pub fn stack_register(start: *const (), end: *const ()) -> StackId {
    request!(0; VG_USERREQ__STACK_REGISTER, start as usize, end as usize)
}

/// Says that the stack is none any more. Nothing happens natively.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// # let id = 0;
/// valgrind::stack_deregister(id);
/// ```
#[doc = request_doc!(VG_USERREQ__STACK_DEREGISTER)]
#[inline(always)]
pub fn stack_deregister(id: StackId) {
    request!(0; VG_USERREQ__STACK_DEREGISTER, id);
}

/// Says that the stack is now at `start` to `end`, its lowest and its highest address. Nothing
/// happens natively.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// # let (id, stack) = (0, [0_u8; 64]);
/// # let range = stack.as_ptr_range();
/// valgrind::stack_change(id, range.start.cast(), range.end.wrapping_sub(1).cast());
/// ```
#[doc = request_doc!(VG_USERREQ__STACK_CHANGE)]
#[inline(always)]
pub fn stack_change(id: StackId, start: *const (), end: *const ()) {
    request!(0; VG_USERREQ__STACK_CHANGE, id, start as usize, end as usize);
}
