//! The report for programs: an object for each benchmark, and one at the end of the run.

use std::io;

use crate::cli::Format;
use crate::error::Error;
use crate::exit::Exit;
use crate::plan::Plan;
use crate::summary::{
    Baselines, Clock, Context, Counts, Ending, Files, Record, Run, Status, Summary, System,
    Valgrind, VERSION,
};

/// What a run says about itself.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// Which benchmarks belong to it.
    pub baselines: Baselines,
    /// How many benchmarks were selected.
    pub selected: usize,
    /// How many were not.
    pub filtered: usize,
    /// What was run and where the results are.
    pub files: Files,
    /// What figures depend on.
    pub system: System,
    /// What measures.
    pub valgrind: Option<Valgrind>,
}

impl About {
    /// Of a plan.
    #[must_use]
    pub fn new(plan: &Plan, context: &Context, valgrind: Option<Valgrind>) -> Self {
        let (new, old) = plan.baseline.names();
        Self {
            baselines: Baselines { new, old },
            selected: plan.len(),
            filtered: plan.filtered,
            files: context.files.clone(),
            system: context.system.clone(),
            valgrind,
        }
    }
}

/// What goes to stdout instead of text, and what is to be said at the end.
#[derive(Debug)]
pub(super) struct Json {
    format: Format,
    clock: Clock,
    system: System,
    about: Option<About>,
    counts: Counts,
    /// What stopped the run.
    stopped: Option<String>,
    pub(super) warnings: Vec<String>,
    pub(super) errors: Vec<String>,
}

impl Json {
    /// A run begins now.
    pub(super) fn new(format: Format, system: System) -> Self {
        Self {
            format,
            clock: Clock::start(),
            system,
            about: None,
            counts: Counts::default(),
            stopped: None,
            warnings: Vec::new(),
            errors: Vec::new(),
        }
    }

    pub(super) fn about(&mut self, about: About) {
        self.about = Some(about);
    }

    pub(super) fn stopped(&mut self, reason: String) {
        self.stopped = Some(reason);
    }

    /// The object of a benchmark.
    pub(super) fn benchmark(&mut self, summary: Summary) -> io::Result<Vec<u8>> {
        let counter = match summary.status {
            Status::Ok => &mut self.counts.ok,
            Status::Regressed => &mut self.counts.regressed,
            Status::Failed => &mut self.counts.failed,
        };
        *counter += 1;
        Record::Benchmark(Box::new(summary)).to_bytes(self.format.is_pretty())
    }

    /// The object of the run.
    pub(super) fn run(&mut self, exit: Exit, error: Option<&Error>) -> io::Result<Vec<u8>> {
        let about = self.about.take();
        let signal = match error {
            Some(Error::Interrupted(signal)) => Some(*signal),
            _ => None,
        };
        let Counts {
            ok,
            regressed,
            failed,
            ..
        } = self.counts;
        let (selected, filtered) = about
            .as_ref()
            .map_or((0, 0), |about| (about.selected, about.filtered));
        let ending = match (error, exit) {
            (Some(Error::Interrupted(_)), _) => Ending::Interrupted,
            (Some(_), _) => Ending::Error,
            (None, _) if self.stopped.is_some() => Ending::FailFast,
            (None, Exit::Ok) => Ending::Ok,
            (None, Exit::Regression) => Ending::Regression,
            (None, Exit::Error | Exit::Usage) => Ending::Failure,
        };
        let run = Run {
            version: VERSION,
            ending,
            exit_code: signal.is_none().then_some(exit as i32),
            signal,
            message: self.stopped.take(),
            counts: Counts {
                filtered: filtered as u64,
                not_run: (selected as u64).saturating_sub(ok + regressed + failed),
                ..self.counts
            },
            started_at: self.clock.started_at(),
            duration_ns: self.clock.elapsed_ns(),
            baselines: about
                .as_ref()
                .map(|about| about.baselines.clone())
                .unwrap_or_default(),
            valgrind: about.as_ref().and_then(|about| about.valgrind.clone()),
            files: about.as_ref().map(|about| about.files.clone()),
            system: about.map_or_else(|| self.system.clone(), |about| about.system),
            warnings: std::mem::take(&mut self.warnings),
            errors: std::mem::take(&mut self.errors),
        };
        Record::Run(Box::new(run)).to_bytes(self.format.is_pretty())
    }
}
