//! The benchmarks of a plan, run and reported: levels with their setups and teardowns, groups, and what the
//! exit code has to say about them.

use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;

use crate::compare::{self, Baselines, ById};
use crate::error::{Error, Result};
use crate::execute::{Ended, Failed, Failure, Hook, How, JobRunner, Kept, Launch, Viewer};
use crate::exit::Exit;
use crate::identity::Identity;
use crate::measure::{self, Outcome, ToolOutcome};
use crate::metrics::{Kind, Metrics};
use crate::plan::{self, Baseline, Benchmark, Hooks, Job, Plan};
use crate::queue::{self, Handler};
use crate::report::{Counts, Terminal};
use crate::store::Store;
use crate::summary::{self, Clock, Comparison, Context, Record, Summary};
use crate::tool::Tool;

/// What has run so far.
pub(crate) struct Session<'a> {
    baseline: &'a Baseline,
    context: &'a Context,
    store: &'a Store,
    launch: &'a dyn Launch,
    report: &'a mut Terminal,
    counts: Counts,
    exit: Exit,
    /// Tell at the end how it all went.
    summary: bool,
    /// What was said once and holds for the rest as well.
    told: Vec<String>,
}

impl<'a> Session<'a> {
    /// Nothing has run yet.
    pub(crate) fn new(
        plan: &'a Plan,
        context: &'a Context,
        store: &'a Store,
        launch: &'a dyn Launch,
        report: &'a mut Terminal,
    ) -> Self {
        Self {
            baseline: &plan.baseline,
            context,
            store,
            launch,
            report,
            counts: Counts::of(plan),
            exit: Exit::Ok,
            summary: plan.summary,
            told: Vec::new(),
        }
    }

    /// Runs everything, between the setups and teardowns around it.
    pub(crate) fn plan(&mut self, plan: &Plan) -> Result<()> {
        self.level(&plan.hooks, &plan.groups, |session| {
            for group in &plan.groups {
                let this = std::slice::from_ref(group);
                session.level(&group.hooks, this, |session| session.group(group))?;
            }
            Ok(())
        })
    }

    /// Reports why the rest does not run.
    pub(crate) fn stopped(&mut self, error: &Error) -> Result<()> {
        Ok(self.report.error(error)?)
    }

    /// Reports the end, and says how it all went.
    pub(crate) fn done(self, elapsed: Duration) -> Result<Exit> {
        match self.summary {
            true => self.report.done(&self.counts, elapsed)?,
            false => self.report.end(),
        }
        Ok(self.exit)
    }

    /// Runs what is in a level between its setup and its teardown. Without a good setup the level's
    /// benchmarks fail; the teardown of what was set up runs in any case.
    fn level(
        &mut self,
        hooks: &Hooks,
        groups: &[plan::Group],
        inner: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        if hooks.exist.setup {
            if let Some(how) = self.hook(hooks, Hook::Setup)? {
                return self.not_set_up(hooks, groups, how);
            }
        }
        let outcome = inner(self);
        if hooks.exist.teardown {
            self.hook(hooks, Hook::Teardown)?;
        }
        outcome
    }

    /// The benchmarks of these groups do not run.
    fn not_set_up(&mut self, hooks: &Hooks, groups: &[plan::Group], how: How) -> Result<()> {
        let how = How::NotSetUp(Box::new(how));
        let message = format!("{how}, the one of `{}`", hooks.level);
        for benchmark in groups.iter().flat_map(|group| &group.benchmarks) {
            self.counts.failed += 1;
            let names = self.baseline.names();
            let mut summary = Summary::new(benchmark, names, Clock::start(), self.context);
            let failure = summary::Failure::of_setup(message.clone(), &how);
            summary.failures.push(failure);
            self.report.summary(summary.judged())?;
        }
        Ok(())
    }

    /// Returns how the hook ended, unless it ended well.
    fn hook(&mut self, hooks: &Hooks, hook: Hook) -> Result<Option<How>> {
        let Ended { how, output, .. } = self.launch.assist(hooks, hook, &self.report.viewer())?;
        if how == How::Returned {
            return Ok(None);
        }
        let name = format!("{} of `{}`", hook.name(), hooks.level);
        let failure = Failure::Ended {
            how: how.clone(),
            valgrind: Vec::new(),
            hint: None,
        };
        self.report.hook_failed(&name, &failure, &output)?;
        self.exit = Exit::Error;
        Ok(Some(how))
    }

    /// Reports what went wrong with a benchmark. What is wrong with many of them, such as an
    /// executable without symbols, is explained once.
    fn failed(&mut self, subject: &str, failure: &Failure, output: &[u8]) -> Result<()> {
        let mut text = failure.to_string();
        let mut cause = failure.source();
        while let Some(error) = cause {
            text = format!("{text}\n{error}");
            cause = error.source();
        }
        if self.told.contains(&text) {
            let first = text.lines().next().unwrap_or_default();
            return Ok(self.report.failed_too(subject, first, output)?);
        }
        self.told.push(text);
        Ok(self.report.failed(subject, failure, output)?)
    }

    /// Runs the benchmarks of a group, side by side if wanted, and reports them in their order.
    fn group(&mut self, group: &plan::Group) -> Result<()> {
        let (store, launch, baseline) = (self.store, self.launch, self.baseline);
        let viewer = self.report.viewer();
        let context = self.context;
        let mut reports = GroupReports {
            session: self,
            compare_by_id: group.compare_by_id,
            baselines: baseline.titles(),
            earlier: Vec::new(),
        };
        // What one benchmark prints is seen while it runs, what several do in their order.
        let several = group.parallel > 1 && group.benchmarks.len() > 1;
        let work = |benchmark: &Benchmark| {
            let kept = several.then(|| Arc::new(Kept::new(Arc::clone(&viewer))));
            let viewer = match &kept {
                Some(kept) => Arc::clone(kept) as Arc<dyn Viewer>,
                None => Arc::clone(&viewer),
            };
            let runner = JobRunner {
                store,
                launch,
                viewer,
            };
            let outcome = measure::measure(benchmark, baseline, context, &runner);
            (outcome, kept)
        };
        queue::in_order(&group.benchmarks, group.parallel, work, &mut reports)
    }
}

/// Reports the benchmarks of a group.
struct GroupReports<'a, 'b> {
    session: &'a mut Session<'b>,
    compare_by_id: bool,
    baselines: Baselines,
    /// Benchmarks with an id that later ones can be compared with.
    earlier: Vec<(Identity, Vec<(Tool, Metrics)>)>,
}

impl Handler<Benchmark, (Outcome, Option<Arc<Kept>>), Error> for GroupReports<'_, '_> {
    fn begin(&mut self, benchmark: &Benchmark) -> Result<()> {
        let Benchmark {
            identity, layout, ..
        } = benchmark;
        Ok(self.session.report.started(identity, layout)?)
    }

    fn done(
        &mut self,
        benchmark: &Benchmark,
        (outcome, kept): (Outcome, Option<Arc<Kept>>),
    ) -> Result<()> {
        if let Some(kept) = kept {
            kept.show();
        }
        self.session.report.printed(benchmark.shown())?;
        let Outcome { summary, tools } = outcome;
        let mut metrics = Vec::new();
        let mut formats = Vec::new();
        let mut regressed = false;
        let mut failed = false;
        let mut stop = false;
        for (tool, result) in tools {
            match result {
                Ok(measured) => {
                    // Once is enough: it holds for all tools.
                    let baselines = metrics.is_empty().then_some(self.baselines.clone());
                    failed |= measured.failure.is_some();
                    let exceeded = !measured.result.regressions.is_empty();
                    let is_fast = |job: &Job| job.tool == tool && job.fail_fast;
                    stop |= exceeded && benchmark.jobs.iter().any(is_fast);
                    regressed |= exceeded;
                    formats.push((tool, measured.result.format.clone()));
                    metrics.push((tool, self.measured(benchmark, baselines, measured)?));
                }
                Err(Failed {
                    failure: Failure::Run(error),
                    ..
                }) if error.ends_run() => return Err(error),
                Err(Failed { failure, output }) => {
                    failed = true;
                    let subject = subject(benchmark, tool);
                    self.session.failed(&subject, &failure, &output)?;
                }
            }
        }
        self.count(failed, regressed);
        let by_id = self.compare(benchmark, metrics, &formats)?;
        self.summary(benchmark, summary, &by_id)?;
        match stop {
            true => Err(Error::FailFast),
            false => Ok(()),
        }
    }
}

impl GroupReports<'_, '_> {
    /// Reports what one tool measured, and returns the metrics for comparisons.
    fn measured(
        &mut self,
        benchmark: &Benchmark,
        baselines: Option<Baselines>,
        measured: ToolOutcome,
    ) -> Result<Metrics> {
        let ToolOutcome {
            result,
            metrics,
            failure,
            circumstances,
            ..
        } = measured;
        let session = &mut *self.session;
        if benchmark.names_tools() {
            session.report.tool(result.tool, &benchmark.layout)?;
        }
        if let Some(baselines) = baselines {
            session.report.baselines(&baselines, &benchmark.layout)?;
        }
        session
            .report
            .measured(&benchmark.identity, &result, &benchmark.layout)?;
        for circumstance in circumstances {
            if !session.told.contains(&circumstance) {
                session.report.warning(&circumstance)?;
                session.told.push(circumstance);
            }
        }
        if let Some(failure) = failure {
            session.failed(&subject(benchmark, result.tool), &failure, &[])?;
        }
        Ok(metrics)
    }

    fn count(&mut self, failed: bool, regressed: bool) {
        let session = &mut *self.session;
        let (counter, exit) = match (failed, regressed) {
            (true, _) => (&mut session.counts.failed, Exit::Error),
            (false, true) => (&mut session.counts.regressed, Exit::Regression),
            (false, false) => (&mut session.counts.ok, Exit::Ok),
        };
        *counter += 1;
        session.exit = session.exit.and(exit);
    }

    /// Gives programs what they read, with what was compared just now.
    fn summary(
        &mut self,
        benchmark: &Benchmark,
        mut summary: Summary,
        by_id: &[ById],
    ) -> Result<()> {
        summary.comparisons = by_id.iter().flat_map(Comparison::of).collect();
        if !summary.comparisons.is_empty() {
            let record = Record::Benchmark(Box::new(summary.clone()));
            let json = record.to_bytes(self.session.context.format)?;
            let store = self.session.store;
            if let Err(error) = store.complete_summary(&benchmark.identity, &json) {
                self.session.report.warning(&summary::with_causes(&error))?;
            }
        }
        Ok(self.session.report.summary(summary)?)
    }

    /// Compares earlier benchmarks with the same id, tool by tool.
    fn compare(
        &mut self,
        benchmark: &Benchmark,
        metrics: Vec<(Tool, Metrics)>,
        formats: &[(Tool, Vec<Kind>)],
    ) -> Result<Vec<ById>> {
        let identity = &benchmark.identity;
        if !self.compare_by_id || identity.id.is_none() {
            return Ok(Vec::new());
        }
        let same = self
            .earlier
            .iter()
            .filter(|(other, _)| other.id == identity.id);
        let by_id: Vec<ById> = same
            .map(|(other, theirs)| ById {
                other: other.clone(),
                tools: formats
                    .iter()
                    .filter_map(|(tool, format)| {
                        let (_, ours) = metrics.iter().find(|(other, _)| other == tool)?;
                        let (_, theirs) = theirs.iter().find(|(other, _)| other == tool)?;
                        Some((*tool, format.clone(), compare::compare(theirs, Some(ours))))
                    })
                    .collect(),
            })
            .filter(|by_id| !by_id.tools.is_empty())
            .collect();
        self.earlier.push((identity.clone(), metrics));
        let headlines = benchmark.names_tools();
        let report = &mut self.session.report;
        report.compared(&by_id, headlines, &benchmark.layout)?;
        Ok(by_id)
    }
}

/// How messages call a benchmark.
fn subject(benchmark: &Benchmark, tool: Tool) -> String {
    match benchmark.names_tools() {
        true => format!("benchmark `{}` under {tool}", benchmark.identity),
        false => format!("benchmark `{}`", benchmark.identity),
    }
}
