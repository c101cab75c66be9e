//! Two threads, one after the other, in an order that no race detector can see.
//!
//! They are made by `pthread_create`: the standard library's threads share counters whose atomic
//! instructions are races to Helgrind. The order comes through a pipe, of which it knows nothing.

use std::ffi::c_void;
use std::ptr;

/// Runs `first` and then `second`, each in a thread of its own. Both threads are there from the
/// beginning to the end: what an ended thread left behind (that it waits at a barrier) ends some
/// versions of Helgrind.
pub(crate) fn one_after_the_other(first: fn(), second: fn()) {
    let (first_is_done, first_signals) = pipe();
    let (second_is_done, second_signals) = pipe();
    let roles = [
        Role {
            waits_for: None,
            work: first,
            signals: first_signals,
            stays_for: Some(second_is_done),
        },
        Role {
            waits_for: Some(first_is_done),
            work: second,
            signals: second_signals,
            stays_for: None,
        },
    ];
    let threads = roles.each_ref().map(Role::start);
    for thread in threads {
        // SAFETY: each thread is joined once.
        assert_eq!(unsafe { libc::pthread_join(thread, ptr::null_mut()) }, 0);
    }
}

/// The end to read from and the end to write to.
fn pipe() -> (i32, i32) {
    let mut ends = [0; 2];
    // SAFETY: two descriptors fit in.
    assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
    let [read, write] = ends;
    (read, write)
}

struct Role {
    waits_for: Option<i32>,
    work: fn(),
    signals: i32,
    stays_for: Option<i32>,
}

impl Role {
    fn start(&self) -> libc::pthread_t {
        // SAFETY: a number or, with some C libraries, a pointer; it is written below.
        let mut thread = unsafe { std::mem::zeroed() };
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
    if let Some(descriptor) = role.waits_for {
        wait(descriptor);
    }
    (role.work)();
    signal(role.signals);
    if let Some(descriptor) = role.stays_for {
        wait(descriptor);
    }
    ptr::null_mut()
}

fn wait(descriptor: i32) {
    let mut byte = 0_u8;
    // SAFETY: one byte fits in.
    let read = unsafe { libc::read(descriptor, (&raw mut byte).cast(), 1) };
    assert_eq!(read, 1);
}

fn signal(descriptor: i32) {
    // SAFETY: there is one byte.
    let written = unsafe { libc::write(descriptor, c"".as_ptr().cast(), 1) };
    assert_eq!(written, 1);
}
