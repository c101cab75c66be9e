//! Requests that a program makes to the Valgrind it runs under.
//!
//! With the feature `client_requests_defs` all functions exist and compile to nothing; with
//! `client_requests` they act. Neither needs a C compiler, Valgrind's headers or a dependency, so
//! a library can carry its requests with `default-features = false` and switch them on in
//! `[dev-dependencies]` only.

pub mod valgrind;

/// Do requests act in this build?
///
/// A release profile can insist that they do not:
///
/// ```ignore
/// const _: () = assert!(!iai_callgrind::client_requests::ACTIVE);
/// ```
pub const ACTIVE: bool = cfg!(all(
    feature = "client_requests",
    any(target_arch = "x86_64", target_arch = "aarch64")
));
