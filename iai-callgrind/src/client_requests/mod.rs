//! Requests that a program makes to the Valgrind it runs under.
#![allow(clippy::inline_always)]

#[macro_use]
mod raw;
#[doc(hidden)]
#[macro_use]
pub mod numbers;

pub mod cachegrind;
pub mod callgrind;
pub mod dhat;
pub mod drd;
pub mod error;
pub mod helgrind;
pub mod memcheck;
pub mod valgrind;

pub use valgrind::{MempoolFlags, RawFd, StackId, ThreadId};

/// Can requests reach Valgrind on the platform that this build is for?
pub const SUPPORTED: bool = crate::valgrind_request::SUPPORTED;

/// Do requests act in this build?
pub const ACTIVE: bool = cfg!(feature = "client_requests") && SUPPORTED;

/// The version of the Valgrind headers that this build has seen.
pub const VALGRIND_VERSION: Option<(u32, u32)> = None;
