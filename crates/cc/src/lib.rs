//! A client request to Valgrind through C, for the feature `client_requests_cc` of
//! [`iai-callgrind`](https://iai-callgrind.github.io/iai-callgrind/), which explains when it is
//! needed. Nothing else should depend on this crate.
//!
//! Its build script compiles ten lines of C against Valgrind's headers. The directory above
//! `valgrind/valgrind.h` comes from `IAI_CALLGRIND_<TRIPLE>_VALGRIND_INCLUDE` (the target in upper
//! case with `_` for `-`), else from `IAI_CALLGRIND_VALGRIND_INCLUDE`, else the C compiler searches
//! where it always does.
#![no_std]
#![cfg(feature = "compile")]

// `SUPPORTED` and `VALGRIND_VERSION`, as the headers say.
include!(concat!(env!("OUT_DIR"), "/headers.rs"));

extern "C" {
    fn iai_callgrind_cc_request(default_result: usize, words: *const usize) -> usize;
}

/// Makes a request: the number and its five arguments. The answer is `default` if nobody answers.
///
/// # Safety
///
/// The arguments that are pointers must be good for what the request does with them.
#[inline(always)]
#[must_use]
pub unsafe fn request(default: usize, words: &[usize; 6]) -> usize {
    // SAFETY: the function reads six words; for the rest the caller has vouched.
    unsafe { iai_callgrind_cc_request(default, words.as_ptr()) }
}
