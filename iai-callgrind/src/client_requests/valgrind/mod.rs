//! Requests that Valgrind's core answers, whatever the tool is.
//!
//! Natively, and in a build without active requests, each function returns the value that its
//! documentation names, and does nothing else.

mod blocks;
mod control;
mod errors;
mod mempool;
mod native_calls;
mod query;
mod stacks;

pub use blocks::{freelike_block, malloclike_block, resizeinplace_block};
pub use control::{
    clo_change, discard_translations, load_pdb_debuginfo, map_ip_to_srcloc,
    map_ip_to_srcloc_unchecked, monitor_command, try_monitor_command,
};
pub use errors::{
    count_errors, disable_error_reporting, enable_error_reporting, without_error_reporting,
    ErrorReportingDisabled,
};
pub use mempool::{
    create_mempool, create_mempool_ext, destroy_mempool, mempool_alloc, mempool_change,
    mempool_exists, mempool_free, mempool_trim, move_mempool, MempoolFlags,
};
pub use native_calls::{non_simd_call0, non_simd_call1, non_simd_call2, non_simd_call3};
pub use query::{get_toolname, replaces_malloc, running_on_valgrind, toolname, ToolName};
pub use stacks::{stack_change, stack_deregister, stack_register};

pub use super::VALGRIND_VERSION;

/// Valgrind's number of a thread: 1 is the main thread.
///
/// ```
/// use iai_callgrind::client_requests::{drd, valgrind::ThreadId};
///
/// let thread: ThreadId = drd::get_valgrind_threadid();
/// println!("thread {thread}");
/// ```
pub type ThreadId = usize;

/// Valgrind's number of a stack, which [`stack_register`] returns.
///
/// ```
/// use iai_callgrind::client_requests::valgrind::{self, StackId};
///
/// let stack = vec![0_u8; 64 * 1024];
/// let range = stack.as_ptr_range();
/// let id: StackId =
///     valgrind::stack_register(range.start.cast(), range.end.wrapping_sub(1).cast());
/// valgrind::stack_deregister(id);
/// ```
pub type StackId = usize;

/// A file descriptor of the system.
///
/// ```
/// use iai_callgrind::client_requests::valgrind::{self, RawFd};
///
/// let none: RawFd = -1;
/// valgrind::load_pdb_debuginfo(none, std::ptr::null(), 0, 0);
/// ```
pub type RawFd = core::ffi::c_int;
