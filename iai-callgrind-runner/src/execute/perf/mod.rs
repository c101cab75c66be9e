//! Runs jobs under Linux perf: each event set in runs of its own, without another process beside
//! it.
//!
//! perf reads commands on a pipe and acknowledges them on another, so the measured process itself
//! switches the counters around the benchmark function. With `-r 0` perf repeats the process until
//! it is stopped. perf does not tell the end of one process among many: a case sends a message when
//! it returns, and a program runs once before, without repetition, so that its end is known.
//!
//! `invocation` has the arguments, `start` the process, `case` and `program` what happens until its
//! end, and `said` reads perf's messages.

mod case;
mod invocation;
mod program;
mod said;
mod start;

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::PoisonError;

use nix::sys::signal::{kill, Signal};
use nix::unistd::Pid;

pub(crate) use self::invocation::calibration;
use self::invocation::{Invocation, Purpose};
use super::capture::Capture;
use super::failure::how_text;
use super::running::Running;
use super::{EndedProcess, ProcessEnd, ValgrindLauncher};
use crate::error::{FileContext, Result};
use crate::plan::{Job, PerfSettings, Subject};

/// One run of perf, with everything that it needs.
#[derive(Clone, Copy)]
struct PerfRun<'a> {
    valgrind: &'a ValgrindLauncher<'a>,
    /// Path of perf.
    program: &'a Path,
    job: &'a Job,
    /// The private directory of the job.
    directory: &'a Path,
    capture: &'a Capture,
    invocation: Invocation<'a>,
}

impl ValgrindLauncher<'_> {
    /// Runs a job under perf, once for each event set and purpose.
    pub(super) fn under_perf(
        &self,
        job: &Job,
        perf: &PerfSettings,
        directory: &Path,
        capture: &Capture,
    ) -> Result<EndedProcess> {
        let program = match &self.host.perf {
            Ok(program) => program,
            Err(reason) => return Ok(EndedProcess::not_started(job, reason.clone())),
        };
        if self.settings.tool_runner.is_some() {
            let reason = "perf does not run behind `--tool-runner`, which passes no descriptors on";
            return Ok(EndedProcess::not_started(job, reason.to_owned()));
        }
        // perf measures alone.
        let _alone = self.alone.write().unwrap_or_else(PoisonError::into_inner);
        let mut outcome = EndedProcess::not_started(job, "there is no event set".to_owned());
        // One set after the other: events that are counted together share the counters of the
        // processor.
        for (index, events) in perf.event_sets.iter().enumerate() {
            let run = PerfRun {
                valgrind: self,
                program,
                job,
                directory,
                capture,
                invocation: Invocation {
                    perf,
                    purpose: Purpose::Check,
                    part: index + 1,
                    events,
                },
            };
            match run.event_set()? {
                ControlFlow::Continue(ended) => outcome = ended.unwrap_or(outcome),
                ControlFlow::Break(ended) => return Ok(ended),
            }
        }
        Ok(outcome)
    }
}

impl PerfRun<'_> {
    /// Runs the benchmark for all purposes of an event set. `Break`: this end is that of the job.
    fn event_set(self) -> Result<ControlFlow<EndedProcess, Option<EndedProcess>>> {
        // The check of a program comes before its repetition, which cannot tell how the program
        // ended, and the recording comes last, since the figures do not need it.
        let subject = &self.job.target.subject;
        let mut outcome: Option<EndedProcess> = None;
        for purpose in Purpose::all(self.invocation.perf, subject) {
            let run = self.with(purpose);
            let is_repeated = run.invocation.repeats().is_some();
            let ended = run.run()?;
            if run.takes_single_run(&ended)? {
                continue;
            }
            if !ended.hooks.is_empty() || (is_repeated && ended.how != ProcessEnd::Returned) {
                return run.explained(ended).map(ControlFlow::Break);
            }
            let is_end = matches!(
                ended.how,
                ProcessEnd::Returned | ProcessEnd::Exited(_) | ProcessEnd::Signaled(_)
            );
            match (purpose, subject) {
                // Repeated processes do not tell their end; the run of `Purpose::Check` before did.
                (Purpose::Sample(_), Subject::Command(_)) | (Purpose::Calibrate(_), _) => {}
                // The figures are there; a failed recording is no failure of the benchmark.
                (Purpose::Record, _) if !is_end => {
                    let benchmark = &self.job.benchmark_path;
                    log::warn!("{benchmark}: `perf record` {}", how_text(&ended.how));
                }
                _ => {
                    let before = outcome.as_ref();
                    if !is_end || before.is_some_and(|before| before.how != ended.how) {
                        return Ok(ControlFlow::Break(ended));
                    }
                    outcome = Some(ended);
                }
            }
        }
        Ok(ControlFlow::Continue(outcome))
    }

    /// The same run for another purpose.
    fn with(self, purpose: Purpose) -> Self {
        let invocation = Invocation {
            purpose,
            ..self.invocation
        };
        Self { invocation, ..self }
    }

    fn run(&self) -> Result<EndedProcess> {
        match &self.job.target.subject {
            Subject::Case(case) => self.of_case(case),
            Subject::Command(command) => {
                let (job, directory) = (self.job, self.directory);
                self.valgrind
                    .around_command(job, command, directory, self.capture, self)
            }
        }
    }

    /// Does perf repeat the program? If not, takes the figures of the run before: perf 7 does not
    /// repeat a program that ends by a signal.
    fn takes_single_run(&self, ended: &EndedProcess) -> Result<bool> {
        let once = self.with(Purpose::Check).invocation.output(self.directory);
        let is_repeated = self.invocation.repeats().is_some();
        let not_started = matches!(ended.how, ProcessEnd::NotStarted(_));
        if !not_started || !is_repeated || !once.is_file() {
            return Ok(false);
        }
        log::warn!(
            "{}: perf does not repeat it: {}",
            self.job.benchmark_path,
            how_text(&ended.how)
        );
        let output = self.invocation.output(self.directory);
        fs::copy(&once, output).context("copy", &once)?;
        Ok(true)
    }

    /// Runs a case once, to find out the end of a repeated process that failed. If the case returns
    /// now, the outcome remains `unknown`.
    fn explained(&self, unknown: EndedProcess) -> Result<EndedProcess> {
        match (&self.job.target.subject, &unknown.how) {
            (Subject::Case(case), ProcessEnd::NotStarted(_)) => {
                let ended = self.with(Purpose::Check).of_case(case)?;
                Ok(match ended.how {
                    ProcessEnd::Returned => unknown,
                    _ => ended,
                })
            }
            _ => Ok(unknown),
        }
    }
}

/// Ends perf after it has written its counts. The process that it started is killed with its group.
fn stop(running: &Running) {
    // perf may have ended in this moment.
    let _ = kill(Pid::from_raw(running.pid()), Signal::SIGTERM);
}
