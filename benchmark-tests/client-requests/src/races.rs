//! Two threads that write the same word, and what Helgrind and DRD are told about it.
//!
//! `left` is what the first thread does around its write, `right` what the second one does. Every
//! scenario ends with the number of errors: none if the annotations say that there is an order.

use std::cell::UnsafeCell;
use std::hint::black_box;

use iai_callgrind::client_requests::{drd, helgrind, valgrind};

use crate::show;
use crate::threads::one_after_the_other;

/// Memory that two threads use one after the other.
struct Shared<T>(UnsafeCell<T>);

// SAFETY: `one_after_the_other` is an order, although no tool can see it.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    fn address(&self) -> *const () {
        self.0.get().cast_const().cast()
    }
}

/// The word.
static WORD: Shared<u64> = Shared(UnsafeCell::new(0));

/// Stands for locks, semaphores and barriers of our own.
static OBJECT: Shared<[u64; 8]> = Shared(UnsafeCell::new([0; 8]));

#[inline(never)]
fn write() {
    // SAFETY: one thread at a time.
    unsafe { WORD.0.get().write_volatile(1) }
}

#[inline(never)]
fn read() {
    // SAFETY: one thread at a time.
    black_box(unsafe { WORD.0.get().read_volatile() });
}

fn race(left: fn(), right: fn()) {
    one_after_the_other(left, right);
    show("errors", valgrind::count_errors());
}

pub(crate) fn unordered() {
    race(write, write);
}

pub(crate) fn read_after_write() {
    race(write, read);
}

/// Happens-before, a lock for readers and writers, new memory: what both tools have.
macro_rules! of_both {
    ($module:ident, $tool:ident) => {
        pub(crate) mod $module {
            use super::*;

            pub(crate) fn happens_before() {
                race(
                    || {
                        write();
                        $tool::annotate_happens_before(OBJECT.address());
                    },
                    || {
                        $tool::annotate_happens_after(OBJECT.address());
                        write();
                    },
                );
            }

            /// The edge is between other objects.
            pub(crate) fn happens_before_another() {
                race(
                    || {
                        write();
                        $tool::annotate_happens_before(OBJECT.address());
                    },
                    || {
                        $tool::annotate_happens_after(OBJECT.address().wrapping_byte_add(8));
                        write();
                    },
                );
            }

            pub(crate) fn rwlock() {
                $tool::annotate_rwlock_create(OBJECT.address());
                let locked: fn() = || {
                    $tool::annotate_rwlock_acquired(OBJECT.address(), true);
                    write();
                    $tool::annotate_rwlock_released(OBJECT.address(), true);
                };
                race(locked, locked);
                $tool::annotate_rwlock_destroy(OBJECT.address());
                show("errors_after_destroy", valgrind::count_errors());
            }

            /// A lock that is held must not be destroyed.
            pub(crate) fn rwlock_destroyed() {
                $tool::annotate_rwlock_create(OBJECT.address());
                $tool::annotate_rwlock_acquired(OBJECT.address(), true);
                show("errors", valgrind::count_errors());
                $tool::annotate_rwlock_destroy(OBJECT.address());
                show("errors_after_destroy", valgrind::count_errors());
            }

            pub(crate) fn new_memory() {
                race(write, || {
                    $tool::annotate_new_memory(WORD.address(), 8);
                    write();
                });
            }
        }
    };
}

of_both!(hg, helgrind);
of_both!(dr, drd);

pub(crate) fn hg_forget_all() {
    race(
        || {
            write();
            helgrind::annotate_happens_before(OBJECT.address());
            helgrind::annotate_happens_before_forget_all(OBJECT.address());
        },
        || {
            helgrind::annotate_happens_after(OBJECT.address());
            write();
        },
    );
}

pub(crate) fn hg_clean_memory() {
    race(write, || {
        helgrind::clean_memory(WORD.address(), 8);
        write();
    });
}

pub(crate) fn hg_clean_ref() {
    race(write, || {
        // SAFETY: one thread at a time.
        helgrind::clean_ref(unsafe { &*WORD.0.get() });
        write();
    });
}

pub(crate) fn hg_mutex() {
    let mutex = OBJECT.address();
    helgrind::mutex_init_post(mutex, false);
    let locked: fn() = || {
        let mutex = OBJECT.address();
        helgrind::mutex_lock_pre(mutex, false);
        helgrind::mutex_lock_post(mutex);
        write();
        helgrind::mutex_unlock_pre(mutex);
        helgrind::mutex_unlock_post(mutex);
    };
    race(locked, locked);
    helgrind::mutex_destroy_pre(mutex);
    show("errors_after_destroy", valgrind::count_errors());
}

/// A mutex that nobody holds is unlocked.
pub(crate) fn hg_mutex_not_locked() {
    let mutex = OBJECT.address();
    helgrind::mutex_init_post(mutex, false);
    helgrind::mutex_unlock_pre(mutex);
    show("errors", valgrind::count_errors());
}

/// A mutex is destroyed while it is locked.
pub(crate) fn hg_mutex_destroyed() {
    let mutex = OBJECT.address();
    helgrind::mutex_init_post(mutex, false);
    helgrind::mutex_lock_pre(mutex, true);
    helgrind::mutex_lock_post(mutex);
    show("errors", valgrind::count_errors());
    helgrind::mutex_destroy_pre(mutex);
    show("errors_after_destroy", valgrind::count_errors());
}

/// The owner of a mutex locks it again, which is an error unless the mutex is recursive or the
/// owner only tries to.
pub(crate) fn hg_mutex_twice() {
    let errors = |number: usize, recursive, is_try| {
        let mutex = OBJECT.address().wrapping_byte_add(number);
        let before = valgrind::count_errors();
        helgrind::mutex_init_post(mutex, recursive);
        helgrind::mutex_lock_pre(mutex, false);
        helgrind::mutex_lock_post(mutex);
        helgrind::mutex_lock_pre(mutex, is_try);
        valgrind::count_errors() - before
    };
    show("twice", errors(0, false, false));
    show("recursive", errors(8, true, false));
    show("is_try", errors(16, false, true));
}

pub(crate) fn hg_semaphore() {
    helgrind::sem_init_post(OBJECT.address(), 0);
    race(
        || {
            write();
            helgrind::sem_post_pre(OBJECT.address());
        },
        || {
            helgrind::sem_wait_post(OBJECT.address());
            write();
        },
    );
    helgrind::sem_destroy_pre(OBJECT.address());
}

pub(crate) fn hg_barrier() {
    helgrind::barrier_init_pre(OBJECT.address(), 2, false);
    race(
        || {
            write();
            helgrind::barrier_wait_pre(OBJECT.address());
        },
        || {
            helgrind::barrier_wait_pre(OBJECT.address());
            write();
        },
    );
    helgrind::barrier_destroy_pre(OBJECT.address());
    show("errors_after_destroy", valgrind::count_errors());
}

/// Waits without a post, which is an error unless the semaphore had a value. One that is destroyed
/// has none.
pub(crate) fn hg_semaphore_values() {
    let errors = |number: usize, value: usize, is_destroyed: bool| {
        let semaphore = OBJECT.address().wrapping_byte_add(number);
        let before = valgrind::count_errors();
        helgrind::sem_init_post(semaphore, value);
        if is_destroyed {
            helgrind::sem_destroy_pre(semaphore);
        }
        helgrind::sem_wait_post(semaphore);
        valgrind::count_errors() - before
    };
    show("one", errors(0, 1, false));
    show("zero", errors(8, 0, false));
    show("destroyed", errors(16, 1, true));
}

/// A barrier can be destroyed once.
pub(crate) fn hg_barrier_destroyed() {
    helgrind::barrier_init_pre(OBJECT.address(), 2, false);
    helgrind::barrier_destroy_pre(OBJECT.address());
    show("errors", valgrind::count_errors());
    helgrind::barrier_destroy_pre(OBJECT.address());
    show("errors_again", valgrind::count_errors());
}

/// A barrier for three becomes one for two.
pub(crate) fn hg_barrier_resized() {
    helgrind::barrier_init_pre(OBJECT.address(), 3, true);
    helgrind::barrier_resize_pre(OBJECT.address(), 2);
    race(
        || {
            write();
            helgrind::barrier_wait_pre(OBJECT.address());
        },
        || {
            helgrind::barrier_wait_pre(OBJECT.address());
            write();
        },
    );
}

/// A barrier for three threads, and there are two.
pub(crate) fn hg_barrier_too_large() {
    helgrind::barrier_init_pre(OBJECT.address(), 3, false);
    race(
        || {
            write();
            helgrind::barrier_wait_pre(OBJECT.address());
        },
        || {
            helgrind::barrier_wait_pre(OBJECT.address());
            write();
        },
    );
}

pub(crate) fn hg_disable_checking() {
    helgrind::disable_checking(WORD.address(), 8);
    race(write, write);
}

pub(crate) fn hg_enable_checking() {
    helgrind::disable_checking(WORD.address(), 8);
    helgrind::enable_checking(WORD.address(), 8);
    race(write, write);
}

/// The size of a block of the heap, and whether its bytes can be accessed.
pub(crate) fn hg_memory() {
    let block = black_box(vec![1_u8; 32]);
    let start = block.as_ptr().cast();
    show(
        "clean_memory_heapblock",
        helgrind::clean_memory_heapblock(start),
    );
    show(
        "clean_memory_heapblock_unknown",
        helgrind::clean_memory_heapblock(std::ptr::without_provenance(16)),
    );
    let mut bits = [7_u8; 4];
    let count = helgrind::get_abits(start, &mut bits, 4);
    show("get_abits", (count, bits));
    helgrind::disable_checking(start, 2);
    let count = helgrind::get_abits(start, &mut bits, 4);
    show("get_abits_disabled", (count, bits));
    helgrind::gnat_dependent_master_join(start, start);
    show("errors", valgrind::count_errors());
}

pub(crate) fn drd_ignore_var() {
    // SAFETY: nobody writes it yet.
    drd::ignore_var(unsafe { &*WORD.0.get() });
    race(write, write);
}

pub(crate) fn drd_stop_ignoring_var() {
    // SAFETY: nobody writes it yet.
    let word = unsafe { &*WORD.0.get() };
    drd::ignore_var(word);
    drd::stop_ignoring_var(word);
    race(write, write);
}

pub(crate) fn drd_benign_race() {
    // SAFETY: nobody writes it yet.
    drd::annotate_benign_race(unsafe { &*WORD.0.get() });
    race(write, write);
}

/// The first half of a word is what the race is about.
pub(crate) fn drd_benign_race_sized() {
    drd::annotate_benign_race_sized(WORD.address(), 4);
    race(write, write);
}

pub(crate) fn drd_ignore_writes() {
    let ignored: fn() = || {
        drd::annotate_ignore_writes_begin();
        write();
        drd::annotate_ignore_writes_end();
    };
    race(ignored, ignored);
}

pub(crate) fn drd_ignore_writes_ended() {
    let ended: fn() = || {
        drd::annotate_ignore_writes_begin();
        drd::annotate_ignore_writes_end();
        write();
    };
    race(ended, ended);
}

pub(crate) fn drd_ignore_reads() {
    race(write, || {
        drd::annotate_ignore_reads_begin();
        read();
        drd::annotate_ignore_reads_end();
    });
}

pub(crate) fn drd_ignore_reads_and_writes() {
    let ignored: fn() = || {
        drd::annotate_ignore_reads_and_writes_begin();
        read();
        write();
        drd::annotate_ignore_reads_and_writes_end();
    };
    race(ignored, ignored);
}

pub(crate) fn drd_semaphore() {
    drd::annotate_sem_init_pre(OBJECT.address(), 0);
    race(
        || {
            write();
            drd::annotate_sem_post_pre(OBJECT.address());
        },
        || {
            drd::annotate_sem_wait_pre(OBJECT.address());
            drd::annotate_sem_wait_post(OBJECT.address());
            write();
        },
    );
    drd::annotate_sem_destroy_post(OBJECT.address());
    show("errors_after_destroy", valgrind::count_errors());
}

/// Waits without a post, which is an error unless the semaphore had a value.
pub(crate) fn drd_semaphore_values() {
    let errors = |number: usize, value: usize, is_destroyed: bool| {
        let semaphore = OBJECT.address().wrapping_byte_add(number);
        let before = valgrind::count_errors();
        drd::annotate_sem_init_pre(semaphore, value);
        if is_destroyed {
            drd::annotate_sem_destroy_post(semaphore);
        }
        drd::annotate_sem_wait_pre(semaphore);
        drd::annotate_sem_wait_post(semaphore);
        valgrind::count_errors() - before
    };
    show("one", errors(0, 1, false));
    show("zero", errors(8, 0, false));
    show("destroyed", errors(16, 1, true));
}

/// A lock that was never made cannot be destroyed.
pub(crate) fn hg_rwlock_unknown() {
    helgrind::annotate_rwlock_create(OBJECT.address());
    helgrind::annotate_rwlock_destroy(OBJECT.address());
    show("errors", valgrind::count_errors());
    helgrind::annotate_rwlock_destroy(OBJECT.address().wrapping_byte_add(8));
    show("errors_unknown", valgrind::count_errors());
}

/// A semaphore that somebody waits for must not be destroyed.
pub(crate) fn drd_semaphore_waited_for() {
    drd::annotate_sem_init_pre(OBJECT.address(), 1);
    drd::annotate_sem_wait_pre(OBJECT.address());
    show("errors", valgrind::count_errors());
    drd::annotate_sem_destroy_post(OBJECT.address());
    show("errors_after_destroy", valgrind::count_errors());
}

/// A lock is made once.
pub(crate) fn drd_rwlock_created_twice() {
    drd::annotate_rwlock_create(OBJECT.address());
    show("errors", valgrind::count_errors());
    drd::annotate_rwlock_create(OBJECT.address());
    show("errors_again", valgrind::count_errors());
}

/// The name is part of what DRD says about the race.
pub(crate) fn drd_thread_name() {
    race(write, || {
        drd::annotate_thread_name(c"the second writer");
        write();
    });
}

/// Accesses are in the log, from the first request to the second.
pub(crate) fn drd_trace() {
    // SAFETY: there are no threads.
    let word = unsafe { &*WORD.0.get() };
    write();
    drd::trace_var(word);
    write();
    drd::stop_tracing_var(word);
    write();
    drd::annotate_trace_memory(WORD.address());
    read();
}

/// Guards: for the time of the race, and for a write before the next one.
pub(crate) fn drd_guards() {
    // SAFETY: nobody writes it yet.
    let word = unsafe { &*WORD.0.get() };
    let ignored = drd::IgnoringVar::new(word);
    race(write, write);
    drop(ignored);
    race(write, write);
    let traced = drd::TracingVar::new(word);
    write();
    drop(traced);
    write();
}

pub(crate) fn drd_ids() {
    show(
        "ids",
        (drd::get_valgrind_threadid(), drd::get_drd_threadid()),
    );
    one_after_the_other(
        || {
            show(
                "ids_of_thread",
                (drd::get_valgrind_threadid(), drd::get_drd_threadid()),
            );
        },
        || {},
    );
}
