//! Errors of the runner, with hints for the user.
//!
//! Failures of one benchmark are [`JobFailure`](crate::execute::JobFailure)s; they do not end the
//! run.

use std::io;
use std::path::{Path, PathBuf};

use iai_callgrind::protocol::options::variable;
use iai_callgrind::shared::WHERE_IT_RUNS;
use thiserror::Error;

use base::benchmark_path::BenchmarkPath;
pub(crate) use base::causes::{causes, with_causes};
use base::exit::Exit;
use base::file_operation::limit_hint;
pub(crate) use base::file_operation::{FileContext, FileOperationError, FileResult};
use revision::RevisionError;
use store::StoreError;

/// Error of a step of the runner. It ends the run, or fails only the benchmark that the step
/// belongs to.
#[derive(Debug, Error)]
pub enum Error {
    /// A file operation.
    #[error(transparent)]
    File(#[from] FileOperationError),
    /// Results cannot be kept, or there is no place for temporary files.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The executable was built on another machine, and no directory for its results is known.
    #[error(
        "there is no place for the results of `{}`: the workspace that it was built in, `{}`, is not there\n  \
         hint: say where they go with `--home=<directory>`",
        executable.display(),
        workspace.display()
    )]
    NoHome {
        /// The benchmark executable.
        executable: PathBuf,
        /// The root of the workspace.
        workspace: PathBuf,
    },
    /// The executable did not describe its benchmarks.
    #[error("`{}` {reason}", executable.display())]
    Describe {
        /// The benchmark executable.
        executable: PathBuf,
        /// Outcome of the role `describe`, to continue the name of the executable.
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
    /// Valgrind is not in `PATH`.
    #[error(
        "valgrind was not found in PATH (`{path}`)\n  \
         hint: install it (for example with `apt install valgrind`), or name the program with \
         `--valgrind-bin=<path>` or {}\n  \
         hint: without Valgrind, `cargo test --benches` runs each benchmark once; one command runs \
         `cargo bench` in a container that has it, see {WHERE_IT_RUNS}",
        variable("--valgrind-bin")
    )]
    NoValgrind {
        /// The value of `PATH`.
        path: String,
    },
    /// The Valgrind that the user named cannot be used.
    #[error(
        "`{}`, given by `--valgrind-bin` or {}, {reason}",
        path.display(),
        variable("--valgrind-bin")
    )]
    BadValgrind {
        /// The named path.
        path: PathBuf,
        /// The reason, to continue the path.
        reason: &'static str,
    },
    /// Something in the place of Valgrind runs and does nothing.
    #[error(
        "Valgrind never began: `{path}` opened no log, and does not answer `--version` either\n  \
         started: {line}\n  \
         hint: run `{path} --version` by hand: is it a wrapper that waits for something? \
         `--valgrind-bin=<path>` or {} names another one",
        variable("--valgrind-bin"),
        path = path.display()
    )]
    NeverBegan {
        /// The path of Valgrind.
        path: PathBuf,
        /// The command line, as it can be run by hand.
        line: String,
    },
    /// A setting in the bench file that is not accepted.
    #[error("{place}: {reason}")]
    Configuration {
        /// The benchmark and the setting.
        place: String,
        /// The mistake, and the accepted values.
        reason: String,
    },
    /// An option that Valgrind or the runner cannot accept.
    #[error("{place}: {reason}")]
    Setting {
        /// The option, and its environment variable if the value may come from it.
        place: String,
        /// The mistake, and the accepted values.
        reason: String,
    },
    /// A fixture that cannot be copied into a sandbox.
    #[error(
        "cannot copy the fixture `{}` into the sandbox{}",
        path.display(),
        fixture_hint(path, workspace, source)
    )]
    Fixture {
        /// The file or directory.
        path: PathBuf,
        /// The workspace, at whose root relative paths begin.
        workspace: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A baseline that a bench file has no result of.
    #[error("there is no baseline `{name}` of `{bench_file}`: no benchmark of this file has a result in it{hints}")]
    UnknownBaseline {
        /// The name that was given.
        name: String,
        /// The package and the bench file.
        bench_file: String,
        /// The names that exist, and the next step: a line each.
        hints: String,
    },
    /// A baseline for `--load-baseline` without a result.
    #[error(
        "the baseline `{name}` has no result of {tool} in `{}`\n  \
         hint: `cargo bench -- --save-baseline={name}` makes one",
        directory.display()
    )]
    NoBaseline {
        /// Name of the baseline.
        name: String,
        /// The tool whose result is missing.
        tool: base::tool::Tool,
        /// The directory in which the result would be.
        directory: PathBuf,
    },
    /// Records of runs that cannot be read.
    #[error(transparent)]
    Records(Box<dyn std::error::Error + Send + Sync>),
    /// Results cannot be read.
    #[error("{0}")]
    Results(String),
    /// There is no base to compare with.
    #[error(transparent)]
    Revision(#[from] RevisionError),
    /// Cargo did not build or start bench targets.
    #[error("`{line}` {reason}")]
    Cargo {
        /// The command line, as it can be run by hand.
        line: String,
        /// The reason, to continue the command line.
        reason: String,
    },
    /// A signal asked the runner to stop.
    #[error("stopped by {}", base::signal::signal_name(*.0))]
    Interrupted(i32),
    /// A limit was exceeded, and `fail_fast` is set.
    #[error("a limit is exceeded, and `fail_fast` stops the run")]
    FailFast,
    /// The runner panicked, which is a mistake in it.
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
    pub(crate) fn of_benchmark(self, benchmark: &BenchmarkPath) -> Self {
        match self {
            Self::Configuration { place, reason } => Self::Configuration {
                place: format!("`{benchmark}`, {place}"),
                reason,
            },
            other => other,
        }
    }

    /// Exit code of a run that this error ends.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Setting { .. } | Self::UnknownBaseline { .. } => Exit::Usage,
            _ => Exit::Error,
        }
    }

    /// Does the run end after this error? All others concern one benchmark.
    pub(crate) fn ends_run(&self) -> bool {
        // Every other benchmark would fail in the same way: an option holds for all of them, and a
        // Valgrind that does not begin begins for none.
        matches!(
            self,
            Self::Interrupted(_) | Self::Setting { .. } | Self::NeverBegan { .. }
        )
    }
}

/// The result of a step of the run.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The reason why a thread does not start, with the limit that is most often reached.
pub(crate) fn cannot_start(source: io::Error) -> String {
    let hint = limit_hint(&source);
    format!("a thread cannot be started: {source}{hint}")
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
