//! Events to the record of a run, which is the last object of its results.

mod about;

use self::about::About;
use super::changes::ChangeTally;
use super::event::Event;
use crate::error::{with_causes, Error};
use crate::machine::host::Host;
use base::exit::Exit;
use records::summary::{Clock, Counts, Ending, Run, RunContext, Status, System, Valgrind, VERSION};

/// Gathers the record of a run that began when this was made.
#[derive(Debug)]
pub(super) struct RunRecord {
    clock: Clock,
    /// Facts of this machine, for a run that ends before it has a plan.
    system: System,
    about: Option<About>,
    counts: Counts,
    changes: ChangeTally,
    /// The error that stopped the run.
    stopped: Option<String>,
    warnings: Vec<String>,
    unchecked: Vec<String>,
    errors: Vec<String>,
}

impl RunRecord {
    /// The record of a run that begins now.
    pub(super) fn new(system: System) -> Self {
        Self {
            clock: Clock::start(),
            system,
            about: None,
            counts: Counts::default(),
            changes: ChangeTally::default(),
            stopped: None,
            warnings: Vec::new(),
            unchecked: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// Collects the facts of an event that the record contains.
    pub(super) fn event(&mut self, event: Event<'_>) {
        self.changes.event(event);
        match event {
            Event::Planned { plan, context } => self.about = Some(About::new(plan, context)),
            Event::Hosted(host) => {
                if let Some(about) = &mut self.about {
                    about.valgrind = valgrind(host);
                }
            }
            Event::Warning(text) => self.warnings.push(text.to_owned()),
            Event::Unchecked(text) => {
                self.warnings.push(text.to_owned());
                self.unchecked.push(text.to_owned());
            }
            Event::Gone {
                text, is_failure, ..
            } => match is_failure {
                true => self.errors.push(text.to_owned()),
                false => self.warnings.push(text.to_owned()),
            },
            Event::Measured(measured) => self.said_once(measured.circumstances),
            Event::HookFailed { name, failure, .. } => {
                self.errors.push(format!("{name} {}", with_causes(failure)));
            }
            Event::Stopped(error) => self.stopped = Some(with_causes(error)),
            Event::BenchmarkEnds(summary) => {
                let counter = match summary.status {
                    Status::Ok => &mut self.counts.ok,
                    Status::Regressed => &mut self.counts.regressed,
                    Status::Failed => &mut self.counts.failed,
                };
                *counter += 1;
            }
            _ => {}
        }
    }

    /// Adds warnings about conditions, each once: most often they hold for all benchmarks alike.
    fn said_once(&mut self, circumstances: &[String]) {
        for text in circumstances {
            if !self.warnings.contains(text) {
                self.warnings.push(text.clone());
            }
        }
    }

    /// The record of the run, which ends like this.
    pub(super) fn end(&mut self, exit: Exit, error: Option<&Error>) -> Run {
        let ending = self.ending(exit, error);
        let signal = match error {
            Some(Error::Interrupted(signal)) => Some(*signal),
            _ => None,
        };
        // A run that ends before it has a plan knows this machine at least.
        let unplanned = || About::unplanned(self.system.clone());
        let about = self.about.take().unwrap_or_else(unplanned);
        let done = self.counts.ok + self.counts.regressed + self.counts.failed;
        let context = about.context;
        let named = |name: fn(&RunContext) -> &String| context.as_ref().map(name).cloned();
        let selection = context.as_ref().map(|context| context.selection.clone());
        let selection = selection.unwrap_or_default();
        Run {
            version: VERSION,
            package: named(|context| &context.package),
            file: named(|context| &context.file),
            label: context.as_ref().and_then(|context| context.label.clone()),
            source: context
                .as_ref()
                .map(|context| context.source.get())
                .unwrap_or_default(),
            ending,
            // After a signal the runner ends by that signal and has no exit code.
            exit_code: signal.is_none().then_some(exit as i32),
            signal,
            message: self
                .stopped
                .take()
                .or(error.map(|error| with_causes(error))),
            counts: Counts {
                filtered: about.filtered as u64,
                not_run: (about.selected as u64).saturating_sub(done),
                ..self.counts
            },
            changes: self.changes.changes.clone(),
            partition: selection.partition,
            filters: selection.filter.select,
            skip: selection.filter.skip,
            exact: selection.filter.exact,
            suite: selection.suite,
            started_at: self.clock.started_at(),
            duration_ns: self.clock.elapsed_ns(),
            baselines: about.baselines,
            files: context.map(|context| context.files),
            system: about.system,
            valgrind: about.valgrind,
            warnings: std::mem::take(&mut self.warnings),
            unchecked: std::mem::take(&mut self.unchecked),
            errors: std::mem::take(&mut self.errors),
        }
    }

    fn ending(&self, exit: Exit, error: Option<&Error>) -> Ending {
        match (error, exit) {
            (Some(Error::Interrupted(_)), _) => Ending::Interrupted,
            (Some(_), _) => Ending::Error,
            (None, _) if self.stopped.is_some() => Ending::FailFast,
            (None, Exit::Ok) => Ending::Ok,
            (None, Exit::Regression) => Ending::Regression,
            (None, Exit::Error | Exit::Usage | Exit::NotComparable) => Ending::Failure,
        }
    }
}

/// The Valgrind that benchmarks run under. `None`: nothing runs under Valgrind.
fn valgrind(host: &Host) -> Option<Valgrind> {
    let is_there = host.valgrind.is_absolute() || host.tool_runner.is_some();
    is_there.then(|| Valgrind {
        path: host.valgrind.display().to_string(),
        version: host.version().map(|version| version.text.clone()),
    })
}
