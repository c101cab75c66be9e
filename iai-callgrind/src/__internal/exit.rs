//! Exit codes of the benchmark executable. The runner has the same.

use std::fmt::Display;
use std::process::ExitCode;

/// Something went wrong.
pub(super) const ERROR: u8 = 1;
/// The command line is wrong.
pub(super) const USAGE: u8 = 2;

/// Says what went wrong on stderr.
pub(super) fn with_error(code: u8, text: impl Display) -> ExitCode {
    eprintln!("error: {text}");
    ExitCode::from(code)
}
