//! Exit codes of the benchmark executable. The runner has the same.

use std::fmt;
use std::io;
use std::process::ExitCode;

#[cfg(unix)]
use super::quick_end;
use crate::measure;
use crate::protocol::wire::{RETURNED, RETURNED_WITH_REGIONS};

/// Something went wrong.
pub(super) const ERROR: u8 = 1;
/// The command line is wrong.
pub(super) const USAGE: u8 = 2;

/// Ends a process whose benchmark returned, with the exit code that tells this from `exit(0)`. Not
/// by returning the code, which a `main` around ours could drop. Streams are flushed, and unless
/// the runner wants a quick end, exit handlers run as at the end of `main`.
#[inline(always)]
pub(super) fn returned() -> ! {
    #[cfg(unix)]
    let code = tell(quick_end::END);
    #[cfg(not(unix))]
    let code = code();
    std::process::exit(code)
}

/// Tells the runner, on the descriptor that it listens to, that the benchmark has returned, and
/// calls `last` if nothing else is to be done before the end. Returns the exit code if that did not
/// end the process.
#[cfg(unix)]
#[inline(never)]
pub(super) fn tell(last: quick_end::LastCall) -> i32 {
    let code = code();
    super::returned::tell(code);
    super::perf::tell_end(code);
    if quick_end::has_flushed() {
        quick_end::call(last, code);
    }
    code
}

fn code() -> i32 {
    if measure::has_regions() {
        RETURNED_WITH_REGIONS
    } else {
        RETURNED
    }
}

/// Is it the error of a stream whose reader has seen enough, such as `head`?
pub(super) fn has_no_reader(error: &io::Error) -> bool {
    // The kind of an error takes a table of all numbers to tell.
    #[cfg(unix)]
    return error.raw_os_error() == Some(libc::EPIPE);
    #[cfg(not(unix))]
    return error.kind() == io::ErrorKind::BrokenPipe;
}

/// Says what went wrong on stderr.
pub(super) fn with_error(code: u8, text: fmt::Arguments<'_>) -> ExitCode {
    eprintln!("error: {text}");
    ExitCode::from(code)
}
