//! Two threads, one after the other, in an order that no race detector can see.
//!
//! They are made by `pthread_create`: the standard library's threads share counters whose atomic
//! instructions are races to Helgrind. The order comes through a pipe, of which it knows nothing.

use std::ffi::c_void;
use std::ptr;

/// Runs `first` and then `second`, each in a thread of its own. Both threads are there from the
/// beginning.
pub(crate) fn one_after_the_other(first: fn(), second: fn()) {
    let mut pipe = [0; 2];
    // SAFETY: two descriptors fit in.
    assert_eq!(unsafe { libc::pipe(pipe.as_mut_ptr()) }, 0);
    let [read, write] = pipe;
    let roles = [
        Role {
            waits_for: None,
            work: first,
            signals: Some(write),
        },
        Role {
            waits_for: Some(read),
            work: second,
            signals: None,
        },
    ];
    let threads = roles.each_ref().map(Role::start);
    for thread in threads {
        // SAFETY: each thread is joined once.
        assert_eq!(unsafe { libc::pthread_join(thread, ptr::null_mut()) }, 0);
    }
}

struct Role {
    waits_for: Option<i32>,
    work: fn(),
    signals: Option<i32>,
}

impl Role {
    fn start(&self) -> libc::pthread_t {
        let mut thread = 0;
        let role = ptr::from_ref(self).cast_mut().cast();
        // SAFETY: the role lives until its thread was joined, and is only read.
        let result = unsafe { libc::pthread_create(&mut thread, ptr::null(), run, role) };
        assert_eq!(result, 0, "there are threads");
        thread
    }
}

extern "C" fn run(role: *mut c_void) -> *mut c_void {
    // SAFETY: `start` passes a role.
    let role = unsafe { &*role.cast::<Role>() };
    let mut byte = 0_u8;
    let place = (&raw mut byte).cast();
    if let Some(descriptor) = role.waits_for {
        // SAFETY: one byte fits in.
        assert_eq!(unsafe { libc::read(descriptor, place, 1) }, 1);
    }
    (role.work)();
    if let Some(descriptor) = role.signals {
        // SAFETY: there is one byte.
        assert_eq!(unsafe { libc::write(descriptor, place, 1) }, 1);
    }
    ptr::null_mut()
}
