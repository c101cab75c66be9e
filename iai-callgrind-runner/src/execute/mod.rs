//! Jobs to files: the only stage that starts benchmarks.
//!
//! [`Launch`] is the narrow door to the outside: [`ValgrindLauncher`] runs a job for real,
//! [`Replay`] copies recorded files, so that everything else can be tested in milliseconds.
//!
//! ```text
//! a case     in a fork of a server            valgrind/forked.rs, server.rs, ahead.rs
//!            in a process of its own          valgrind/direct.rs, perf/case.rs
//! a program  sandbox, setup, delay, teardown  command.rs, hooks.rs, working_directory.rs
//!            under Valgrind, under perf       valgrind/program.rs, perf/program.rs
//! wall time  of a case, of a program          timed.rs, timed_program.rs
//! around it  output of benchmarks             capture.rs, output.rs
//!            processes, and their end         running.rs, guardian/, processes.rs, deadline.rs
//!            single steps, for `--verify`     steps/
//! ```

mod ahead;
mod capture;
mod command;
mod deadline;
mod end_snapshot;
mod failure;
mod guardian;
mod hooks;
mod isolate;
mod job_runner;
mod loaded_baseline;
mod measured;
mod output;
mod packets;
mod padding;
mod perf;
mod processes;
mod refusal;
mod replay;
mod returned;
mod running;
mod server;
// On systems without single steps nothing reads the entries.
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    allow(dead_code)
)]
mod steps;
mod streams;
mod thread_records;
mod timed;
mod timed_program;
mod tool_runner;
mod valgrind;
mod working_directory;

use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use iai_callgrind::protocol::ExitWith;
use iai_callgrind::shared::exit::End;

pub(crate) use self::ahead::{Ahead, Turns};
pub use self::ahead::{BegunJob, EndedAhead, RanAhead, RunAhead};
pub(crate) use self::failure::PASSES_NATIVELY;
pub use self::failure::{EntryFault, FoundErrors, JobFailure, NothingCounted};
pub(crate) use self::job_runner::FinishedRun;
pub use self::job_runner::{FailedJob, JobRunner};
pub use self::loaded_baseline::{KeptMode, LoadedBaseline};
pub use self::output::OutputChannel;
pub(crate) use self::perf::calibration;
pub use self::processes::Processes;
pub use self::replay::Replay;
pub(crate) use self::steps::Entries;
pub(crate) use self::tool_runner::check as check_tool_runner;
pub use self::valgrind::ValgrindLauncher;
use crate::error::Result;
use crate::plan::{Job, LevelHooks};
use base::tool::ToolFile;
use records::summary::Mode;
use time::{PairedTimes, SideFailure, TimeSettings};

/// Runner of jobs and of the hooks around them.
pub trait Launch: Sync {
    /// Runs a job. The tool writes its files into `directory`, under the names of
    /// [`file_of_process`]. Output that is shown goes to the channel.
    ///
    /// # Errors
    ///
    /// The process could not be started, or the runner was asked to stop.
    fn launch(&self, job: &Job, directory: &Path, channel: &OutputChannel) -> Result<EndedProcess>;

    /// Begins a job before its turn, while something else is done. `None`: it cannot be begun
    /// without a wait.
    ///
    /// # Errors
    ///
    /// The same errors as [`Launch::launch`].
    fn begin<'a>(&'a self, _job: &'a Job) -> Result<Option<Box<dyn BegunJob + Send + 'a>>> {
        Ok(None)
    }

    /// Runs the benchmark of a job once without its tool: does it pass? `None`: it is not known.
    ///
    /// # Errors
    ///
    /// The same errors as [`Launch::launch`].
    fn passes_without_tool(&self, _job: &Job) -> Result<Option<bool>> {
        Ok(None)
    }

    /// Measures the wall time of the benchmark of a job in pairs with an old executable, for about
    /// this time. `directory` is a private one. `None`: it cannot be timed here.
    ///
    /// # Errors
    ///
    /// The same errors as [`Launch::launch`].
    fn time(
        &self,
        _job: &Job,
        _old: Option<&Path>,
        _settings: &TimeSettings,
        _directory: &Path,
    ) -> Result<Option<std::result::Result<PairedTimes, SideFailure>>> {
        Ok(None)
    }

    /// Runs `setup` or `teardown` of a level.
    ///
    /// # Errors
    ///
    /// The same errors as [`Launch::launch`].
    fn assist(
        &self,
        hooks: &LevelHooks,
        hook: Hook,
        channel: &OutputChannel,
    ) -> Result<EndedProcess>;
}

/// The two hooks of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hook {
    /// Before everything in the level.
    Setup,
    /// After everything in the level, also if it failed.
    Teardown,
}

impl Hook {
    /// Name of the hook, as the role `assist` and messages have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Teardown => "teardown",
        }
    }
}

/// End and output of a process.
#[derive(Debug)]
pub struct EndedProcess {
    /// End of the process: return, exit code, signal, or time limit.
    pub how: ProcessEnd,
    /// Output that was not shown; if neither stream was, both in their order.
    pub output: Vec<u8>,
    /// Mode in which it ran.
    pub mode: Mode,
    /// Process id of the benchmark. `None`: unknown, as for recorded files and under perf.
    pub pid: Option<i32>,
    /// Processor time of the process. `None`: not known.
    pub cpu: Option<Duration>,
    /// The facts that the process of the benchmark told when it returned.
    pub at_return: ReturnFacts,
    /// Failed hooks of a command, in their order.
    pub hooks: Vec<(Hook, ProcessEnd)>,
}

impl EndedProcess {
    /// An end before anything was started.
    fn not_started(job: &Job, reason: String) -> Self {
        Self::silently(ProcessEnd::NotStarted(reason), job.mode)
    }

    /// An end without output.
    fn silently(how: ProcessEnd, mode: Mode) -> Self {
        Self {
            how,
            output: Vec::new(),
            mode,
            pid: None,
            cpu: None,
            at_return: ReturnFacts::default(),
            hooks: Vec::new(),
        }
    }
}

/// Facts that the process of a benchmark tells when the benchmark has returned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReturnFacts {
    /// The benchmark function switched instrumentation off.
    pub stopped: bool,
    /// A file of Massif with one snapshot: that of the end. Empty under other tools.
    pub snapshot: Vec<u8>,
}

/// End of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProcessEnd {
    /// Return of the benchmark or hook.
    Returned,
    /// Return of a benchmark that measured regions; only these count.
    ReturnedWithRegions,
    /// Exit with this code before the return.
    Exited(i32),
    /// End by this signal.
    Signaled(i32),
    /// Stop after this time limit.
    TimedOut(Duration),
    /// End before the benchmark began, for this reason.
    NotStarted(String),
    /// No start, since the setup failed with this end.
    NotSetUp(Box<ProcessEnd>),
}

impl ProcessEnd {
    /// End of a program or hook: its return is exit code 0.
    fn exited(status: ExitStatus) -> Self {
        match processes::code_or_signal(status) {
            Ok(0) => Self::Returned,
            Ok(code) => Self::Exited(code),
            Err(signal) => Self::Signaled(signal),
        }
    }

    /// Is this how the benchmark has to end?
    pub(crate) fn is_expected(&self, expected: ExitWith) -> bool {
        self.end().is_some_and(|end| end.is_expected(expected))
    }

    /// The end to compare with an expected one, if the process ended by itself.
    pub(crate) fn end(&self) -> Option<End> {
        match self {
            Self::Returned | Self::ReturnedWithRegions => Some(End::Returned),
            Self::Exited(code) => Some(End::Exited(*code)),
            Self::Signaled(signal) => Some(End::Signaled(*signal)),
            Self::TimedOut(_) | Self::NotStarted(_) | Self::NotSetUp(_) => None,
        }
    }
}

/// Kind and process id of a file by its name: `out.<pid>`, `out.<pid>-01`, `log.<pid>`. Under perf
/// the number is that of the event set.
pub fn file_of_process(name: &str) -> Option<(ToolFile, u32)> {
    ToolFile::WRITTEN.into_iter().find_map(|file| {
        let rest = name.strip_prefix(file.prefix())?;
        let pid = rest.split(['-', '.']).next()?.parse().ok()?;
        Some((file, pid))
    })
}

/// The name that [`file_of_process`] reads: that of the first file of a process.
pub(crate) fn name_of_process(file: ToolFile, pid: i32) -> String {
    format!("{}{pid}", file.prefix())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_name_their_process() {
        let name = name_of_process(ToolFile::Log, 12);
        assert_eq!(file_of_process(&name), Some((ToolFile::Log, 12)));
        for (name, expected) in [
            ("out.12", Some((ToolFile::Out, 12))),
            ("out.12-01", Some((ToolFile::Out, 12))),
            ("out.12.1-02", Some((ToolFile::Out, 12))),
            ("log.7", Some((ToolFile::Log, 7))),
            ("messages", None),
            ("log.x", None),
        ] {
            assert_eq!(file_of_process(name), expected, "{name}");
        }
    }
}
