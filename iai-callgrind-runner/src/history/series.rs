//! The values of one metric of one benchmark.

use std::collections::BTreeMap;

use super::commits::Commits;
use super::model::{HistoryOwn, HistoryPoint, HistorySeries};
use crate::compare::{discrepancies, Circumstances, Difference, Fact, Verdict};
use crate::metrics::{MetricKind, MetricValue};
use crate::records::{RecordedBenchmark, RecordedTool};
use crate::summary::Number;

/// A value with what is needed to compare it with the next one.
#[derive(Clone, Copy)]
struct Measured<'a> {
    benchmark: &'a RecordedBenchmark,
    result: &'a RecordedTool,
    value: MetricValue,
}

/// The history of a metric under each tool that has it. All results are of the same benchmark.
pub(super) fn series(
    results: &[&RecordedBenchmark],
    kind: MetricKind,
    commits: &Commits,
) -> Vec<HistorySeries> {
    let mut found = Vec::new();
    for tool in crate::tool::Tool::ALL {
        let mut by_commit: BTreeMap<usize, Vec<Measured<'_>>> = BTreeMap::new();
        for benchmark in results {
            let result = benchmark.tool(tool).filter(|result| !result.failed);
            let value = result.and_then(|result| Some((result, result.value(kind)?)));
            if let (Some((result, value)), Some(number)) = (value, commits.number(benchmark)) {
                by_commit.entry(number).or_default().push(Measured {
                    benchmark,
                    result,
                    value,
                });
            }
        }
        let Some(identity) = results.first().map(|benchmark| &benchmark.identity) else {
            continue;
        };
        if by_commit.is_empty() {
            continue;
        }
        let text = |text: &Option<std::sync::Arc<str>>| text.as_deref().map(str::to_owned);
        found.push(HistorySeries {
            label: text(&identity.label),
            target: text(&identity.target),
            package: identity.package.to_string(),
            path: identity.path.to_string(),
            tool: tool.id().to_owned(),
            kind: kind.name().to_owned(),
            metric: kind.label().to_owned(),
            points: points(&by_commit, kind),
        });
    }
    found
}

fn points(by_commit: &BTreeMap<usize, Vec<Measured<'_>>>, kind: MetricKind) -> Vec<HistoryPoint> {
    let mut points = Vec::new();
    let mut before: Option<(usize, Measured<'_>)> = None;
    for (commit, measured) in by_commit {
        let last = before.map(|(_, before)| before);
        let Some(chosen) = choose(measured, last) else {
            continue;
        };
        let mut point = HistoryPoint {
            commit: *commit,
            value: chosen.value.into(),
            own: None,
            changed: false,
            diff_pct: None,
            circumstances: Vec::new(),
            commits_since: before.map_or(0, |(number, _)| commit - number),
            others: others(measured, chosen),
        };
        if let Some(old) = last {
            change(&mut point, old, chosen, kind);
        }
        points.push(point);
        before = Some((*commit, chosen));
    }
    points
}

/// The result of a commit that tells most about it: one under the circumstances of the value before, else the newest.
fn choose<'a>(measured: &[Measured<'a>], before: Option<Measured<'a>>) -> Option<Measured<'a>> {
    let newest = |measured: &mut dyn Iterator<Item = &Measured<'a>>| {
        measured
            .max_by_key(|measured| &measured.benchmark.started_at)
            .copied()
    };
    let before = before.map(|before| &before.result.circumstances);
    let is_like = |measured: &&Measured<'a>| {
        before.is_some_and(|before| is_same(before, &measured.result.circumstances))
    };
    newest(&mut measured.iter().filter(is_like)).or_else(|| newest(&mut measured.iter()))
}

/// Different values of the same commit under the same circumstances.
fn others(measured: &[Measured<'_>], chosen: Measured<'_>) -> Vec<Number> {
    let mut others: Vec<Number> = Vec::new();
    for other in measured {
        let is_like = is_same(&chosen.result.circumstances, &other.result.circumstances);
        let number = other.value.into();
        if is_like && !other.value.equals(chosen.value) && !others.contains(&number) {
            others.push(number);
        }
    }
    others
}

fn is_same(one: &Circumstances, other: &Circumstances) -> bool {
    discrepancies(one, other).is_empty()
}

/// Says in a point what changed since the value before.
fn change(point: &mut HistoryPoint, old: Measured<'_>, new: Measured<'_>, kind: MetricKind) {
    let (before, now) = (&old.result.circumstances, &new.result.circumstances);
    let differing = discrepancies(before, now);
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
    let on_own = differing
        .iter()
        .any(|it| it.fact.verdict(kind.family()) == Verdict::OwnCode);
    let own = |side: Measured<'_>| side.result.own(kind);
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

/// Both sides of a fact. Compilers have their commit behind the version, which is of interest between nightlies only.
fn shortened<'t>(fact: Fact, old: &'t str, new: &'t str) -> [&'t str; 2] {
    let version = |text: &'t str| text.split(' ').next().unwrap_or_default();
    match fact {
        Fact::Compiler if version(old) != version(new) => [old, new].map(version),
        _ => [old, new].map(|side| if side.is_empty() { "none" } else { side }),
    }
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
        Fact::Arguments => format!("arguments {old}"),
        Fact::Target
        | Fact::Workspace
        | Fact::Build
        | Fact::CLibrary
        | Fact::Processor
        | Fact::Mode => old.to_owned(),
    }
}
