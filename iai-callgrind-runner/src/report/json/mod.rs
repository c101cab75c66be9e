//! The report for programs: an object for each benchmark, and one at the end of the run.

mod about;

use std::io;

use self::about::About;
use super::event::{Event, Report};
use super::streams::Streams;
use crate::cli::JsonFormat;
use crate::error::{with_causes, Error};
use crate::exit::Exit;
use crate::summary::{
    Clock, Counts, Ending, Record, Run, Source, Status, Summary, System, Valgrind, VERSION,
};

/// Writes an object for each benchmark, and gathers the fields of the one at the end.
#[derive(Debug)]
pub(super) struct Json {
    format: JsonFormat,
    clock: Clock,
    system: System,
    about: Option<About>,
    counts: Counts,
    /// The error that stopped the run.
    stopped: Option<String>,
    warnings: Vec<String>,
    errors: Vec<String>,
}

impl Json {
    /// A report of a run that begins now.
    pub(super) fn new(format: JsonFormat, system: System) -> Self {
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
}

impl Report for Json {
    fn event(&mut self, event: Event<'_>, streams: &mut Streams) -> io::Result<()> {
        match event {
            Event::Planned { plan, context } => self.about = Some(About::new(plan, context)),
            Event::Hosted(host) => {
                if let Some(about) = &mut self.about {
                    about.valgrind = Valgrind::of(host);
                }
            }
            Event::Warning(text) => self.warnings.push(text.to_owned()),
            Event::Measured(measured) => self.said_once(measured.circumstances),
            Event::HookFailed { name, failure, .. } => {
                self.errors.push(format!("{name} {}", with_causes(failure)));
            }
            Event::NotKept(error) => self.errors.push(with_causes(error)),
            Event::Stopped(error) => self.stopped = Some(with_causes(error)),
            Event::BenchmarkEnds(summary) => {
                let object = self.benchmark(summary)?;
                return streams.object(&object);
            }
            Event::RunEnds { exit, error } => {
                let object = self.run(exit, error)?;
                return streams.object(&object);
            }
            _ => {}
        }
        Ok(())
    }
}

impl Json {
    /// Adds warnings about circumstances, each once: most often they hold for all benchmarks alike.
    fn said_once(&mut self, circumstances: &[String]) {
        for text in circumstances {
            if !self.warnings.contains(text) {
                self.warnings.push(text.clone());
            }
        }
    }

    /// The object of a benchmark.
    fn benchmark(&mut self, summary: &Summary) -> io::Result<Vec<u8>> {
        let counter = match summary.status {
            Status::Ok => &mut self.counts.ok,
            Status::Regressed => &mut self.counts.regressed,
            Status::Failed => &mut self.counts.failed,
        };
        *counter += 1;
        Record::Benchmark(Box::new(summary.clone())).to_bytes(self.format.is_pretty())
    }

    /// The object of the run.
    fn run(&mut self, exit: Exit, error: Option<&Error>) -> io::Result<Vec<u8>> {
        let ending = self.ending(exit, error);
        let signal = match error {
            Some(Error::Interrupted(signal)) => Some(*signal),
            _ => None,
        };
        // A run that ends before it has a plan knows this machine at least.
        let unplanned = || About::unplanned(self.system.clone());
        let about = self.about.take().unwrap_or_else(unplanned);
        let done = self.counts.ok + self.counts.regressed + self.counts.failed;
        let run = Run {
            version: VERSION,
            package: None,
            file: None,
            label: None,
            source: Source::default(),
            ending,
            exit_code: signal.is_none().then_some(exit as i32),
            signal,
            message: self.stopped.take(),
            counts: Counts {
                filtered: about.filtered as u64,
                not_run: (about.selected as u64).saturating_sub(done),
                ..self.counts
            },
            partition: None,
            filters: Vec::new(),
            skip: Vec::new(),
            exact: false,
            suite: None,
            started_at: self.clock.started_at(),
            duration_ns: self.clock.elapsed_ns(),
            baselines: about.baselines,
            files: about.files,
            system: about.system,
            valgrind: about.valgrind,
            warnings: std::mem::take(&mut self.warnings),
            errors: std::mem::take(&mut self.errors),
        };
        Record::Run(Box::new(run)).to_bytes(self.format.is_pretty())
    }

    fn ending(&self, exit: Exit, error: Option<&Error>) -> Ending {
        match (error, exit) {
            (Some(Error::Interrupted(_)), _) => Ending::Interrupted,
            (Some(_), _) => Ending::Error,
            (None, _) if self.stopped.is_some() => Ending::FailFast,
            (None, Exit::Ok) => Ending::Ok,
            (None, Exit::Regression) => Ending::Regression,
            (None, Exit::Error | Exit::Usage) => Ending::Failure,
        }
    }
}
