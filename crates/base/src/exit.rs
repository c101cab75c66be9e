//! Exit codes of the runner.

/// Outcome of a run. The number is the exit code of the runner and so of `cargo bench`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Every benchmark ran.
    Ok = 0,
    /// A metric exceeds a limit.
    Regression = 3,
    /// A benchmark or the runner failed.
    Error = 1,
    /// The command line is wrong.
    Usage = 2,
    /// Not everything was compared: benchmarks of the old side are missing, or the conditions of
    /// two sides differ, so that nothing is judged (`compare --require-comparable`).
    NotComparable = 4,
}

impl Exit {
    /// The outcome of two parts of a run together. An error wins over a regression: if a benchmark
    /// could not be measured, the number of regressions is unknown.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let worst_first = [
            Self::Usage,
            Self::Error,
            Self::Regression,
            Self::NotComparable,
        ];
        let mut found = worst_first.into_iter();
        found
            .find(|exit| [self, other].contains(exit))
            .unwrap_or(Self::Ok)
    }
}

/// End of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// Outcome of the run.
    pub exit: Exit,
    /// The exit code of the process is 0 all the same (`--exit-zero`).
    pub exits_zero: bool,
}

impl From<Exit> for Ended {
    fn from(exit: Exit) -> Self {
        Self {
            exit,
            exits_zero: false,
        }
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::Exit::{self, Error, NotComparable, Ok, Regression, Usage};

    #[test]
    fn an_error_wins_over_a_regression() {
        for (one, other, both) in [
            (Ok, Ok, Ok),
            (Ok, Regression, Regression),
            (Regression, Error, Error),
            (Ok, Error, Error),
            (Error, Usage, Usage),
            (NotComparable, Regression, Regression),
            (NotComparable, Ok, NotComparable),
        ] {
            assert_eq!([one.and(other), other.and(one)], [both; 2]);
        }
        let codes = [Ok, Error, Usage, Regression, NotComparable].map(|exit: Exit| exit as u8);
        assert_eq!(codes, [0, 1, 2, 3, 4]);
    }
}
