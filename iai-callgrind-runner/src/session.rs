//! The jobs of a plan, run and reported: levels with their setups and teardowns, groups, and what the
//! exit code has to say about them.

use std::time::Duration;

use crate::compare;
use crate::error::{Error, Result};
use crate::execute::{Ended, Failure, Hook, How, Launch};
use crate::exit::Exit;
use crate::identity::Identity;
use crate::measure::{self, Failed, Measured};
use crate::metrics::Metrics;
use crate::plan::{self, Hooks, Job, Plan};
use crate::queue::{self, Handler};
use crate::report::{Counts, Terminal};
use crate::store::Store;

/// What has run so far.
pub(crate) struct Session<'a> {
    store: &'a Store,
    launch: &'a dyn Launch,
    report: &'a mut Terminal,
    counts: Counts,
    exit: Exit,
    /// What was said once and holds for the rest as well.
    told: Vec<String>,
}

impl<'a> Session<'a> {
    /// Nothing has run yet.
    pub(crate) fn new(
        plan: &Plan,
        store: &'a Store,
        launch: &'a dyn Launch,
        report: &'a mut Terminal,
    ) -> Self {
        Self {
            store,
            launch,
            report,
            counts: Counts::of(plan),
            exit: Exit::Ok,
            told: Vec::new(),
        }
    }

    /// Runs everything, between the setups and teardowns around it.
    pub(crate) fn plan(&mut self, plan: &Plan) -> Result<()> {
        let jobs = plan.groups.iter().map(|group| group.jobs.len()).sum();
        self.level(&plan.hooks, jobs, |session| {
            for group in &plan.groups {
                session.level(&group.hooks, group.jobs.len(), |session| {
                    session.group(group)
                })?;
            }
            Ok(())
        })
    }

    /// Reports the end, and says how it all went.
    pub(crate) fn done(self, elapsed: Duration) -> Result<Exit> {
        self.report.done(&self.counts, elapsed)?;
        Ok(self.exit)
    }

    /// Runs what is in a level between its setup and its teardown. Without a good setup the level's
    /// benchmarks fail; the teardown of what was set up runs in any case.
    fn level(
        &mut self,
        hooks: &Hooks,
        jobs: usize,
        inner: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        if hooks.exist.setup && !self.hook(hooks, Hook::Setup)? {
            self.counts.failed += jobs;
            return Ok(());
        }
        let outcome = inner(self);
        if hooks.exist.teardown {
            self.hook(hooks, Hook::Teardown)?;
        }
        outcome
    }

    /// Returns whether the hook ended well.
    fn hook(&mut self, hooks: &Hooks, hook: Hook) -> Result<bool> {
        let Ended { how, output, .. } = self.launch.assist(hooks, hook)?;
        if how == How::Returned {
            return Ok(true);
        }
        let name = format!("{} of `{}`", hook.name(), hooks.level);
        let failure = Failure::Ended {
            how,
            valgrind: Vec::new(),
        };
        self.report.failed(&name, &failure, &output)?;
        self.exit = Exit::Error;
        Ok(false)
    }

    /// Reports a benchmark without a result. What is wrong with many of them, such as an executable
    /// without symbols, is explained once.
    fn failed(&mut self, job: &Job, failure: &Failure, output: &[u8]) -> Result<()> {
        let name = format!("benchmark `{}`", job.identity);
        let text = failure.to_string();
        if self.told.contains(&text) {
            let first = text.lines().next().unwrap_or_default();
            return Ok(self.report.failed_too(&name, first, output)?);
        }
        self.told.push(text);
        Ok(self.report.failed(&name, failure, output)?)
    }

    /// Runs the benchmarks of a group, side by side if wanted, and reports them in their order.
    fn group(&mut self, group: &plan::Group) -> Result<()> {
        let (store, launch) = (self.store, self.launch);
        let mut reports = GroupReports {
            session: self,
            compare_by_id: group.compare_by_id,
            earlier: Vec::new(),
        };
        let work = |job: &Job| measure::measure(job, store, launch);
        queue::in_order(&group.jobs, group.parallel, work, &mut reports)
    }
}

/// Reports the benchmarks of a group.
struct GroupReports<'a, 'b> {
    session: &'a mut Session<'b>,
    compare_by_id: bool,
    /// Benchmarks with an id that later ones can be compared with.
    earlier: Vec<(Identity, Metrics)>,
}

impl Handler<Job, Result<Measured, Failed>, Error> for GroupReports<'_, '_> {
    fn begin(&mut self, job: &Job) -> Result<()> {
        Ok(self.session.report.started(&job.identity, job.truncate)?)
    }

    fn done(&mut self, job: &Job, outcome: Result<Measured, Failed>) -> Result<()> {
        match outcome {
            Ok(measured) => self.measured(job, measured),
            Err(Failed {
                failure: Failure::Run(error @ Error::Interrupted(_)),
                ..
            }) => Err(error),
            Err(Failed { failure, output }) => {
                let session = &mut *self.session;
                session.failed(job, &failure, &output)?;
                session.counts.failed += 1;
                session.exit = Exit::Error;
                Ok(())
            }
        }
    }
}

impl GroupReports<'_, '_> {
    fn measured(&mut self, job: &Job, measured: Measured) -> Result<()> {
        let Measured {
            mut result,
            metrics,
            circumstances,
        } = measured;
        if self.compare_by_id && job.identity.id.is_some() {
            let same = self
                .earlier
                .iter()
                .filter(|(other, _)| other.id == job.identity.id);
            result.by_id = same
                .map(|(other, theirs)| (other.clone(), compare::compare(theirs, Some(&metrics))))
                .collect();
            self.earlier.push((job.identity.clone(), metrics));
        }
        let session = &mut *self.session;
        if result.regressions.is_empty() {
            session.counts.ok += 1;
        } else {
            session.counts.regressed += 1;
            session.exit = session.exit.max(Exit::Regression);
        }
        session
            .report
            .finished(&result, &job.format, job.tolerance)?;
        for circumstance in circumstances {
            if !session.told.contains(&circumstance) {
                session.report.warning(&circumstance)?;
                session.told.push(circumstance);
            }
        }
        Ok(())
    }
}
