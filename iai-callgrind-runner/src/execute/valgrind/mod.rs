//! Runs jobs under Valgrind, in a fork of a server or in a process of their own.
//!
//! In both modes the benchmark executable is started without arguments and gets its commands on a
//! socket, so nothing that differs between two benchmarks or two checkouts is in its memory before
//! the benchmark begins. The modes differ in one flag of the command. Programs have a process of
//! their own.

mod beginning;
mod command_line;
mod direct;
mod forked;
mod program;
mod suppressions;
mod without_tool;

use std::os::fd::RawFd;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::Duration;

use iai_callgrind::protocol::wire::{RETURNED, RETURNED_WITH_REGIONS};
use iai_callgrind::protocol::Suite;

use self::beginning::Beginning;
pub(super) use self::command_line::surrounded;
use self::forked::Servers;
use self::program::ProgramRun;
use super::capture::Capture;
use super::hooks::SetUp;
use super::measured::MeasuredFunctions;
use super::processes::{code_or_signal, Processes, When};
use super::running::Running;
use super::server::forget_lost;
use super::tool_runner::PathTranslation;
use super::{isolate, BegunJob, EndedProcess, Hook, Launch, OutputChannel, ProcessEnd};
use crate::error::{FileContext, Result};
use crate::machine::host::Host;
use crate::plan::{Backend, Job, LevelHooks, Plan, Subject};
use crate::settings::Settings;
use base::os::processors;
use base::shell_line::{shell_line, Inherits};
use base::tool::Tool;
use cli::ShownStreams;
use records::summary::Mode;
use store::Store;
use time::{PairedTimes, SideFailure, TimeSettings};

/// Servers that a benchmark may lose before it runs in a process of its own.
const ATTEMPTS: usize = 2;

/// Runs jobs under the Valgrind of the host, or under its perf.
#[derive(Debug)]
pub struct ValgrindLauncher<'a> {
    /// Programs of this machine: Valgrind, perf, tool runner.
    pub(super) host: Host,
    /// Starts processes, and kills them when the runner is asked to stop.
    pub(super) processes: Processes,
    /// Settings of the run.
    pub(super) settings: &'a Settings,
    /// Maker of the servers' directories.
    store: &'a Store,
    /// Functions at which Callgrind's count begins.
    measured: MeasuredFunctions,
    servers: Mutex<Servers>,
    /// Setups of levels with the processes that they left running.
    pub(super) set_up: SetUp,
    /// Lock that perf, which measures alone, holds for writing and everything else for reading.
    pub(super) alone: RwLock<()>,
    /// Number of processes that got a processor of their own.
    started: AtomicUsize,
    beginning: Beginning,
    /// The old executable that was timed last, and what it says of its benchmarks.
    pub(super) described: Mutex<Option<DescribedExecutable>>,
}

/// An executable with its description, or why it has none.
pub(super) type DescribedExecutable = (PathBuf, std::result::Result<Suite, String>);

impl Launch for ValgrindLauncher<'_> {
    fn launch(&self, job: &Job, directory: &Path, channel: &OutputChannel) -> Result<EndedProcess> {
        if let Some(reason) = self.too_old(job) {
            return Ok(EndedProcess::not_started(job, reason));
        }
        let is_case = matches!(job.target.subject, Subject::Case(_));
        let capture = match job.shown {
            ShownStreams::None if is_case => Capture::hidden(directory)?,
            shown => Capture::new(shown, &directory.join("output"), channel)?,
        };
        match &job.backend {
            Backend::Valgrind => self.under_valgrind(job, directory, &capture),
            Backend::Perf(perf) => self.under_perf(job, perf, directory, &capture),
        }
    }

    // Nothing that has to be alone is begun beside it: at most the job that comes next is begun
    // before its turn.
    fn begin<'b>(&'b self, job: &'b Job) -> Result<Option<Box<dyn BegunJob + Send + 'b>>> {
        self.begin_forked(job)
    }

    fn passes_without_tool(&self, job: &Job) -> Result<Option<bool>> {
        self.passes_alone(job)
    }

    fn time(
        &self,
        job: &Job,
        old: Option<&Path>,
        settings: &TimeSettings,
        directory: &Path,
    ) -> Result<Option<std::result::Result<PairedTimes, SideFailure>>> {
        self.timed(job, old, settings, directory)
    }

    fn assist(
        &self,
        hooks: &LevelHooks,
        hook: Hook,
        channel: &OutputChannel,
    ) -> Result<EndedProcess> {
        self.level(hooks, hook, channel)
    }
}

impl<'a> ValgrindLauncher<'a> {
    /// Prepares to run the jobs of a plan. Starts no process.
    pub fn new(
        host: Host,
        processes: Processes,
        settings: &'a Settings,
        store: &'a Store,
        plan: &Plan,
    ) -> Self {
        // Random addresses change counts, for example of tables that hash pointers.
        if !settings.allow_aslr {
            isolate::try_fixed_addresses();
        }
        Self {
            host,
            processes,
            settings,
            store,
            measured: MeasuredFunctions::of(plan),
            servers: Mutex::default(),
            set_up: SetUp::default(),
            alone: RwLock::default(),
            started: AtomicUsize::new(0),
            beginning: Beginning::default(),
            described: Mutex::default(),
        }
    }

    /// Waits for the first sign of Valgrind as long as this; without, a minute.
    #[must_use]
    pub fn begins_within(mut self, limit: Duration) -> Self {
        self.beginning.limit = limit;
        self
    }

    /// Runs a job under Valgrind, beside others.
    fn under_valgrind(
        &self,
        job: &Job,
        directory: &Path,
        capture: &Capture,
    ) -> Result<EndedProcess> {
        // A server is tried first, since a fork is cheaper than a start of Valgrind; a process of
        // its own is the fallback.
        let _beside_others = self.alone.read().unwrap_or_else(PoisonError::into_inner);
        if log::log_enabled!(log::Level::Debug) && self.settings.tool_runner.is_none() {
            let line = shell_line(&self.by_hand(job), Inherits::Nothing);
            log::debug!("{}: by hand {line}", job.benchmark_path);
        }
        let case = match &job.target.subject {
            Subject::Case(case) => case,
            Subject::Command(command) => {
                let tool = ProgramRun {
                    valgrind: self,
                    job,
                    directory,
                };
                return self.around_command(job, command, directory, capture, &tool);
            }
        };
        if job.mode == Mode::Fork {
            for _ in 0..ATTEMPTS {
                let Some(server) = self.server(job, case)? else {
                    break;
                };
                if let Some(forked) = self.forked(server, job, case, directory, capture)? {
                    if let Some(ended) = forked.end(capture)? {
                        return Ok(ended);
                    }
                }
                // The next attempt writes here as well, and nothing of this one may be read with
                // its result.
                forget_lost(directory)?;
            }
        }
        self.direct(job, case, directory, capture)
    }

    /// The path of Valgrind.
    pub(super) fn valgrind(&self) -> &Path {
        &self.host.valgrind
    }

    /// Reason why this version of Valgrind cannot run the job. Valgrind itself would only say that
    /// it does not know an option.
    fn too_old(&self, job: &Job) -> Option<String> {
        const LATER_SINCE: (u32, u32) = (3, 22);
        if job.tool != Tool::Cachegrind || !job.args.counts_later() {
            return None;
        }
        let version = self.host.version()?;
        (version.number < LATER_SINCE).then(|| {
            format!(
                "this is Valgrind {}, and to count a benchmark without its process Cachegrind needs \
                 Valgrind {}.{}\n  \
                 hint: install a newer Valgrind (`--valgrind-bin=<path>` chooses one), use Callgrind \
                 (`--default-tool=callgrind`), or count the whole process \
                 (`--cachegrind-args=--instr-at-start=yes`)",
                version.text, LATER_SINCE.0, LATER_SINCE.1
            )
        })
    }

    /// Translation of paths to those that Valgrind sees.
    fn seen<'b>(&'b self, job: &'b Job, directory: &'b Path) -> PathTranslation<'b> {
        PathTranslation {
            runner: self.settings.tool_runner.as_ref(),
            directory,
            workspace: &job.target.workspace,
        }
    }

    /// Starts a command of Valgrind, which inherits no descriptor from `first` on.
    pub(super) fn begin(&self, job: &Job, mut command: Command, first: RawFd) -> Result<Running> {
        self.prepare(job, &mut command, first)?;
        let owner = format!("`{}`", job.benchmark_path);
        self.processes.start(command, When::NotStopped, owner)
    }

    /// Prepares a command of a measured process: its processor, its addresses and its descriptors.
    pub(super) fn prepare(&self, job: &Job, command: &mut Command, first: RawFd) -> Result<()> {
        log::debug!(
            "{}: starts {}",
            job.benchmark_path,
            shell_line(command, Inherits::Nothing)
        );
        if job.single_cpu {
            let number = self.started.fetch_add(1, Ordering::Relaxed);
            processors::pin(command, number)
                .context("choose a processor for", &job.target.program)?;
        }
        isolate::isolate(command, first, self.settings.allow_aslr);
        Ok(())
    }
}

pub(super) fn how(status: ExitStatus) -> ProcessEnd {
    match code_or_signal(status) {
        Ok(RETURNED) => ProcessEnd::Returned,
        Ok(RETURNED_WITH_REGIONS) => ProcessEnd::ReturnedWithRegions,
        Ok(code) => ProcessEnd::Exited(code),
        Err(signal) => ProcessEnd::Signaled(signal),
    }
}
