//! The program that a binary benchmark measures: what to start, and with which streams.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::json::described;
use super::{Config, Delay};

described! {
    /// Program that a binary benchmark starts, with its streams and its delay.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Command {
        /// A path if it has a separator, otherwise a name to look for in `PATH`. Never empty.
        pub program: OsString,
        /// The arguments as the program gets them.
        pub args: Vec<OsString>,
        /// The innermost level of configuration: it lies over that of the case.
        pub config: Config,
        /// Standard input of the program.
        pub stdin: Stdin,
        /// Standard output of the program.
        pub stdout: Stdio,
        /// Standard error of the program.
        pub stderr: Stdio,
        /// Delay of the program's start.
        pub delay: Option<Delay>,
    }
}

described! {
    /// Standard input of a benchmarked program.
    ///
    /// # Examples
    ///
    /// ```
    /// use iai_callgrind::{Command, Pipe, Stdin};
    ///
    /// Command::new("cat").stdin(Stdin::Setup(Pipe::Stdout));
    /// ```
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub enum Stdin {
        /// Output of `setup` on this stream. Setup and program then run at the same time, as with
        /// `setup_parallel`. Without a setup the benchmark is an error.
        Setup(Pipe),
        /// Standard input of `cargo bench`, for example the terminal.
        Inherit,
        /// The null device: the end of input.
        Null,
        /// The content of this file. A relative path lies in the sandbox or, without one, in the
        /// directory of the package. A file that cannot be read is an error of the benchmark.
        File(#[cfg_attr(feature = "serde", serde(with = "super::path"))] PathBuf),
        /// A pipe that is at its end. The default.
        #[default]
        Pipe,
    }
}

described! {
    /// Standard output or standard error of a benchmarked program.
    ///
    /// # Examples
    ///
    /// ```
    /// use iai_callgrind::{Command, Stdio};
    ///
    /// Command::new("ls").stdout(Stdio::Inherit).stderr(Stdio::Null);
    /// ```
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub enum Stdio {
        /// Stream of `cargo bench`, for example the terminal.
        Inherit,
        /// The null device.
        Null,
        /// This file, which is made or emptied. A relative path lies in the sandbox or, without
        /// one, in the directory of the package. A file that cannot be written is an error of the
        /// benchmark.
        File(#[cfg_attr(feature = "serde", serde(with = "super::path"))] PathBuf),
        /// The runner keeps it and shows it when the benchmark fails, or with the option
        /// `--nocapture`. The default.
        #[default]
        Pipe,
    }
}

described! {
    /// A stream of `setup`, for [`Stdin::Setup`].
    ///
    /// ```
    /// use iai_callgrind::{Command, Pipe, Stdin};
    ///
    /// Command::new("/bin/cat").stdin(Stdin::Setup(Pipe::Stdout));
    /// ```
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum Pipe {
        /// The standard output. The default.
        #[default]
        Stdout,
        /// The standard error.
        Stderr,
    }
}

impl From<Stdio> for Stdin {
    fn from(stdio: Stdio) -> Self {
        match stdio {
            Stdio::Inherit => Self::Inherit,
            Stdio::Null => Self::Null,
            Stdio::File(path) => Self::File(path),
            Stdio::Pipe => Self::Pipe,
        }
    }
}

/// A file, from the forms in which paths are passed.
macro_rules! from_paths {
    ($($stream:ident),*) => {$(
        impl From<PathBuf> for $stream {
            fn from(path: PathBuf) -> Self {
                Self::File(path)
            }
        }

        impl From<&PathBuf> for $stream {
            fn from(path: &PathBuf) -> Self {
                Self::File(path.clone())
            }
        }

        impl From<&Path> for $stream {
            fn from(path: &Path) -> Self {
                Self::File(path.to_owned())
            }
        }
    )*};
}

from_paths!(Stdin, Stdio);
