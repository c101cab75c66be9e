//! Exit codes, in one table.

/// How a run ended. The number is the exit code of the runner and so of `cargo bench`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Exit {
    /// Every benchmark ran.
    Ok = 0,
    /// A metric exceeds a limit.
    Regression = 3,
    /// Something went wrong.
    Error = 1,
    /// The command line is wrong.
    Usage = 2,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
