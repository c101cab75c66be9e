//! Wall time: processes of two executables, without a tool, that call the benchmark as often as the
//! schedule of the crate `time` asks for.
//!
//! Each process serves one start. Its addresses stay random, since they are what differs between
//! starts, and all else is equal on both sides: environment, working directory, CPU, and the length
//! of the path, for which both are started by links of the same length.

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
use super::{affinity, isolate, padding, working_directory, ValgrindLauncher};
use crate::error::{with_causes, FileContext, Result};
use crate::plan::{suite, wall_time, Job, PlannedCase, Subject};
use base::tool::Execution;
use time::machine::ProcessorTime;
use time::{
    ExecutableSide, PairedTimes, SideFailure, Stopwatch, TimeSample, TimedProcess, WantedCalls,
};

/// Starts on one CPU before it is the turn of the next one.
const STARTS_ON_CPU: usize = 8;

/// The new and the old executable with the case of the benchmark in each.
struct Sides<'a> {
    launcher: &'a ValgrindLauncher<'a>,
    job: &'a Job,
    new: (PathBuf, PlannedCase),
    old: Option<(PathBuf, PlannedCase)>,
    place: PreparedDirectory,
    cpus: Vec<usize>,
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
        budget: Duration,
        directory: &Path,
    ) -> Result<Option<std::result::Result<PairedTimes, SideFailure>>> {
        let Subject::Case(case) = &job.target.subject else {
            return Ok(None);
        };
        let old = match old.map(|old| self.old_case(job, old)).transpose() {
            Ok(case) => old.zip(case),
            Err(reason) => {
                let side = ExecutableSide::Old;
                return Ok(Some(Err(SideFailure { side, reason })));
            }
        };
        let link = |number: usize, program: &Path| -> Result<PathBuf> {
            let place = directory.join(format!("time-{number}"));
            std::fs::create_dir_all(&place).context("create", &place)?;
            let link = place.join("exe");
            if !link.exists() {
                symlink(program, &link).context("create", &link)?;
            }
            Ok(link)
        };
        let new = (link(0, &job.target.program)?, case.clone());
        let old = old
            .map(|(program, case)| Ok::<_, crate::error::Error>((link(1, program)?, case)))
            .transpose()?;
        let _alone = self.alone.write().unwrap_or_else(PoisonError::into_inner);
        let mut sides = Sides {
            launcher: self,
            job,
            place: working_directory::prepare(job.working_directory.as_ref(), directory)?,
            cpus: affinity::fast_allowed().context("choose processors for", &new.0)?,
            began: Instant::now(),
            new,
            old,
        };
        let has_old = sides.old.is_some();
        let measured = time::measure(&mut sides, budget, has_old);
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
        wall_time::case_in(suite, &job.benchmark_path, self.settings)
            .ok_or_else(|| "it does not have this benchmark".to_owned())
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
            affinity::on(&mut command, cpu).context("choose a processor for", program)?;
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
        // Several runners begin on different ones.
        let turn = start / STARTS_ON_CPU + std::process::id() as usize;
        let turn = turn % self.cpus.len().max(1);
        let cpu = self.cpus.get(turn).copied().filter(|_| pinned);
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
