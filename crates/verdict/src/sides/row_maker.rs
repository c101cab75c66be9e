//! A pair of records to rows: one for each tool and metric that is judged or wanted.

use std::rc::Rc;

use iai_callgrind::protocol::{EventKind, Truncate};

use super::benchmark_pairs::{BenchmarkPair, FactsOfPairs, PairFacts, ResultOfSide};
use super::result_limits::ResultLimits;
use super::wall_time;
use super::{functions, AgreedCounts, ComparisonOptions, ReportRow, RowFailure, RowMetric};
use crate::sides::ResultSide;
use crate::{
    compare, ComparisonRow, JudgedResult, Judgement, MetricsComparison, RowClass, SameCode,
};
use base::benchmark_path::DESCRIPTION_WIDTH;
use base::tool::Tool;
use metrics::{MetricKind, MetricValue};
use records::summary::Number;
use records::{other_input, RecordedBenchmark, RecordedTool};

/// A row, with further facts from which the whole report is made.
pub(super) struct MadeRow {
    pub(super) row: ReportRow,
    /// The metric; `None`: the row has no figures.
    pub(super) kind: Option<MetricKind>,
    /// A judgement had to be withheld.
    pub(super) is_withheld: bool,
}

/// The facts of a pair's results under one tool.
pub(super) struct ComparedTool {
    pub(super) facts: Rc<PairFacts>,
    pub(super) limits: ResultLimits,
    pub(super) tool: Tool,
    /// The listed metrics.
    pub(super) kinds: Vec<MetricKind>,
    pub(super) code: SameCode,
    /// Have both sides a result of the tool?
    pub(super) has_both: bool,
}

/// Makes rows.
pub(super) struct RowMaker<'a> {
    pub(super) new_side: &'a ResultSide,
    pub(super) options: &'a ComparisonOptions,
    pub(super) agreed: &'a dyn AgreedCounts,
    pub(super) facts: FactsOfPairs,
}

/// The result of one tool on both sides, or on one.
#[derive(Clone, Copy)]
struct ToolPair<'a> {
    tool: Tool,
    old: Option<ResultOfSide<'a>>,
    new: Option<ResultOfSide<'a>>,
}

impl RowMaker<'_> {
    /// The rows of a benchmark, and the facts of each tool that both sides have a result of.
    pub(super) fn rows(&self, pair: &BenchmarkPair<'_>) -> (Vec<MadeRow>, Vec<ComparedTool>) {
        let named = pair.named();
        if pair.new.is_empty() {
            if let Some(reason) = self.new_side.not_run(named) {
                let mut made = bare(named, RowClass::NotRun);
                made.row.remarks.push(reason.text().to_owned());
                // The record is that of the old side.
                made.row.duration_ns = None;
                return (vec![made], Vec::new());
            }
        }
        let mut rows: Vec<MadeRow> = failed(pair.new);
        let failed: Vec<Option<Tool>> = failed_tools(pair.new);
        let mut facts = Vec::new();
        for tool in pair.tools() {
            let of_tool = ToolPair {
                tool,
                old: pair.old_result(tool),
                new: pair.new_result(tool),
            };
            // The failure has its row; its old figures alone would be one more that is gone.
            let is_failed = failed.contains(&Some(tool)) || failed.contains(&None);
            if of_tool.new.is_some() || (of_tool.old.is_some() && !is_failed) {
                let (made, of_pair) = self.of_tool(of_tool);
                rows.extend(made);
                facts.push(of_pair);
            }
        }
        rows.extend(wall_time::row(pair));
        (rows, facts)
    }

    fn of_tool(&self, pair: ToolPair<'_>) -> (Vec<MadeRow>, ComparedTool) {
        let input = match (pair.old, pair.new) {
            (Some(old), Some(new)) => {
                let [old, new] = [old, new].map(|side| side.benchmark.input.as_deref());
                other_input(old, new)
            }
            _ => None,
        };
        let is_other = input.as_ref().is_some_and(|input| !input.compared);
        let compared = pair.old.filter(|_| !is_other);
        let comparison = compared_metrics(compared, pair.new);
        let facts = match (compared, pair.new) {
            (Some(old), Some(new)) => self
                .facts
                .of(&old.result.circumstances, &new.result.circumstances),
            _ => Rc::default(),
        };
        let code = same_code(&facts, compared, pair);
        // Limits on perf are globs, so the metrics have to be known.
        let mut limits = pair.limits(self.options, &comparison);
        limits.soft = comparison.limits_per_unit(limits.soft);
        let other_amount = comparison.other_amount();
        let kinds = self.kinds(pair, &limits, &comparison);
        let of_pair = ComparedTool {
            facts,
            limits,
            tool: pair.tool,
            kinds,
            code,
            has_both: compared.is_some() && pair.new.is_some(),
        };
        let mut rows = Vec::new();
        for kind in &of_pair.kinds {
            if let Some(row) = comparison.row(*kind) {
                let pair = ToolPair {
                    old: compared,
                    ..pair
                };
                let mut made = self.row(pair, &of_pair, *row, &comparison);
                // The old side was left out above, so the row looks new.
                if is_other && made.row.class == RowClass::New {
                    made.row.class = RowClass::NotCompared;
                }
                if let (Some(input), Some(named)) = (&input, pair.named()) {
                    let note = input.note(&named.function, "the old side");
                    made.row.remarks.push(note);
                }
                let note = other_amount.map(|amount| amount.note("the old side"));
                made.row.remarks.extend(note);
                rows.push(made);
            }
        }
        (rows, of_pair)
    }

    /// The metrics to list: those with limits, also if only the old side has one, those that the
    /// user wants and, if there are none, the first one of the record.
    fn kinds(
        &self,
        pair: ToolPair<'_>,
        limits: &ResultLimits,
        comparison: &MetricsComparison,
    ) -> Vec<MetricKind> {
        let mut kinds = limits.kinds();
        let dropped = pair.old.map(|old| limits.dropped(old.result));
        let wanted = self.options.metrics.iter().copied();
        let unmet = pair.new.map(|new| new.result.unmet.as_slice());
        let unmet = unmet.unwrap_or_default().iter().map(|unmet| unmet.kind);
        for kind in dropped.into_iter().flatten().chain(wanted).chain(unmet) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let per_unit = comparison.other_amount().map(|amount| amount.kind);
        kinds.extend(per_unit.filter(|kind| !kinds.contains(kind)));
        kinds.retain(|kind| comparison.row(*kind).is_some());
        // Without a row the benchmark could be neither new nor gone.
        if kinds.is_empty() {
            let record = pair.new.or(pair.old);
            let first = record.and_then(|side| side.result.metrics.first());
            kinds.extend(first.map(|(kind, _)| *kind));
        }
        kinds
    }

    fn row(
        &self,
        pair: ToolPair<'_>,
        of_pair: &ComparedTool,
        row: ComparisonRow,
        comparison: &MetricsComparison,
    ) -> MadeRow {
        let kind = row.kind;
        let named = pair.named();
        let identity = named.map(|named| &named.identity);
        let libc = pair
            .new
            .and_then(|new| new.result.circumstances.libc.as_deref());
        let agreed = identity
            .and_then(|identity| self.agreed.agreed(identity, pair.tool, kind.name(), libc));
        let objects = [pair.old, pair.new].map(|side| match side {
            Some(side) => side.result.objects.as_slice(),
            None => &[],
        });
        let judged = JudgedResult {
            comparison,
            soft: &of_pair.limits.soft,
            hard: &of_pair.limits.hard,
            facts: &of_pair.facts.0,
            code: of_pair.code,
            objects,
            floor: self.options.floor,
        };
        let unmet = pair.unmet(kind);
        let judgement = judged
            .metric(kind, agreed)
            .expect("the row is one of the comparison");
        let is_regressed = judgement.class == RowClass::Regressed;
        let judgement = judgement.with_unmet(!unmet.is_empty());
        let limit = of_pair
            .limits
            .of_judgement(kind, pair.tool, judgement.exceeded())
            // An unmet expectation of the source is shown instead of a limit, unless a limit is
            // exceeded, too.
            .filter(|_| unmet.is_empty() || is_regressed);
        // Limits on other amounts are not those of the records.
        let is_alike = comparison.other_amount().is_none();
        let changed = pair
            .old
            .filter(|_| is_alike)
            .and_then(|old| of_pair.limits.change(kind, old.result));
        let unit = comparison.time_unit.clone().filter(|_| kind.is_time());
        let metric = row_metric(&row, unit);
        let is_withheld = judgement.is_withheld;
        let Judgement {
            class, own, remark, ..
        } = judgement;
        let mut made = bare(named.expect("a pair has a side"), class);
        made.kind = Some(kind);
        made.is_withheld = is_withheld;
        made.row = ReportRow {
            tool: Some(pair.tool.id().to_owned()),
            metric: Some(metric),
            limit,
            own,
            new_own: pair.new_own_instructions(kind),
            remarks: changed
                .filter(|_| pair.new.is_some())
                .into_iter()
                .chain(remark)
                .chain(unmet)
                .collect(),
            functions: pair.functions(kind, class),
            duration_ns: pair.new.and_then(|new| new.result.duration_ns),
            ..made.row
        };
        made
    }
}

impl<'a> ToolPair<'a> {
    fn named(&self) -> Option<&'a RecordedBenchmark> {
        self.new.or(self.old).map(|side| side.benchmark)
    }

    fn limits(&self, options: &ComparisonOptions, comparison: &MetricsComparison) -> ResultLimits {
        let limits = |side: ResultOfSide<'_>| ResultLimits::of(side.result, options, comparison);
        self.new.or(self.old).map(limits).unwrap_or_default()
    }

    /// The instructions of the program's own code, on the new side: those of the row about
    /// instructions.
    fn new_own_instructions(&self, kind: MetricKind) -> Option<u64> {
        let is_of_instructions = kind == EventKind::Ir.into();
        self.new.filter(|_| is_of_instructions)?.result.own(kind)
    }

    /// Texts of expectations about the metric that the new side does not meet.
    fn unmet(&self, kind: MetricKind) -> Vec<String> {
        let unmet = self.new.map(|new| new.result.unmet.as_slice());
        let of_kind = unmet
            .unwrap_or_default()
            .iter()
            .filter(|unmet| unmet.kind == kind);
        of_kind.map(|unmet| unmet.words.clone()).collect()
    }

    /// The functions that changed most, for rows that a reader will want explained.
    fn functions(&self, kind: MetricKind, class: RowClass) -> Vec<super::RowFunction> {
        let is_asked = matches!(
            class,
            RowClass::Regressed
                | RowClass::Improved
                | RowClass::Accepted
                | RowClass::NotJudged
                | RowClass::NotDeterministic
                | RowClass::ChangedOutsideOwnCode
        );
        match (self.old, self.new) {
            (Some(old), Some(new)) if is_asked && kind == EventKind::Ir.into() => {
                functions::changed(old.result, new.result)
            }
            _ => Vec::new(),
        }
    }
}

fn compared_metrics(
    old: Option<ResultOfSide<'_>>,
    new: Option<ResultOfSide<'_>>,
) -> MetricsComparison {
    let metrics = |side: ResultOfSide<'_>| RecordedTool::to_metrics(side.result);
    compare(
        &new.map(metrics).unwrap_or_default(),
        old.map(metrics).as_ref(),
    )
}

/// Did the same code run on both sides, and what does that mean?
fn same_code(facts: &PairFacts, old: Option<ResultOfSide<'_>>, pair: ToolPair<'_>) -> SameCode {
    let (Some(old), Some(new)) = (old, pair.new) else {
        return SameCode::No;
    };
    let (old, new) = (old.result, new.result);
    SameCode::of(
        [old.marks(), new.marks()],
        // Facts that matter to no metric still tell of another machine.
        !facts.0.is_empty(),
        // Both sides have the same code, so one more run of either tells of it.
        new.repeated.or(old.repeated),
    )
}

/// The rows of failures.
fn failed(new: &[RecordedBenchmark]) -> Vec<MadeRow> {
    let all = new.iter().flat_map(|benchmark| {
        let failures = benchmark.failures.iter();
        failures.map(move |failure| (benchmark, failure))
    });
    let rows = all.map(|(benchmark, failure)| {
        let mut made = bare(benchmark, RowClass::Failed);
        made.row.tool = failure.tool.map(|tool| tool.id().to_owned());
        made.row.failure = Some(RowFailure {
            reason: failure.reason,
            message: failure.message.clone(),
        });
        made
    });
    rows.collect()
}

fn failed_tools(new: &[RecordedBenchmark]) -> Vec<Option<Tool>> {
    let failures = new.iter().flat_map(|benchmark| &benchmark.failures);
    failures.map(|failure| failure.tool).collect()
}

/// A row without figures.
pub(super) fn bare(benchmark: &RecordedBenchmark, class: RowClass) -> MadeRow {
    let text = |text: &Option<std::sync::Arc<str>>| text.as_deref().map(str::to_owned);
    let headline = benchmark.benchmark_path();
    let row = ReportRow {
        class,
        label: text(&benchmark.identity.label),
        target: text(&benchmark.identity.target),
        package: benchmark.identity.package.to_string(),
        file: benchmark.file.to_string(),
        path: benchmark.identity.path.to_string(),
        headline: Some(headline.headline(Truncate::At(DESCRIPTION_WIDTH))),
        source_file: text(&benchmark.source_file),
        line: benchmark.line,
        tool: None,
        metric: None,
        limit: None,
        own: None,
        new_own: None,
        failure: None,
        remarks: Vec::new(),
        functions: Vec::new(),
        explanation: None,
        no_causes: None,
        duration_ns: Some(benchmark.duration_ns),
    };
    MadeRow {
        row,
        kind: None,
        is_withheld: false,
    }
}

fn row_metric(row: &ComparisonRow, time_unit: Option<String>) -> RowMetric {
    let unit = match row.new.or(row.old) {
        Some(MetricValue::Perf(figure)) => figure.unit().map(|unit| unit.to_string()),
        _ => time_unit,
    };
    let percent = row.difference().map(|difference| difference.percent);
    RowMetric {
        kind: row.kind.name().to_owned(),
        label: row.kind.label().to_owned(),
        unit,
        old: row.old.map(Number::from),
        new: row.new.map(Number::from),
        diff_pct: percent.filter(|percent| percent.is_finite()),
    }
}
