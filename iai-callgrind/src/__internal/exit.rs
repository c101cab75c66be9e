//! Exit codes of the benchmark executable. The runner has the same.

use std::fmt::Display;
use std::process::ExitCode;

use crate::measure;
use crate::protocol::wire::{RETURNED, RETURNED_WITH_REGIONS};

/// Something went wrong.
pub(super) const ERROR: u8 = 1;
/// The command line is wrong.
pub(super) const USAGE: u8 = 2;

/// Ends a process whose benchmark returned, with the exit code that tells this from `exit(0)`. Not by
/// returning the code, which a `main` around ours could drop. Streams are flushed, and unless the runner wants a
/// quick end, exit handlers run as at the end of `main`.
pub(super) fn returned() -> ! {
    let (code, has_flushed) = tell();
    if has_flushed {
        // SAFETY: ends the process, whose streams were flushed.
        #[cfg(unix)]
        unsafe {
            libc::_exit(code)
        };
    }
    std::process::exit(code)
}

/// Tells the runner, on the descriptor that it listens to, that the benchmark has returned. Returns the exit code, and
/// whether nothing else is to be done before the end.
#[inline(never)]
pub(super) fn tell() -> (i32, bool) {
    let code = if measure::has_regions() {
        RETURNED_WITH_REGIONS
    } else {
        RETURNED
    };
    #[cfg(unix)]
    {
        super::returned::tell(code);
        super::perf::tell_end(code);
        (code, super::quick_end::has_flushed())
    }
    #[cfg(not(unix))]
    (code, false)
}

/// Says what went wrong on stderr.
pub(super) fn with_error(code: u8, text: impl Display) -> ExitCode {
    eprintln!("error: {text}");
    ExitCode::from(code)
}
