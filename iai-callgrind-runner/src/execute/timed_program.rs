//! Wall time of a program: whole runs without a tool, of the new program and the old one in turn.
//!
//! Sandbox, setup, delay and teardown are those of the counted run, and off the clock: the guardian
//! takes the time of the process. Output that the command does not redirect is discarded, and
//! warnings were given when the program was counted.

use std::cell::Cell;
use std::ffi::OsString;
use std::fs;
use std::os::fd::RawFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::PoisonError;
use std::thread;
use std::time::{Duration, Instant};

use iai_callgrind::protocol::{Stdin, Stdio};

use super::capture::Capture;
use super::command::RunUnderTool;
use super::failure::how_text;
use super::processes::When;
use super::running::Running;
use super::timed::{link, CpuTurns};
use super::valgrind::surrounded;
use super::{isolate, padding, ProcessEnd, ValgrindLauncher};
use crate::error::{with_causes, FileContext, Result};
use crate::plan::{Job, PlannedCommand};
use base::os::processors;
use time::machine::ProcessorTime;
use time::{
    ExecutableSide, PairedTimes, ProcessTimes, SideFailure, Stopwatch, TimeSample, TimeSettings,
    TimedProcess, WantedCalls,
};

/// Interval of the looks at the threads of a run that is not on the clock yet.
const LOOK: Duration = Duration::from_micros(200);

/// Everything that the runs of both sides have in common.
struct TimedCommand<'a> {
    launcher: &'a ValgrindLauncher<'a>,
    job: &'a Job,
    command: PlannedCommand,
    /// The private directory of the job.
    directory: &'a Path,
    capture: Capture,
    /// Paths of the new and the old program; one if there is no old program.
    programs: Vec<PathBuf>,
    /// The most threads that were seen.
    threads: Cell<u32>,
}

/// The runs of both sides in their order.
struct ProgramSides<'a> {
    timed: &'a TimedCommand<'a>,
    turns: CpuTurns,
    began: Instant,
}

/// The next run of a side.
struct TimedProgram<'a> {
    timed: &'a TimedCommand<'a>,
    program: &'a Path,
    /// `None`: any CPU.
    cpu: Option<usize>,
    times: Cell<ProcessTimes>,
}

impl ValgrindLauncher<'_> {
    /// Measures the wall time of a program in pairs with an old one.
    pub(super) fn timed_program(
        &self,
        job: &Job,
        command: &PlannedCommand,
        old: Option<&Path>,
        settings: &TimeSettings,
        directory: &Path,
    ) -> Result<std::result::Result<PairedTimes, SideFailure>> {
        if let Some(reason) = self.untimed(command) {
            return Ok(Err(SideFailure {
                side: ExecutableSide::New,
                reason: reason.to_owned(),
            }));
        }
        let new = &*job.target.program;
        let programs = match old {
            Some(old) => vec![link(directory, 0, new)?, link(directory, 1, old)?],
            // What a script finds beside itself is not beside a link.
            None => vec![new.to_owned()],
        };
        let timed = TimedCommand {
            launcher: self,
            job,
            command: PlannedCommand {
                stdout: discarded(&command.stdout),
                stderr: discarded(&command.stderr),
                ..command.clone()
            },
            directory,
            capture: Capture::hidden(directory)?,
            programs,
            threads: Cell::new(0),
        };
        let mut sides = ProgramSides {
            timed: &timed,
            turns: CpuTurns::new()?,
            began: Instant::now(),
        };
        let _alone = self.alone.write().unwrap_or_else(PoisonError::into_inner);
        self.processes.be_silent(true);
        let measured = time::measure_runs(&mut sides, settings.budget, old.is_some());
        self.processes.be_silent(false);
        self.processes.check()?;
        Ok(measured)
    }

    /// The reason why a program cannot run again and again, or not here.
    fn untimed(&self, command: &PlannedCommand) -> Option<&'static str> {
        let tool_runner = self.settings.tool_runner.as_ref();
        if tool_runner.is_some_and(|runner| runner.root.is_some()) {
            return Some("it may be only where `--tool-runner` starts Valgrind");
        }
        let is_inherited = matches!(command.stdin, Stdin::Inherit);
        is_inherited.then_some("only its first run finds what the runner's stdin has")
    }
}

fn discarded(stream: &Stdio) -> Stdio {
    match stream {
        Stdio::Inherit | Stdio::Pipe => Stdio::Null,
        Stdio::Null | Stdio::File(_) => stream.clone(),
    }
}

impl<'a> Stopwatch for ProgramSides<'a> {
    type Process = TimedProgram<'a>;

    fn start(
        &mut self,
        side: ExecutableSide,
        start: usize,
        pinned: bool,
    ) -> std::result::Result<TimedProgram<'a>, String> {
        let number = usize::from(side == ExecutableSide::Old);
        let program = self.timed.programs.get(number);
        Ok(TimedProgram {
            timed: self.timed,
            program: program.ok_or("there is no old program")?,
            cpu: self.turns.cpu(start).filter(|_| pinned),
            times: Cell::default(),
        })
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn processor_time(&self) -> ProcessorTime {
        ProcessorTime::now()
    }
}

impl TimedProcess for TimedProgram<'_> {
    fn sample(&mut self, _: WantedCalls) -> std::result::Result<TimeSample, String> {
        let TimedCommand {
            launcher,
            job,
            command,
            directory,
            capture,
            threads,
            ..
        } = self.timed;
        let ended = launcher.around_command(job, command, directory, capture, self);
        let ended = ended.map_err(|error| with_causes(&error))?;
        capture.forget().map_err(|error| with_causes(&error))?;
        let said = |how: &ProcessEnd| how_text(how).lines().next().unwrap_or_default().to_owned();
        if !ended.how.is_expected(job.exit_with) {
            return Err(format!("it {}", said(&ended.how)));
        }
        match ended.hooks.first() {
            Some((hook, how)) => Err(format!("its {} {}", hook.name(), said(how))),
            None => Ok(TimeSample::of_run(self.times.get(), threads.get())),
        }
    }
}

impl RunUnderTool for TimedProgram<'_> {
    #[expect(clippy::disallowed_methods, reason = "this stage starts processes")]
    fn command(&self, environment: Vec<(OsString, OsString)>, working: &Path) -> Result<Command> {
        // A relative path begins where the program runs.
        let program = working.join(self.program);
        let mut environment = surrounded(environment, working);
        padding::pad(&mut environment, &program);
        let mut command = Command::new(&program);
        command
            // A program may look at its own name, which is not that of the link.
            .arg0(&*self.timed.job.target.program)
            .env_clear()
            .envs(environment)
            .current_dir(working);
        Ok(command)
    }

    fn start(&self, mut command: Command, first: RawFd) -> Result<Running> {
        if let Some(cpu) = self.cpu {
            let pinned = processors::restrict(&mut command, &[cpu]);
            pinned.context("choose a processor for", self.program)?;
        }
        // Random addresses are what runs differ in.
        isolate::isolate(&mut command, first, true);
        let TimedCommand { launcher, job, .. } = self.timed;
        let owner = format!("`{}` on the clock", job.benchmark_path);
        launcher.processes.start(command, When::NotStopped, owner)
    }

    fn pid_of_program(&self, _running: &Running) -> Option<i32> {
        None
    }

    fn wait(&self, running: Running) -> Result<(ProcessEnd, ExitStatus)> {
        // The first runs are on no CPU of their own, and nothing is looked at on the clock.
        let seen = &self.timed.threads;
        while self.cpu.is_none() && seen.get() <= 1 && running.has_ended()?.is_none() {
            seen.set(seen.get().max(threads(running.pid())));
            thread::sleep(LOOK);
        }
        let status = running.ended()?;
        self.times.set(running.times().unwrap_or_default());
        Ok((ProcessEnd::exited(status), status))
    }

    fn judge(&self, how: ProcessEnd, _: ExitStatus, _: &Capture) -> Result<ProcessEnd> {
        Ok(how)
    }
}

/// The threads of a process, and one more if it has children. None are known without `/proc`.
fn threads(pid: i32) -> u32 {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).map_or(0, Iterator::count);
    let children = fs::read(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    tasks as u32 + u32::from(!children.is_empty())
}
