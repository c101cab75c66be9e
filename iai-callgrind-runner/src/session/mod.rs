//! The benchmarks of a plan, run and reported: levels with their setups and teardowns around
//! groups.
//!
//! In: a plan, and a `Launch` that runs its jobs. Out: events, results in the store, and the exit
//! code. The benchmarks of a group are in `group.rs`.

mod by_id;
mod executable;
mod expectations;
pub mod gone_benchmarks;
mod group;
mod queue;
mod ratios;
pub(crate) mod unknown_baseline;

use std::time::Instant;

use crate::error::{Error, Result};
use crate::execute::{EndedProcess, Hook, JobFailure, Launch, ProcessEnd};
use crate::measure::recorded;
use crate::plan::{LevelHooks, Plan, PlannedGroup};
use crate::run_report::{Event, OutcomeCounts, Reports};
use base::exit::Exit;
use records::summary::{Clock, RunContext};
use store::Store;
use symbols::Symbolizer;

/// Runs a plan: every job, between the setups and teardowns around it.
///
/// # Errors
///
/// The runner was asked to stop, or the report cannot be written. Everything that goes wrong with
/// one benchmark is reported, and the run goes on.
pub fn run(
    plan: &Plan,
    context: &RunContext,
    store: &Store,
    launch: &dyn Launch,
    report: &Reports,
) -> Result<Exit> {
    let start = Instant::now();
    if let Some(warning) = store.warning() {
        report.event(Event::Warning(warning))?;
    }
    let mut session = Session {
        plan,
        context,
        store,
        launch,
        report,
        counts: OutcomeCounts::of(plan),
        exit: Exit::Ok,
        symbolizer: executable::symbolizer(plan, store),
    };
    let outcome = session.all();
    match outcome {
        // All teardowns have run, and the benchmarks until then are worth a total.
        Err(error @ Error::FailFast) => report.event(Event::Stopped(&error))?,
        outcome => outcome?,
    }
    report.event(Event::Totals {
        counts: session.counts,
        elapsed: plan.listed_in + start.elapsed(),
        wanted: plan.summary,
        told: Some(&store.hints()),
    })?;
    Ok(session.exit)
}

/// May these groups be measured without a wait between them? Nothing happens there if they have no
/// hooks.
fn are_together(first: &PlannedGroup, second: &PlannedGroup) -> bool {
    let has_hooks = |group: &PlannedGroup| group.hooks.exist.setup || group.hooks.exist.teardown;
    !has_hooks(first) && !has_hooks(second) && first.parallel == second.parallel
}

/// A run in progress.
struct Session<'a> {
    plan: &'a Plan,
    context: &'a RunContext,
    store: &'a Store,
    launch: &'a dyn Launch,
    report: &'a Reports,
    counts: OutcomeCounts,
    exit: Exit,
    symbolizer: Symbolizer,
}

impl Session<'_> {
    fn all(&mut self) -> Result<()> {
        let plan = self.plan;
        self.level(&plan.hooks, &plan.groups, |session| {
            for groups in plan.groups.chunk_by(are_together) {
                // Groups with hooks are alone in their chunk, so these hooks are those of all
                // groups in it.
                session.level(&groups[0].hooks, groups, |session| session.groups(groups))?;
            }
            Ok(())
        })
    }

    /// Runs the benchmarks of a level between its setup and its teardown. If the setup fails, they
    /// fail and the teardown does not run; else the teardown runs in any case.
    fn level(
        &mut self,
        hooks: &LevelHooks,
        groups: &[PlannedGroup],
        inner: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        if hooks.exist.setup {
            if let Some(how) = self.hook(hooks, Hook::Setup)? {
                return self.not_set_up(hooks, groups, how);
            }
        }
        let outcome = inner(self);
        // Also after an error, which may be a signal: the setup may have started servers or made
        // files.
        if hooks.exist.teardown {
            self.hook(hooks, Hook::Teardown)?;
        }
        outcome
    }

    /// Returns how the hook ended, unless it ended well.
    fn hook(&mut self, hooks: &LevelHooks, hook: Hook) -> Result<Option<ProcessEnd>> {
        let channel = self.report.channel();
        let EndedProcess { how, output, .. } = self.launch.assist(hooks, hook, &channel)?;
        if how == ProcessEnd::Returned {
            return Ok(None);
        }
        let failure = JobFailure::Ended {
            how: how.clone(),
            valgrind: Box::default(),
            passes_natively: false,
            hint: None,
        };
        self.report.event(Event::HookFailed {
            name: &format!("{} of `{}`", hook.name(), hooks.level),
            failure: &failure,
            output: &output,
        })?;
        // A teardown that fails spoils no result, but the run was not as it should be.
        self.exit = Exit::Error;
        Ok(Some(how))
    }

    /// Reports the benchmarks of these groups as failed, since their setup failed.
    fn not_set_up(
        &mut self,
        hooks: &LevelHooks,
        groups: &[PlannedGroup],
        how: ProcessEnd,
    ) -> Result<()> {
        let how = ProcessEnd::NotSetUp(Box::new(how));
        let message = format!("{how}, the one of `{}`", hooks.level);
        for benchmark in groups.iter().flat_map(|group| &group.benchmarks) {
            self.counts.failed += 1;
            let names = self.plan.baseline.names();
            let mut summary =
                recorded::new_summary(benchmark, names, (Clock::start(), 0), self.context);
            let failure = recorded::failure_of_setup(message.clone(), &how);
            summary.failures.push(failure);
            // People have read of the setup; programs count benchmarks.
            self.report.event(Event::BenchmarkEnds(&summary.judged()))?;
        }
        Ok(())
    }
}
