//! Jobs to files: the only stage that starts benchmarks.
//!
//! [`Launch`] is the narrow door to the outside: [`Valgrind`] runs a job for real, [`Replay`] copies
//! recorded files, so that everything else can be tested in milliseconds.

#[cfg(target_os = "linux")]
mod affinity;
mod capture;
mod command;
mod deadline;
mod descriptors;
mod failure;
mod foreground;
mod hooks;
mod isolate;
mod job_runner;
mod measured;
mod output;
mod packets;
mod padding;
mod perf;
mod place;
mod processes;
mod refusal;
mod replay;
mod returned;
mod server;
mod steps;
mod stored;
mod streams;
mod tool_runner;
mod valgrind;

use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use iai_callgrind::shared::exit::End;

pub use self::failure::{EntryFault, Failure, FoundErrors, NothingCounted};
pub(crate) use self::job_runner::FinishedRun;
pub use self::job_runner::{Failed, JobRunner};
pub use self::output::OutputChannel;
pub(crate) use self::perf::calibration;
pub use self::processes::Processes;
pub use self::replay::Replay;
pub(crate) use self::steps::{Entries, Trace};
#[cfg(test)]
pub(crate) use self::steps::{Executed, Maps};
pub use self::stored::{KeptMode, Stored};
pub(crate) use self::tool_runner::check as check_tool_runner;
pub use self::valgrind::Valgrind;
use crate::error::Result;
use crate::plan::{Hooks, Job, Mode};
use crate::tool::ToolFile;

/// Runs jobs and the hooks around them.
pub trait Launch: Sync {
    /// Runs a job. The tool writes its files into `directory`, under the names of
    /// [`file_of_process`]. What is to be seen of what it prints goes to the channel.
    ///
    /// # Errors
    ///
    /// The process could not be started, or the runner was asked to stop.
    fn launch(&self, job: &Job, directory: &Path, channel: &OutputChannel) -> Result<Ended>;

    /// Runs `setup` or `teardown` of a level.
    ///
    /// # Errors
    ///
    /// As [`Launch::launch`].
    fn assist(&self, hooks: &Hooks, hook: Hook, channel: &OutputChannel) -> Result<Ended>;
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
    /// As in the `assist` role and in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Teardown => "teardown",
        }
    }
}

/// How a process ended and what it printed.
#[derive(Debug)]
pub struct Ended {
    /// How it ended.
    pub how: How,
    /// What it printed that was not shown; both streams in order, if none was.
    pub output: Vec<u8>,
    /// In which mode it ran.
    pub mode: Mode,
    /// The process; unknown for recorded files.
    pub pid: Option<i32>,
    /// The hooks of a command that failed, in their order.
    pub hooks: Vec<(Hook, How)>,
}

impl Ended {
    /// Nothing was started.
    fn not_started(job: &Job, reason: String) -> Self {
        Self::silently(How::NotStarted(reason), job.mode)
    }

    /// It printed nothing.
    fn silently(how: How, mode: Mode) -> Self {
        Self {
            how,
            output: Vec::new(),
            mode,
            pid: None,
            hooks: Vec::new(),
        }
    }
}

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum How {
    /// The benchmark (or hook) returned.
    Returned,
    /// The benchmark returned and measured regions of itself; only they count.
    ReturnedWithRegions,
    /// It ended with this exit code before it returned.
    Exited(i32),
    /// This signal ended it.
    Signaled(i32),
    /// It took longer than this and was stopped.
    TimedOut(Duration),
    /// It ended before the benchmark began; the text says how.
    NotStarted(String),
    /// It was not even tried, since its setup ended like this.
    NotSetUp(Box<How>),
}

impl How {
    /// Of a process that has no other way to say that it is done than to exit.
    fn exited(status: ExitStatus) -> Self {
        match processes::code_or_signal(status) {
            Ok(0) => Self::Returned,
            Ok(code) => Self::Exited(code),
            Err(signal) => Self::Signaled(signal),
        }
    }

    /// The end, if it ended by itself.
    pub(crate) fn end(&self) -> Option<End> {
        match self {
            Self::Returned | Self::ReturnedWithRegions => Some(End::Returned),
            Self::Exited(code) => Some(End::Exited(*code)),
            Self::Signaled(signal) => Some(End::Signaled(*signal)),
            Self::TimedOut(_) | Self::NotStarted(_) | Self::NotSetUp(_) => None,
        }
    }
}

impl ToolFile {
    /// What tools write themselves.
    const WRITTEN: [Self; 7] = [
        Self::Out,
        Self::Log,
        Self::Pc,
        Self::XTree,
        Self::XLeak,
        Self::Data,
        Self::RecordLog,
    ];

    /// Names of these files begin with this while the tool runs; the process id follows.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Out => "out.",
            Self::Log => "log.",
            Self::Pc => "pc.",
            Self::Original => "original.",
            Self::XTree => "xtree.",
            Self::XLeak => "xleak.",
            Self::Data => "data.",
            Self::RecordLog => "record.",
        }
    }
}

/// What a file is and which process it belongs to: `out.<pid>`, `out.<pid>-01`, `log.<pid>`. Under
/// perf the number is that of the event set.
pub fn file_of_process(name: &str) -> Option<(ToolFile, u32)> {
    ToolFile::WRITTEN.into_iter().find_map(|file| {
        let rest = name.strip_prefix(file.prefix())?;
        let pid = rest.split(['-', '.']).next()?.parse().ok()?;
        Some((file, pid))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_name_their_process() {
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
