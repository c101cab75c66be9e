//! Requests that a program makes to the Valgrind it runs under: count from here on, this memory is
//! undefined, write that into the log.
//!
//! ```
//! use iai_callgrind::client_requests::callgrind;
//! use iai_callgrind::valgrind_println;
//!
//! let sum = callgrind::collect(|| std::hint::black_box(1) + 2);
//! valgrind_println!("the sum is {sum}")?;
//! # Ok::<(), iai_callgrind::client_requests::error::ClientRequestError>(())
//! ```
//!
//! The functions have the names of the macros in Valgrind's headers, in lower case and without the
//! name of their module; [Valgrind's manual](https://valgrind.org/docs/manual/manual.html)
//! describes them in more words. The macros that print are at the root of the crate and,
//! re-exported, here.
//!
//! # Features
//!
//! | feature | effect |
//! | --- | --- |
//! | none | this module does not exist |
//! | `client_requests_defs` | all functions and macros exist and compile to nothing: no instruction, no text, no dependency, no build script |
//! | `client_requests` | they act; natively a request is 7 instructions without effect |
//! | `client_requests_cc` | they act also where Rust has no inline assembly, see below |
//!
//! A library carries its requests without cost, and lets only its benchmarks and tests switch them
//! on:
//!
//! ```toml
//! [dependencies]
//! iai-callgrind = { version = "0.17", default-features = false, features = ["client_requests_defs"] }
//!
//! [dev-dependencies]
//! iai-callgrind = { version = "0.17", features = ["client_requests"] }
//! ```
//!
//! Cargo unites features. So whether requests act depends on the command and on the resolver, which
//! is 2 with edition 2021 and later, or with `resolver = "2"` in the workspace:
//!
//! | command | resolver 2 | resolver 1 |
//! | --- | --- | --- |
//! | `cargo build`, `cargo run` | inactive | **active** |
//! | `cargo bench`, `cargo test`, and the binaries that these build | active | active |
//! | `cargo build --all-targets` | **active**: it replaces `target/release/<binary>` by one with requests | active |
//!
//! A program that is shipped should come from a plain `cargo build --release`, and can insist on
//! it:
//!
//! ```
//! #[cfg(feature = "shipped")]
//! const _: () = assert!(!iai_callgrind::client_requests::ACTIVE);
//! ```
//!
//! # Without Valgrind, under another tool, under an old Valgrind
//!
//! A request that nobody answers has its default result, which each function names; nothing ever
//! panics for that reason. The same holds for a request that the running Valgrind is too old for,
//! or that its tool does not know. Some versions note it in the log: DHAT 3.19 all unknown
//! requests, Callgrind and Cachegrind since 3.24 some. DRD 3.27 answers 0 to unknown requests of
//! the core.
//!
//! # Platforms
//!
//! Requests are made with inline assembly on Linux (x86_64, x86, arm, aarch64, riscv64, s390x),
//! Android and FreeBSD (x86_64, x86, aarch64; Android also arm), macOS, Solaris and illumos
//! (x86_64, x86), and Windows (x86; x86_64 except MSVC). On macOS on aarch64 they are meant for a
//! port of Valgrind that is not official.
//!
//! On Linux on powerpc and powerpc64 the feature `client_requests_powerpc` does the same; it needs
//! Rust 1.95. For older compilers, and for mips, there is the feature `client_requests_cc`. It
//! compiles ten lines of C, for which it needs a C compiler for the target and Valgrind's headers;
//! these are searched where the compiler does by itself, or in the directory above `valgrind/` that
//! `IAI_CALLGRIND_<TRIPLE>_VALGRIND_INCLUDE` or `IAI_CALLGRIND_VALGRIND_INCLUDE` names. (`<TRIPLE>`
//! is the target in upper case with `_` for `-`, as in `POWERPC64LE_UNKNOWN_LINUX_GNU`.)
//!
//! Elsewhere the feature `client_requests` is no error, but requests have their default results:
//! [`SUPPORTED`] tells.
// A frame of ours must not appear in the stack traces of Valgrind, and the functions should cost
// what the macros of C cost, also in a build without optimization.
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
mod print;
pub mod valgrind;

#[doc(hidden)]
pub use print::__print;
pub use print::{valgrind_print, valgrind_print_backtrace};
#[doc(no_inline)]
pub use valgrind::{MempoolFlags, RawFd, StackId, ThreadId};

#[doc(no_inline)]
pub use crate::{
    cstring, format_cstring, valgrind_printf, valgrind_printf_backtrace,
    valgrind_printf_backtrace_unchecked, valgrind_printf_unchecked, valgrind_println,
    valgrind_println_backtrace, valgrind_println_backtrace_unchecked, valgrind_println_unchecked,
};

/// Can requests reach Valgrind on the platform that this build is for?
///
/// A benchmark that must not run blind can insist on it:
///
/// ```
/// const _: () = assert!(iai_callgrind::client_requests::SUPPORTED);
/// ```
pub const SUPPORTED: bool = crate::valgrind_request::SUPPORTED;

/// Do requests act in this build? They do with the feature `client_requests` on a platform that is
/// [`SUPPORTED`].
///
/// ```
/// use iai_callgrind::client_requests::{valgrind, ACTIVE};
///
/// if ACTIVE && valgrind::running_on_valgrind() == 0 {
///     println!("this build is meant for Valgrind");
/// }
/// ```
pub const ACTIVE: bool = cfg!(feature = "client_requests") && SUPPORTED;

/// Major and minor version of the Valgrind headers that this build has read: `None` without the
/// feature `client_requests_cc`, since nothing else reads headers.
///
/// It says nothing about the Valgrind under which the program runs, and no request depends on it.
///
/// ```
/// use iai_callgrind::client_requests::VALGRIND_VERSION;
///
/// if let Some((major, minor)) = VALGRIND_VERSION {
///     println!("built with the headers of Valgrind {major}.{minor}");
/// }
/// ```
#[cfg(not(feature = "client_requests_cc"))]
pub const VALGRIND_VERSION: Option<(u32, u32)> = None;

/// Major and minor version of the Valgrind headers that this build has read.
///
/// It says nothing about the Valgrind under which the program runs, and no request depends on it.
#[cfg(feature = "client_requests_cc")]
pub const VALGRIND_VERSION: Option<(u32, u32)> = Some(iai_callgrind_cc::VALGRIND_VERSION);
