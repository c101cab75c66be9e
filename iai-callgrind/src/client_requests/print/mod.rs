//! Text for the log of Valgrind: the macros, and the two functions which take a string of C.
//!
//! In goes a formatted text, out come requests. Formatting fills a buffer on the stack, which is
//! sent to Valgrind whenever it is full; nothing is allocated, and no C is called.

mod log;
mod macros;

use core::ffi::CStr;
use core::fmt::{self, Write};

use self::log::Log;
use super::error::ClientRequestError;

/// Names for the code that the macros expand to.
#[doc(hidden)]
pub mod __print {
    pub use super::{print, print_unchecked, Backtrace, Ending};
}

/// End of a printed text.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub enum Ending {
    /// Nothing: the next text continues the line.
    None,
    /// A newline.
    Newline,
}

/// Does the stack of the caller follow the text?
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub enum Backtrace {
    /// No.
    Without,
    /// Yes.
    With,
}

/// Prints `text` up to its first NUL byte and says where that is.
// Inlined, and with it the last request, so that the stack begins in the function that prints.
#[doc(hidden)]
#[inline(always)]
pub fn print(
    text: fmt::Arguments<'_>,
    ending: Ending,
    backtrace: Backtrace,
) -> Result<(), ClientRequestError> {
    let mut log = Log::new();
    let formatted = log.write_fmt(text);
    finish(&mut log, ending, backtrace);
    match (log.interior_nul(), formatted) {
        (Some(error), _) => Err(ClientRequestError::ValgrindPrintError(error)),
        (None, Err(error)) => Err(ClientRequestError::FormatError(error)),
        (None, Ok(())) => Ok(()),
    }
}

/// Prints `text`.
///
/// # Safety
///
/// The text must have no NUL byte.
// Nothing breaks if it has, the text only ends there. It is `unsafe` so that it may be without any
// check one day, and because callers have written `unsafe` since these macros exist.
#[doc(hidden)]
#[inline(always)]
pub unsafe fn print_unchecked(text: fmt::Arguments<'_>, ending: Ending, backtrace: Backtrace) {
    let mut log = Log::new();
    // Text that was formatted before an error is printed; there is nobody to report the error to.
    let _ = log.write_fmt(text);
    finish(&mut log, ending, backtrace);
}

/// Prints a text into the log of Valgrind as it is, also if it has a `%`. Nothing happens natively.
///
/// The text gets no newline: the next one continues the line.
///
/// ```
/// iai_callgrind::client_requests::valgrind_print(c"100% done\n");
/// ```
#[doc = request_doc!(VG_USERREQ__PRINTF_VALIST_BY_REF)]
#[inline(always)]
pub fn valgrind_print<T: AsRef<CStr>>(text: T) {
    if super::ACTIVE {
        let mut log = Log::new();
        log.write_bytes(text.as_ref().to_bytes());
        finish(&mut log, Ending::None, Backtrace::Without);
    }
}

/// Prints a text as [`valgrind_print`] does, and the stack of the caller below it.
///
/// ```
/// iai_callgrind::client_requests::valgrind_print_backtrace(c"who calls?\n");
/// ```
#[doc = request_doc!(VG_USERREQ__PRINTF_BACKTRACE_VALIST_BY_REF)]
#[inline(always)]
pub fn valgrind_print_backtrace<T: AsRef<CStr>>(text: T) {
    if super::ACTIVE {
        let mut log = Log::new();
        log.write_bytes(text.as_ref().to_bytes());
        finish(&mut log, Ending::None, Backtrace::With);
    }
}

/// Sends what is in the buffer, with what follows it.
#[inline(always)]
fn finish(log: &mut Log, ending: Ending, backtrace: Backtrace) {
    if let Ending::Newline = ending {
        log.write_newline();
    }
    match backtrace {
        Backtrace::Without => log.send(),
        Backtrace::With => log.send_with_backtrace(),
    }
}
