//! The function with which a server forks.
//!
//! `fork` of the C library does more than that: it calls what libraries registered with
//! `pthread_atfork`, and looks after the other threads, of which a server has none. Whatever it
//! does in the fork, Valgrind has to translate in every fork anew. `_Fork` does nothing of this,
//! and a benchmark in a fork finds its process as one in a process of its own finds it.

use libc::pid_t;

/// `fork`, or `_Fork` where the C library has it: the GNU one since 2.34.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) fn function() -> unsafe extern "C" fn() -> pid_t {
    // SAFETY: the name is terminated.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"_Fork".as_ptr()) };
    if found.is_null() {
        return libc::fork;
    }
    // SAFETY: the function has this type (POSIX.1-2024).
    unsafe { std::mem::transmute::<*mut libc::c_void, unsafe extern "C" fn() -> pid_t>(found) }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) fn function() -> unsafe extern "C" fn() -> pid_t {
    libc::fork
}
