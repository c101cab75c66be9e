//! Requests to Helgrind: what it cannot see of a program's synchronization, and what it should not
//! check.
//!
//! All functions do nothing natively and under tools other than Helgrind, except that DRD answers
//! the requests whose names begin with `annotate_`, too ("forget all" excepted). Locks and other
//! objects are known by their addresses; nothing has to be there.

mod annotate;
mod barrier;
mod memory;
mod mutex;
mod semaphore;

pub use annotate::{
    annotate_happens_after, annotate_happens_before, annotate_happens_before_forget_all,
    annotate_new_memory, annotate_rwlock_acquired, annotate_rwlock_create, annotate_rwlock_destroy,
    annotate_rwlock_released, gnat_dependent_master_join,
};
pub use barrier::{barrier_destroy_pre, barrier_init_pre, barrier_resize_pre, barrier_wait_pre};
pub use memory::{
    clean_memory, clean_memory_heapblock, clean_ref, disable_checking, enable_checking, get_abits,
};
pub use mutex::{
    mutex_destroy_pre, mutex_init_post, mutex_lock_post, mutex_lock_pre, mutex_unlock_post,
    mutex_unlock_pre,
};
pub use semaphore::{sem_destroy_pre, sem_init_post, sem_post_pre, sem_wait_post};
