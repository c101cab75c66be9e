//! Errors of a request.

use core::fmt::{self, Display, Formatter};

/// A request could not be made as it was asked for.
///
/// ```
/// use iai_callgrind::client_requests::error::ClientRequestError;
///
/// let error = ClientRequestError::NotUnderValgrind;
/// assert_eq!(error.to_string(), "the program does not run under Valgrind");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClientRequestError {
    /// The text to print has a NUL byte in it, where Valgrind takes it to end.
    ValgrindPrintError(InteriorNulError),
    /// The `Display` or `Debug` of a printed value returned an error.
    FormatError(fmt::Error),
    /// The program does not run under Valgrind, or requests are not active in this build.
    NotUnderValgrind,
    /// The running Valgrind and its tool do not know the monitor command.
    UnknownMonitorCommand,
}

impl Display for ClientRequestError {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::ValgrindPrintError(error) => {
                write!(formatter, "text for Valgrind's log was cut: {error}")
            }
            Self::FormatError(_) => formatter.write_str(
                "text for Valgrind's log was cut: the `Display` or `Debug` of a value failed",
            ),
            Self::NotUnderValgrind => {
                formatter.write_str("the program does not run under Valgrind")
            }
            Self::UnknownMonitorCommand => formatter.write_str(
                "Valgrind does not know the monitor command: \
                 the log lists what it knows after the command `help`",
            ),
        }
    }
}

impl core::error::Error for ClientRequestError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::ValgrindPrintError(error) => Some(error),
            Self::FormatError(error) => Some(error),
            Self::NotUnderValgrind | Self::UnknownMonitorCommand => None,
        }
    }
}

/// A NUL byte inside of a text that ends with one.
///
/// ```
/// use iai_callgrind::client_requests::error::{ClientRequestError, InteriorNulError};
///
/// fn explain(error: &ClientRequestError) {
///     if let ClientRequestError::ValgrindPrintError(nul) = error {
///         let nul: &InteriorNulError = nul;
///         println!("the first {} bytes are in the log", nul.position());
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InteriorNulError {
    pub(super) position: usize,
}

impl InteriorNulError {
    /// The number of bytes of the text before the NUL byte.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }
}

impl Display for InteriorNulError {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "it has a NUL byte at position {}", self.position)
    }
}

impl core::error::Error for InteriorNulError {}
