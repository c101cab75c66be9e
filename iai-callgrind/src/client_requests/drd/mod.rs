//! Requests to DRD: what it cannot see of a program's synchronization, and what it should not
//! check.
//!
//! All functions do nothing natively (those with a result return 0) and under tools other than DRD,
//! except that Helgrind answers those about order, new memory and readers-writer locks, too. Locks
//! and other objects are known by their addresses; nothing has to be there. One address stands for
//! one kind of object: DRD stops with an assertion if what was an order becomes a lock.

mod annotate;
mod ignore;
mod semaphore;
mod threads;
mod trace;

pub use annotate::{
    annotate_happens_after, annotate_happens_before, annotate_new_memory, annotate_rwlock_acquired,
    annotate_rwlock_create, annotate_rwlock_destroy, annotate_rwlock_released,
};
pub use ignore::{
    annotate_benign_race, annotate_benign_race_sized, annotate_ignore_reads_and_writes_begin,
    annotate_ignore_reads_and_writes_end, annotate_ignore_reads_begin, annotate_ignore_reads_end,
    annotate_ignore_writes_begin, annotate_ignore_writes_end, ignore_var, stop_ignoring_var,
    IgnoringVar,
};
pub use semaphore::{
    annotate_sem_destroy_post, annotate_sem_init_pre, annotate_sem_post_pre,
    annotate_sem_wait_post, annotate_sem_wait_pre,
};
pub use threads::{annotate_thread_name, get_drd_threadid, get_valgrind_threadid};
pub use trace::{annotate_trace_memory, stop_tracing_var, trace_var, TracingVar};
