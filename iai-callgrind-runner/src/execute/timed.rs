//! Wall time: processes of two executables, without a tool, that call the benchmark as often as the
//! schedule of the crate `time` asks for.
//!
//! Each process serves one start. Its addresses stay random, since they are what differs between
//! starts, and all else is equal on both sides: environment, working directory, CPU, and the length
//! of the path, for which both are started by links of the same length. `timed_program.rs` has the
//! starts of programs.

use std::fs::OpenOptions;
use std::os::fd::AsFd;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use iai_callgrind::protocol::wire::{DETERMINISTIC_RANDOM, DIRECT, TIMED};
use iai_callgrind::protocol::{Filter, SERVER_VARIABLE};

use super::packets::{Conversation, SOCKET};
use super::processes::When;
use super::running::Running;
use super::server::PATIENCE;
use super::valgrind::surrounded;
use super::working_directory::PreparedDirectory;
use super::{isolate, padding, working_directory, ValgrindLauncher};
use crate::error::{with_causes, FileContext, Result};
use crate::plan::{suite, wall_time, Job, PlannedCase, Subject};
use base::os::processors;
use base::tool::Execution;
use time::machine::ProcessorTime;
use time::{
    ExecutableSide, PairedTimes, SideFailure, Stopwatch, TimeSample, TimeSettings, TimedProcess,
    WantedCalls,
};

/// Starts on one CPU before it is the turn of the next one.
const STARTS_ON_CPU: usize = 8;

/// The CPUs on which starts take place, one after the other.
pub(super) struct CpuTurns(Vec<usize>);

impl CpuTurns {
    pub(super) fn new() -> Result<Self> {
        let fast = processors::fast_allowed();
        Ok(Self(fast.context("list", Path::new("processors"))?))
    }

    /// The CPU of a start. `None`: the system does not tell its CPUs.
    pub(super) fn cpu(&self, start: usize) -> Option<usize> {
        // Several runners begin on different ones.
        let turn = start / STARTS_ON_CPU + std::process::id() as usize;
        self.0.get(turn % self.0.len().max(1)).copied()
    }
}

/// The path by which a side is started: of the same length for both.
pub(super) fn link(directory: &Path, side: usize, program: &Path) -> Result<PathBuf> {
    let place = directory.join(format!("time-{side}"));
    std::fs::create_dir_all(&place).context("create", &place)?;
    let link = place.join("exe");
    // The link is there if the new executable is timed again, without the old one.
    if !link.exists() {
        symlink(program, &link).context("create", &link)?;
    }
    Ok(link)
}

/// The new and the old executable with the case of the benchmark in each.
struct Sides<'a> {
    launcher: &'a ValgrindLauncher<'a>,
    job: &'a Job,
    new: (PathBuf, PlannedCase),
    old: Option<(PathBuf, PlannedCase)>,
    place: PreparedDirectory,
    turns: CpuTurns,
    began: Instant,
}

/// A process that calls the benchmark.
struct TimedCase {
    conversation: Conversation,
    /// Killed when dropped.
    _running: Running,
}

impl ValgrindLauncher<'_> {
    /// Measures the wall time of a benchmark in pairs with an old executable, alone on the machine
    /// as far as the runner decides it. `directory` is a private one.
    pub(super) fn timed(
        &self,
        job: &Job,
        old: Option<&Path>,
        settings: &TimeSettings,
        directory: &Path,
    ) -> Result<Option<std::result::Result<PairedTimes, SideFailure>>> {
        let case = match &job.target.subject {
            Subject::Case(case) => case,
            Subject::Command(command) => {
                let measured = self.timed_program(job, command, old, settings, directory);
                return measured.map(Some);
            }
        };
        let old = match old.map(|old| self.old_case(job, old)).transpose() {
            Ok(case) => old.zip(case),
            Err(reason) => {
                let side = ExecutableSide::Old;
                return Ok(Some(Err(SideFailure { side, reason })));
            }
        };
        let new = (link(directory, 0, &job.target.program)?, case.clone());
        let old = old.map(|(program, case)| link(directory, 1, program).map(|it| (it, case)));
        let old = old.transpose()?;
        let _alone = self.alone.write().unwrap_or_else(PoisonError::into_inner);
        let mut sides = Sides {
            launcher: self,
            job,
            place: working_directory::prepare(job.working_directory.as_ref(), directory)?,
            turns: CpuTurns::new()?,
            began: Instant::now(),
            new,
            old,
        };
        let has_old = sides.old.is_some();
        let measured = time::measure(&mut sides, settings, has_old);
        self.processes.check()?;
        Ok(Some(measured))
    }

    /// The case of the benchmark in an old executable, or why it has none.
    fn old_case(&self, job: &Job, old: &Path) -> std::result::Result<PlannedCase, String> {
        let mut described = self
            .described
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if described.as_ref().is_none_or(|(path, _)| path != old) {
            let suite = suite::describe(old, &Filter::default());
            let suite = suite.map_err(|error| with_causes(&error));
            *described = Some((old.to_owned(), suite));
        }
        let Some((_, suite)) = &*described else {
            return Err("it was not described".to_owned());
        };
        let suite = suite.as_ref().map_err(Clone::clone)?;
        let input = job.input.as_ref();
        wall_time::case_in(suite, &job.benchmark_path, input, self.settings).map_err(str::to_owned)
    }
}

impl Sides<'_> {
    #[expect(clippy::disallowed_methods, reason = "this stage starts processes")]
    fn begin(&self, side: ExecutableSide, cpu: Option<usize>) -> Result<TimedOrLost> {
        let job = self.job;
        let (program, case) = match (side, &self.old) {
            (ExecutableSide::Old, Some(old)) => old,
            _ => &self.new,
        };
        let working = &job.target.directory;
        let mut environment = job.environment.to_vec();
        environment.push((SERVER_VARIABLE.into(), SOCKET.to_string().into()));
        let mut environment = surrounded(environment, working);
        padding::pad(&mut environment, program);
        let mut command = Command::new(program);
        command.env_clear().envs(environment);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if working.is_dir() {
            command.current_dir(working);
        }
        let mut conversation =
            Conversation::with(&mut command).context("make a socket for", program)?;
        if let Some(cpu) = cpu {
            processors::restrict(&mut command, &[cpu])
                .context("choose a processor for", program)?;
        }
        // Random addresses are what starts differ in.
        isolate::isolate(&mut command, SOCKET + 1, true);
        let owner = format!("`{}` on the clock", job.benchmark_path);
        let processes = &self.launcher.processes;
        let running = processes.start(command, When::NotStopped, owner)?;
        let path = Path::new("/dev/null");
        let null = OpenOptions::new()
            .append(true)
            .open(path)
            .context("open", path)?;
        let streams = [null.as_fd(), null.as_fd()];
        // An old executable may have been built without a source of random numbers.
        let random = match case.deterministic_random && job.deterministic_random {
            true => DETERMINISTIC_RANDOM,
            false => 0,
        };
        let flags = DIRECT | TIMED | random;
        let patience = Some(PATIENCE + job.timeout.unwrap_or_default());
        let place = self.place.directory();
        let told = conversation
            .greeting(case, Execution::Native, patience)
            .and_then(|_| conversation.command(case, flags, place, streams, null.as_fd()))
            .and_then(|_| conversation.set_limit(patience));
        Ok(told.map(|()| TimedCase {
            conversation,
            _running: running,
        }))
    }
}

/// A process, or why it is lost.
type TimedOrLost = std::result::Result<TimedCase, String>;

impl Stopwatch for Sides<'_> {
    type Process = TimedCase;

    fn start(&mut self, side: ExecutableSide, start: usize, pinned: bool) -> TimedOrLost {
        // Both sides of a start get the same CPU: on a busy machine ratios between two CPUs spread
        // by 143 %, those of one CPU by 4 %.
        let cpu = self.turns.cpu(start).filter(|_| pinned);
        self.begin(side, cpu)
            .unwrap_or_else(|error| Err(with_causes(&error)))
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn processor_time(&self) -> ProcessorTime {
        ProcessorTime::now()
    }
}

impl TimedProcess for TimedCase {
    fn sample(&mut self, wanted: WantedCalls) -> std::result::Result<TimeSample, String> {
        let sample = self
            .conversation
            .sample(wanted.calls, wanted.warm_up, wanted.empty)?;
        Ok(TimeSample {
            wall: sample.wall as f64,
            cpu: sample.cpu as f64,
            readings: sample.pairs,
            switches: sample.switches,
            threads: sample.threads,
        })
    }
}
