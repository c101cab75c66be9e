//! The values of one metric of one benchmark.

use std::collections::BTreeMap;

use iai_callgrind::protocol::{CachegrindMetric, EventKind, Input};

use super::chains::Chains;
use super::commits::Commits;
use super::model::{HistoryOwn, HistoryPoint, HistorySeries};
use crate::{discrepancies, Difference, Discrepancy, Fact, OtherAmount, Verdict};
use base::tool::Tool;
use metrics::{MetricKind, MetricValue};
use records::summary::{Number, OtherInput, Repeated};
use records::{
    is_same_code, other_input, BenchmarkIdentity, Circumstances, PointResult, RecordedBenchmark,
    RecordedTool,
};

/// A value with the facts that the comparison with the next one needs.
#[derive(Clone, Copy)]
struct Measured<'a> {
    at: &'a str,
    circumstances: &'a Circumstances,
    /// Mark of the code that was measured.
    code: Option<&'a str>,
    value: MetricValue,
    /// The arguments, where they are known.
    input: Option<&'a Input>,
    /// The counts of one more run.
    repeated: Option<Repeated>,
    /// The whole result, where it is known.
    result: Option<&'a RecordedTool>,
    /// The line of `history.jsonl` that has the counts, if there is no whole result, and the tool.
    line: Option<(Tool, &'a PointResult)>,
}

impl Measured<'_> {
    /// The value of any metric of the same result.
    fn metric(&self, kind: MetricKind) -> Option<MetricValue> {
        match (self.result, self.line) {
            (Some(result), _) => result.value(kind),
            (None, Some((tool, line))) => {
                let mut metrics = line.metrics.iter();
                metrics
                    .find(|it| (it.0, it.1) == (tool, kind))
                    .map(|it| it.2)
            }
            (None, None) => None,
        }
    }
}

/// All that is known of a benchmark.
pub(super) struct MeasuredBenchmark<'a> {
    pub(super) identity: &'a BenchmarkIdentity,
    pub(super) records: &'a [&'a RecordedBenchmark],
    pub(super) chains: &'a Chains<'a>,
    pub(super) commits: &'a Commits<'a>,
}

impl<'a> MeasuredBenchmark<'a> {
    /// The history of a metric under each tool that has it.
    pub(super) fn series(&self, kind: MetricKind, changes_only: bool) -> Vec<HistorySeries> {
        let identity = self.identity;
        let mut found = Vec::new();
        for tool in Tool::ALL {
            let by_commit = self.by_commit(tool, kind);
            if by_commit.is_empty() {
                continue;
            }
            let text = |text: &Option<std::sync::Arc<str>>| text.as_deref().map(str::to_owned);
            let mut points = points(&by_commit, kind, self.commits);
            let measured = points.len();
            if changes_only {
                points = changes(points);
            }
            found.push(HistorySeries {
                label: text(&identity.label),
                target: text(&identity.target),
                package: identity.package.to_string(),
                path: identity.path.to_string(),
                tool: tool.id().to_owned(),
                kind: kind.name().to_owned(),
                metric: kind.label().to_owned(),
                measured,
                points,
            });
        }
        found
    }

    /// The values of a metric under a tool, by the number of the commit.
    fn by_commit(&self, tool: Tool, kind: MetricKind) -> BTreeMap<usize, Vec<Measured<'a>>> {
        let mut by_commit: BTreeMap<usize, Vec<Measured<'a>>> = BTreeMap::new();
        for benchmark in self.records {
            let result = benchmark.tool(tool).filter(|result| !result.failed);
            let value = result.and_then(|result| Some((result, result.value(kind)?)));
            if let (Some((result, value)), Some(number)) = (value, self.commits.number(benchmark)) {
                by_commit.entry(number).or_default().push(Measured {
                    at: &benchmark.started_at,
                    circumstances: &result.circumstances,
                    code: benchmark.code(),
                    value,
                    input: benchmark.input.as_deref(),
                    repeated: result.repeated,
                    result: Some(result),
                    line: None,
                });
            }
        }
        for said in self.chains.values(self.identity, tool, kind) {
            by_commit.entry(said.number).or_default().push(Measured {
                at: &said.point.at,
                circumstances: &said.point.circumstances,
                code: said.point.marks.of(&self.identity.path),
                value: said.value,
                input: said.result.input.as_deref(),
                repeated: said.result.repeated,
                result: None,
                line: Some((tool, said.result)),
            });
        }
        by_commit
    }
}

/// The points at which something changed, with the first and the last one.
fn changes(points: Vec<HistoryPoint>) -> Vec<HistoryPoint> {
    let last = points.len().saturating_sub(1);
    let mut number = 0..;
    // `retain` visits in order, so the counter is the index.
    let mut points = points;
    points.retain(|point| {
        let number = number.next().unwrap_or_default();
        let is_of_interest =
            point.changed || !point.others.is_empty() || !point.circumstances.is_empty();
        is_of_interest || number == 0 || number == last
    });
    points
}

fn points(
    by_commit: &BTreeMap<usize, Vec<Measured<'_>>>,
    kind: MetricKind,
    commits: &Commits<'_>,
) -> Vec<HistoryPoint> {
    let mut points = Vec::new();
    let mut before: Option<(usize, Measured<'_>)> = None;
    for (commit, measured) in by_commit {
        let last = before.map(|(_, before)| before);
        let Some(chosen) = choose(measured, last, kind) else {
            continue;
        };
        let mut point = HistoryPoint {
            commit: *commit,
            value: chosen.value.into(),
            own: None,
            changed: false,
            diff_pct: None,
            circumstances: Vec::new(),
            other_arguments: false,
            commits_since: before.map_or(0, |(number, _)| commits.between(number, *commit)),
            others: others(measured, chosen, kind),
        };
        if let Some(old) = last {
            change(&mut point, old, chosen, kind);
        }
        points.push(point);
        before = Some((*commit, chosen));
    }
    points
}

/// The most informative result of a commit: one under the conditions of the value before, else the
/// newest.
fn choose<'a>(
    measured: &[Measured<'a>],
    before: Option<Measured<'a>>,
    kind: MetricKind,
) -> Option<Measured<'a>> {
    let newest = |measured: &mut dyn Iterator<Item = &Measured<'a>>| {
        measured
            .max_by_key(|measured| time_order(measured.at))
            .copied()
    };
    // Two machines may have measured each commit: then the series follows one of them, and a
    // difference between machines is no step.
    let is_like =
        |measured: &&Measured<'a>| before.is_some_and(|before| is_same(before, **measured, kind));
    newest(&mut measured.iter().filter(is_like)).or_else(|| newest(&mut measured.iter()))
}

/// Times of records have fractions of seconds, those of `history.jsonl` have none.
fn time_order(at: &str) -> &str {
    // `.` is before `Z`, so 12.5Z would be before 12Z.
    at.trim_end_matches('Z')
}

/// Different values of the same commit and code under the same conditions.
fn others(measured: &[Measured<'_>], chosen: Measured<'_>, kind: MetricKind) -> Vec<Number> {
    let mut others: Vec<Number> = Vec::new();
    for other in measured {
        // Another build of the same commit, such as with other features, may have other counts.
        let is_like = is_same(chosen, *other, kind) && is_same_code(chosen.code, other.code);
        // One more run counted the same: what the benchmark reads has changed.
        let is_proven = [chosen, *other]
            .iter()
            .any(|measured| measured.repeated == Some(Repeated::Same));
        let is_like = is_like && !is_proven;
        let number = other.value.into();
        if is_like && !other.value.equals(chosen.value) && !others.contains(&number) {
            others.push(number);
        }
    }
    others
}

fn is_same(one: Measured<'_>, other: Measured<'_>, kind: MetricKind) -> bool {
    // Most are those of the same run.
    let is_alike =
        std::ptr::eq(one.circumstances, other.circumstances) || differing(one, other).is_empty();
    is_alike
        && incomparable_input(one, other).is_none()
        && incomparable_amount(one, other, kind).is_none()
}

/// Other arguments at the same place of a list, or another title under one id: another benchmark.
fn incomparable_input(old: Measured<'_>, new: Measured<'_>) -> Option<OtherInput> {
    other_input(old.input, new.input).filter(|input| !input.compared)
}

/// Another amount of throughput, for which a total cannot be compared.
fn incomparable_amount(
    old: Measured<'_>,
    new: Measured<'_>,
    kind: MetricKind,
) -> Option<OtherAmount> {
    // The kinds that decide about the amount.
    let kinds = [
        EventKind::Ir,
        EventKind::InstructionsPerByte,
        EventKind::InstructionsPerElement,
    ];
    let callgrind = kinds.map(MetricKind::from).into_iter();
    let cachegrind = [
        CachegrindMetric::Ir,
        CachegrindMetric::InstructionsPerByte,
        CachegrindMetric::InstructionsPerElement,
    ];
    let kinds = callgrind.chain(cachegrind.map(MetricKind::from));
    let counts = kinds.map(|kind| (kind, old.metric(kind), new.metric(kind)));
    let known = counts.filter(|(_, old, new)| old.is_some() || new.is_some());
    OtherAmount::between(known).filter(|amount| !amount.compares(kind))
}

/// The facts that differ.
fn differing(old: Measured<'_>, new: Measured<'_>) -> Vec<Discrepancy> {
    let mut differing = discrepancies(old.circumstances, new.circumstances);
    // `history.jsonl` has the version of a compiler alone.
    let is_version = |text: &str| !text.contains(' ');
    differing.retain(|it| {
        let [before, now] = [&it.old, &it.new].map(|text| version(text));
        it.fact != Fact::Compiler || before != now || !(is_version(&it.old) || is_version(&it.new))
    });
    differing
}

/// Notes in a point the changes since the value before.
fn change(point: &mut HistoryPoint, old: Measured<'_>, new: Measured<'_>, kind: MetricKind) {
    let differing = match std::ptr::eq(old.circumstances, new.circumstances) {
        true => Vec::new(),
        false => differing(old, new),
    };
    // A fact that leaves the metric as it is explains nothing.
    let relevant = differing
        .iter()
        .filter(|it| it.fact.verdict(kind.family()) != Verdict::Judged);
    point.circumstances = relevant
        .map(|it| {
            let [old, new] = shortened(it.fact, &it.old, &it.new);
            format!("{} -> {new}", named(it.fact, old))
        })
        .collect();
    if let Some(input) = incomparable_input(old, new) {
        point.circumstances.insert(0, input.change());
        point.other_arguments = true;
        return;
    }
    if let Some(amount) = incomparable_amount(old, new, kind) {
        point.circumstances.insert(0, amount.change());
        point.other_arguments = true;
        return;
    }
    let on_own = Verdict::of(&differing, kind) == Verdict::OwnCode;
    let own = |side: Measured<'_>| side.result?.own(kind);
    let difference = match (own(old), own(new)) {
        (Some(old), Some(new)) if on_own => {
            point.own = Some(HistoryOwn { old, new });
            point.changed = old != new;
            Difference::between(MetricValue::Int(new), MetricValue::Int(old))
        }
        _ => {
            point.changed = !new.value.equals(old.value);
            Difference::between(new.value, old.value)
        }
    };
    point.diff_pct = Some(difference.percent).filter(|percent| percent.is_finite());
}

/// Both sides of a fact. Compilers have their commit behind the version, which is of interest
/// between nightlies only.
fn shortened<'t>(fact: Fact, old: &'t str, new: &'t str) -> [&'t str; 2] {
    match fact {
        Fact::Compiler if version(old) != version(new) => [old, new].map(version),
        _ => [old, new].map(|side| if side.is_empty() { "none" } else { side }),
    }
}

fn version(compiler: &str) -> &str {
    compiler.split(' ').next().unwrap_or_default()
}

/// The old side of a fact, with its name where the text does not tell it.
fn named(fact: Fact, old: &str) -> String {
    match fact {
        Fact::Compiler => format!("rustc {old}"),
        Fact::Valgrind => format!("Valgrind {old}"),
        Fact::DeterministicRandom => format!("{old} `deterministic_random`"),
        Fact::ProcessorClass => format!("processor {old}"),
        Fact::FastSetup => format!("{old} `fast_setup`"),
        Fact::Caches => format!("caches {old}"),
        Fact::Tunables => format!("GLIBC_TUNABLES {old}"),
        Fact::LoaderVariables => format!("variables of the loader {old}"),
        Fact::Arguments => format!("arguments {old}"),
        Fact::Target
        | Fact::Workspace
        | Fact::Build
        | Fact::CLibrary
        | Fact::Processor
        | Fact::CountedPart
        | Fact::UnknownCalls
        | Fact::Mode => old.to_owned(),
    }
}
