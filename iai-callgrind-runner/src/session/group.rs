//! The benchmarks of groups, side by side if wanted, reported one after the other in their order.

use std::sync::Arc;

use super::by_id::Earlier;
use super::expectations::{GroupExpectations, KeptResults};
use super::queue::{self, Handler, Worker};
use super::ratios::GroupRatios;
use super::Session;
use crate::error::{with_causes, Error, Result};
use crate::execute::{Ahead, FailedJob, JobFailure, JobRunner, OutputChannel, RunAhead, Turns};
use crate::measure::{self, Outcome, ToolOutcome};
use crate::plan::{Job, PlannedBenchmark, PlannedGroup};
use crate::run_report::{Event, UnderTool};
use base::exit::Exit;
use base::tool::Tool;
use records::summary::{Baselines, Record, Regression, Summary};
use verdict::{recorded, BenchGrowth, ComparisonById, ToolFigures, UnmetExpectation};

impl Session<'_> {
    /// Runs and reports the benchmarks of adjacent groups, as many at a time as these groups allow.
    pub(super) fn groups<'a>(&mut self, groups: &'a [PlannedGroup]) -> Result<()> {
        let (store, launch, context) = (self.store, self.launch, self.context);
        let (baseline, symbolizer) = (&self.plan.baseline, self.symbolizer.clone());
        let time_base = self.plan.time_base.as_ref();
        let is_timed = self.plan.is_timed();
        let channel = self.report.channel();
        let members: Vec<Member<'a>> = groups.iter().flat_map(Member::of).collect();
        // `are_together` joins only groups with the same number.
        let parallel = groups.first().map_or(1, |group| group.parallel);
        // The output of one benchmark is shown while it runs. Several at a time would mix their
        // output, so it waits for the turn of its benchmark.
        let several = parallel > 1 && members.len() > 1;
        let benchmarks: Vec<_> = members.iter().map(|member| member.benchmark).collect();
        let turns = Turns::new(members.len());
        let measure = |benchmark: &PlannedBenchmark, ahead: &Ahead<'_>| {
            let channel = match several {
                true => channel.waiting(),
                false => channel.clone(),
            };
            let runner = JobRunner {
                store,
                launch,
                channel,
                // Nothing runs beside a benchmark on the clock.
                ahead: (!is_timed).then_some(ahead as &dyn RunAhead),
            };
            let olds = (baseline, time_base);
            let outcome = measure::measure(benchmark, olds, context, &runner, &symbolizer);
            (outcome, runner.channel)
        };
        let worker = || GroupWorker {
            ahead: Ahead::new(launch, &benchmarks, &turns),
            measure: &measure,
        };
        let mut reported = Reported {
            baselines: baseline.titles(),
            group: None,
            earlier: None,
            expectations: GroupExpectations::default(),
            ratios: GroupRatios::default(),
            session: self,
        };
        let outcome = queue::in_order(&members, &turns, parallel, worker, &mut reported);
        // Benchmarks before a regression that stops the run are worth their comparison, and those
        // before Ctrl-C are not.
        if matches!(outcome, Ok(()) | Err(Error::FailFast)) {
            reported.end_group()?;
        }
        outcome
    }

    fn count(&mut self, ending: &ReportedOutcome) {
        let (counter, exit) = match (ending.failed, ending.regressed) {
            (true, _) => (&mut self.counts.failed, Exit::Error),
            (false, true) => (&mut self.counts.regressed, Exit::Regression),
            (false, false) => (&mut self.counts.ok, Exit::Ok),
        };
        *counter += 1;
        self.exit = self.exit.and(exit);
    }
}

/// Measures one benchmark after the other.
struct GroupWorker<'a, M> {
    ahead: Ahead<'a>,
    measure: &'a M,
}

impl<M> Worker<Member<'_>, (Outcome, OutputChannel)> for GroupWorker<'_, M>
where
    M: Fn(&PlannedBenchmark, &Ahead<'_>) -> (Outcome, OutputChannel),
{
    fn turn(&self) -> Option<usize> {
        self.ahead.turn()
    }

    fn work(&self, member: &Member<'_>) -> (Outcome, OutputChannel) {
        (self.measure)(member.benchmark, &self.ahead)
    }
}

/// A benchmark of a group.
struct Member<'a> {
    group: &'a PlannedGroup,
    benchmark: &'a PlannedBenchmark,
}

impl<'a> Member<'a> {
    fn of(group: &'a PlannedGroup) -> impl Iterator<Item = Self> {
        let benchmarks = group.benchmarks.iter();
        benchmarks.map(move |benchmark| Self { group, benchmark })
    }
}

/// The benchmarks of groups that were reported.
struct Reported<'a, 'b, 'c> {
    session: &'a mut Session<'b>,
    baselines: Baselines,
    /// Group of the benchmark that was reported last.
    group: Option<&'c PlannedGroup>,
    /// Benchmarks of this group that later ones of the same id are compared with; `None`: the group
    /// compares none.
    earlier: Option<Earlier>,
    /// Counts of this group with which later ones are compared.
    expectations: GroupExpectations,
    /// Counts of this group that have to be in a ratio.
    ratios: GroupRatios,
}

/// Outcome of a benchmark under all of its tools.
#[derive(Default)]
struct ReportedOutcome {
    failed: bool,
    regressed: bool,
    /// A limit was exceeded that stops the run.
    stop: bool,
    counted: Vec<ToolFigures>,
    /// The records of the old results, each once, with the tools of these.
    old_records: Vec<(Arc<str>, Vec<Tool>)>,
    /// Expectations that the benchmark does not meet, by tool.
    unmet: Vec<(Tool, UnmetExpectation)>,
    /// Growth of the counts up to this benchmark.
    growth: Vec<(Tool, BenchGrowth)>,
}

impl ReportedOutcome {
    /// Most often the results of all tools have one record.
    fn add_old(&mut self, record: Option<Arc<str>>, tool: Tool) {
        let Some(record) = record else { return };
        let mut known = self.old_records.iter_mut();
        match known.find(|(known, _)| *known == record) {
            Some((_, tools)) => tools.push(tool),
            None => self.old_records.push((record, vec![tool])),
        }
    }
}

impl<'c> Handler<Member<'c>, (Outcome, OutputChannel), Error> for Reported<'_, '_, 'c> {
    fn begin(&mut self, member: &Member<'c>) -> Result<()> {
        let Member { group, benchmark } = *member;
        if !self.group.is_some_and(|last| std::ptr::eq(last, group)) {
            self.end_group()?;
            self.group = Some(group);
            self.expectations = GroupExpectations::default();
            self.ratios = GroupRatios::default();
            self.earlier = group.compare_by_id.then(Earlier::default);
        }
        Ok(self
            .session
            .report
            .event(Event::BenchmarkBegins(benchmark))?)
    }

    fn done(
        &mut self,
        &Member { group, benchmark }: &Member<'c>,
        (outcome, channel): (Outcome, OutputChannel),
    ) -> Result<()> {
        // The output is between the headline, which `begin` has printed, and the results. The
        // record comes last: it has the comparisons with earlier benchmarks, which need the figures
        // of all tools.
        channel.show_waiting();
        self.session.report.event(Event::OutputEnds(benchmark))?;
        let Outcome { summary, tools } = outcome;
        let mut ending = ReportedOutcome::default();
        for (tool, result) in tools {
            self.under_tool(group, benchmark, tool, result, &mut ending)?;
        }
        if let Some(time) = &summary.time {
            let exceeded = time.exceeded_limit.is_some();
            ending.regressed |= exceeded;
            ending.stop |= exceeded && benchmark.jobs.iter().any(|job| job.fail_fast);
            let event = Event::Timed { benchmark, time };
            self.session.report.event(event)?;
        }
        self.session.count(&ending);
        let counted = std::mem::take(&mut ending.counted);
        let by_id = self.compare(benchmark, counted)?;
        for (_, growth) in &ending.growth {
            let event = Event::Growth { benchmark, growth };
            self.session.report.event(event)?;
        }
        for (record, tools) in &ending.old_records {
            let event = Event::ComparedWith { record, tools };
            self.session.report.event(event)?;
        }
        let amended = amended(summary, &by_id, &ending);
        self.summary(benchmark, amended)?;
        // Only now: the benchmark that ends the run is reported as a whole.
        match ending.stop {
            true => Err(Error::FailFast),
            false => Ok(()),
        }
    }
}

impl Reported<'_, '_, '_> {
    /// Reports the group of the last benchmark, if there was one.
    fn end_group(&mut self) -> Result<()> {
        let unchecked = self.group.map(|group| self.ratios.unchecked(group));
        for warning in unchecked.unwrap_or_default() {
            self.session.report.event(Event::Unchecked(&warning))?;
        }
        let Some(earlier) = self.earlier.take() else {
            return Ok(());
        };
        Ok(self
            .session
            .report
            .event(Event::GroupCompared(earlier.all()))?)
    }

    /// Reports the outcome of a benchmark under one tool.
    fn under_tool(
        &mut self,
        group: &PlannedGroup,
        benchmark: &PlannedBenchmark,
        tool: Tool,
        result: Result<ToolOutcome, FailedJob>,
        ending: &mut ReportedOutcome,
    ) -> Result<()> {
        match result {
            Ok(measured) => self.measured(group, benchmark, measured, ending),
            // After Ctrl-C, for example, the failure of the benchmark that was running is of no
            // interest.
            Err(FailedJob {
                failure: JobFailure::Run(error),
                ..
            }) if error.ends_run() => Err(error),
            Err(FailedJob { failure, output }) => {
                ending.failed = true;
                Ok(self.session.report.event(Event::Failed {
                    benchmark,
                    tool,
                    failure: &failure,
                    output: &output,
                })?)
            }
        }
    }

    fn measured(
        &mut self,
        group: &PlannedGroup,
        benchmark: &PlannedBenchmark,
        measured: ToolOutcome,
        ending: &mut ReportedOutcome,
    ) -> Result<()> {
        let mut result = measured.result;
        ending.add_old(measured.old_record, result.tool);
        let (tool, metrics) = (result.tool, &measured.metrics);
        let kept = KeptResults {
            store: self.session.store,
            slot: &self.session.plan.baseline.write,
        };
        let expectations = &mut self.expectations;
        result.unmet = expectations.unequal(benchmark, tool, metrics, kept);
        if let Some(growth) = expectations.growth(group, benchmark, tool, metrics) {
            result.unmet.extend(growth.unmet());
            ending.growth.push((tool, growth));
        }
        let exceeded = self.ratios.exceeded(group, benchmark, tool, metrics);
        result.unmet.extend(exceeded);
        let unmet = result.unmet.iter().map(|unmet| (tool, unmet.clone()));
        ending.unmet.extend(unmet);
        let exceeded = !result.regressions.is_empty() || !result.unmet.is_empty();
        ending.failed |= measured.failure.is_some();
        ending.regressed |= exceeded;
        ending.stop |= exceeded && fails_fast(benchmark, result.tool);
        // The names of the baselines hold for all tools: they are printed with the first.
        let is_first = ending.counted.is_empty();
        self.session.report.event(Event::Measured(UnderTool {
            benchmark,
            baselines: is_first.then_some(&self.baselines),
            result: &result,
            circumstances: &measured.circumstances,
            errors: measured.failure.as_ref(),
        }))?;
        ending.counted.push(ToolFigures {
            tool: result.tool,
            in_tables: benchmark.rows_for_people(result.tool, &result.format),
            format: result.format,
            metrics: measured.metrics,
        });
        Ok(())
    }

    /// Compares with earlier benchmarks of the same id.
    fn compare(
        &mut self,
        benchmark: &PlannedBenchmark,
        counted: Vec<ToolFigures>,
    ) -> Result<Vec<ComparisonById>> {
        let Some(earlier) = &mut self.earlier else {
            return Ok(Vec::new());
        };
        let by_id = earlier.compare(&benchmark.path, counted);
        if !by_id.is_empty() {
            let by_id = &by_id;
            self.session
                .report
                .event(Event::Compared { benchmark, by_id })?;
        }
        Ok(by_id)
    }

    /// Reports the summary, and completes `summary.json` with comparisons to other benchmarks of
    /// the group.
    fn summary(&mut self, benchmark: &PlannedBenchmark, amended: AmendedSummary) -> Result<()> {
        let Session {
            report,
            store,
            context,
            ..
        } = &*self.session;
        let AmendedSummary { summary, is_other } = amended;
        // `summary.json` was written before the benchmark was compared with others.
        if is_other {
            let record = Record::Benchmark(Box::new(summary.clone()));
            let json = record.to_bytes(context.pretty)?;
            if let Err(error) = store.complete_summary(&benchmark.path, &json) {
                report.event(Event::Warning(&with_causes(&error)))?;
            }
        }
        Ok(report.event(Event::BenchmarkEnds(&summary))?)
    }
}

/// A summary with comparisons to other benchmarks of the group.
struct AmendedSummary {
    summary: Summary,
    /// Does it differ from the summary that was kept?
    is_other: bool,
}

fn amended(
    mut summary: Summary,
    by_id: &[ComparisonById],
    ending: &ReportedOutcome,
) -> AmendedSummary {
    summary.comparisons = by_id.iter().flat_map(recorded::comparisons).collect();
    let growth = ending.growth.iter();
    summary.growth = growth
        .map(|(tool, growth)| recorded::growth(growth, *tool))
        .collect();
    for (tool, unmet) in &ending.unmet {
        let mut profiles = summary.profiles.iter_mut();
        if let Some(profile) = profiles.find(|profile| profile.tool == tool.id()) {
            profile.regressions.push(Regression::from(unmet));
        }
    }
    let is_other =
        !summary.comparisons.is_empty() || !summary.growth.is_empty() || !ending.unmet.is_empty();
    AmendedSummary {
        summary: summary.judged(),
        is_other,
    }
}

/// Does a regression under this tool end the run?
fn fails_fast(benchmark: &PlannedBenchmark, tool: Tool) -> bool {
    let is_it = |job: &Job| job.tool == tool && job.fail_fast;
    benchmark.jobs.iter().any(is_it)
}
