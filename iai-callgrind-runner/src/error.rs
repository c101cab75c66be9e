//! What can go wrong outside of a single benchmark, and what the user should do about it.
//!
//! Failures of one benchmark are [`Failure`](crate::execute::Failure)s; they do not end the run.

use std::io;
use std::path::{Path, PathBuf};

use iai_callgrind::protocol::options::variable;
use thiserror::Error;

use crate::identity::Identity;

/// Ends the run.
#[derive(Debug, Error)]
pub enum Error {
    /// A file operation.
    #[error("cannot {action} `{}`", path.display())]
    File {
        /// What was tried, as in "cannot …".
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// Why it did not work.
        source: io::Error,
    },
    /// The directory for results cannot be used.
    #[error(
        "cannot keep results in `{}`\n  hint: choose another place with `--home=<directory>`",
        path.display()
    )]
    Home {
        /// The directory.
        path: PathBuf,
        /// Why it cannot be used.
        source: io::Error,
    },
    /// The executable did not describe its benchmarks.
    #[error("`{}` {reason}", executable.display())]
    Describe {
        /// The benchmark executable.
        executable: PathBuf,
        /// What it did instead.
        reason: String,
    },
    /// The library is of another version than the runner.
    #[error(
        "`{}` was built with iai-callgrind {library} (protocol {protocol}), but this is \
         iai-callgrind-runner {runner} (protocol {ours})\n  \
         hint: cargo install iai-callgrind-runner --version {library}",
        executable.display()
    )]
    Version {
        /// The benchmark executable.
        executable: PathBuf,
        /// The version of the library.
        library: String,
        /// The library's protocol.
        protocol: u64,
        /// Our version.
        runner: &'static str,
        /// Our protocol.
        ours: u32,
    },
    /// There is no Valgrind.
    #[error(
        "valgrind was not found in PATH (`{path}`)\n  \
         hint: install it (for example with `apt install valgrind`), or name the program with \
         `--valgrind-bin=<path>` or {}",
        variable("--valgrind-bin")
    )]
    NoValgrind {
        /// The value of `PATH`.
        path: String,
    },
    /// The named Valgrind cannot be used.
    #[error(
        "`{}`, given by `--valgrind-bin` or {}, {reason}",
        path.display(),
        variable("--valgrind-bin")
    )]
    BadValgrind {
        /// What was named.
        path: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A configuration in the bench file that cannot be carried out.
    #[error("{place}: {reason}")]
    Configuration {
        /// What of which benchmark.
        place: String,
        /// What is wrong and what is accepted.
        reason: String,
    },
    /// An option that Valgrind or the runner cannot accept.
    #[error("{place}: {reason}")]
    Setting {
        /// The option, and its variable if that is set.
        place: String,
        /// What is wrong and what is accepted.
        reason: String,
    },
    /// Something that was to be copied into a sandbox.
    #[error(
        "cannot copy the fixture `{}` into the sandbox{}",
        path.display(),
        fixture_hint(path, workspace, source)
    )]
    Fixture {
        /// The file or directory.
        path: PathBuf,
        /// Where relative paths begin.
        workspace: PathBuf,
        /// Why it cannot be copied.
        source: io::Error,
    },
    /// A baseline that was to be loaded.
    #[error(
        "the baseline `{name}` has no result of {tool} in `{}`\n  \
         hint: `cargo bench -- --save-baseline={name}` makes one",
        directory.display()
    )]
    NoBaseline {
        /// Its name.
        name: String,
        /// The tool whose result is missing.
        tool: crate::tool::Tool,
        /// Where it would be.
        directory: PathBuf,
    },
    /// A signal asked the runner to stop.
    #[error("stopped by {}", crate::signal::signal_name(*.0))]
    Interrupted(i32),
    /// A limit was exceeded, and the run was to stop then.
    #[error("a limit is exceeded, and `fail_fast` stops the run")]
    FailFast,
    /// The runner itself is wrong.
    #[error(
        "iai-callgrind-runner panicked; that is a mistake in it and not in the benchmarks\n  \
         hint: please report it, with what stands above (RUST_BACKTRACE=1 shows more), the version \
         {} and the command line",
        env!("CARGO_PKG_VERSION")
    )]
    Panicked,
    /// The report could not be written.
    #[error("cannot write the results")]
    Report(#[from] io::Error),
}

impl Error {
    /// A mistake in the value of an option, which may come from its variable.
    pub(crate) fn option(name: &str, reason: String) -> Self {
        Self::Setting {
            place: format!("{name} ({})", variable(name)),
            reason,
        }
    }

    /// Names the benchmark whose configuration is wrong.
    pub(crate) fn of_benchmark(self, benchmark: &Identity) -> Self {
        match self {
            Self::Configuration { place, reason } => Self::Configuration {
                place: format!("`{benchmark}`, {place}"),
                reason,
            },
            other => other,
        }
    }

    /// Is there nothing more to run after it? Everything else concerns one benchmark.
    pub(crate) fn ends_run(&self) -> bool {
        matches!(self, Self::Interrupted(_) | Self::Setting { .. })
    }
}

/// What caused an error, and what caused that.
pub(crate) fn causes<'a>(
    error: &'a (dyn std::error::Error + 'a),
) -> impl Iterator<Item = &'a (dyn std::error::Error + 'static)> {
    std::iter::successors(error.source(), |error| error.source())
}

/// An error and what caused it, a line each.
pub(crate) fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    for cause in causes(error) {
        text += &format!("\ncaused by: {cause}");
    }
    text
}

/// The result of a step of the run.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Names the path in an error of a file operation.
pub trait FileContext<T> {
    /// `action` continues "cannot".
    fn context(self, action: &'static str, path: &Path) -> Result<T>;
}

impl<T> FileContext<T> for io::Result<T> {
    fn context(self, action: &'static str, path: &Path) -> Result<T> {
        self.map_err(|source| Error::File {
            action,
            path: path.to_owned(),
            source,
        })
    }
}

fn fixture_hint(path: &Path, workspace: &Path, source: &io::Error) -> String {
    if source.kind() != io::ErrorKind::NotFound {
        return String::new();
    }
    if workspace.is_dir() || !path.starts_with(workspace) {
        return "\n  hint: relative paths of fixtures begin at the root of the workspace"
            .to_owned();
    }
    // The executable may have been built on another machine.
    format!(
        "\n  hint: the workspace that the benchmark was compiled in, `{}`, is not there; \
         `--workspace-root=<directory>` says where it is",
        workspace.display()
    )
}
