//! Wall time in comparisons: the new side measured it in pairs with an old executable, and only if
//! that is the one of the old side, it is about both.
//!
//! In: pairs of records. Out: a row of a proven difference; the limits, and a note on what is not
//! judged; all times with an old executable, for pictures.

use std::collections::BTreeMap;

use super::benchmark_pairs::{self, BenchmarkPair};
use super::row_maker::{bare, MadeRow};
use super::{JudgedLimit, ResultSide, RowMetric};
use crate::RowClass;
use base::counted::counted;
use records::summary::{Number, RecordedTime};
use records::{BenchmarkIdentity, RecordedBenchmark};

const KIND: &str = "Time";

/// The most reasons that are told.
const MOST_REASONS: usize = 5;

/// The limits on wall time of a new side, and the reasons why times of it are not judged.
#[derive(Debug, Default)]
pub(super) struct WallTimes {
    limits: Vec<f64>,
    /// With the number of benchmarks.
    doubts: BTreeMap<String, u64>,
}

impl WallTimes {
    /// Adds what is known of a benchmark.
    pub(super) fn add(&mut self, pair: &BenchmarkPair<'_>) {
        let Some((_, time)) = paired(pair) else {
            return;
        };
        self.limits
            .extend(time.limit.filter(|limit| !self.limits.contains(limit)));
        if let Some(reason) = time.doubt() {
            *self.doubts.entry(reason.to_owned()).or_default() += 1;
        }
    }

    /// All limits, each once.
    pub(super) fn limits(&self) -> impl Iterator<Item = JudgedLimit> + '_ {
        self.limits.iter().copied().map(limit)
    }

    /// The note on times that are not judged, if there are any.
    pub(super) fn note(&self) -> Option<String> {
        let all: u64 = self.doubts.values().sum();
        let told = self.doubts.iter().take(MOST_REASONS);
        let told = told.map(|(reason, number)| match number {
            1 => reason.clone(),
            _ => format!("{reason} ({number})"),
        });
        let more = (self.doubts.len() > MOST_REASONS).then(|| "other reasons".to_owned());
        let told: Vec<String> = told.chain(more).collect();
        (all > 0).then(|| {
            let benchmarks = counted(all, "benchmark");
            format!(
                "wall time of {benchmarks} is not judged: {}",
                told.join(", ")
            )
        })
    }
}

/// The wall times of a side that are about the side that it is compared with.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PairedSideTimes {
    /// The times, by the identities of their benchmarks. Without an old side all times, each with
    /// the old executable that it was measured with.
    pub all: Vec<(BenchmarkIdentity, RecordedTime)>,
    /// Benchmarks that were timed with another executable than that of the old side, or with none.
    pub others: usize,
}

impl PairedSideTimes {
    /// The times of a new side.
    #[must_use]
    pub fn of(old: Option<&ResultSide>, new: &ResultSide) -> Self {
        let of_old = old.map(ResultSide::as_old_side).unwrap_or_default();
        let of_old = benchmark_pairs::of_new_targets(of_old, new);
        let mut times = Self::default();
        for pair in benchmark_pairs::pairs(&of_old, new) {
            let Some((benchmark, time)) = timed(&pair) else {
                continue;
            };
            match old.is_none() || paired(&pair).is_some() {
                true => times.all.push((benchmark.identity.clone(), time.clone())),
                false => times.others += 1,
            }
        }
        times
    }
}

/// The new record and its times.
fn timed<'a>(pair: &BenchmarkPair<'a>) -> Option<(&'a RecordedBenchmark, &'a RecordedTime)> {
    let new = pair.new.first()?;
    Some((new, new.time.as_deref()?))
}

/// The new record and its times, if they were measured with the executable of the old side.
fn paired<'a>(pair: &BenchmarkPair<'a>) -> Option<(&'a RecordedBenchmark, &'a RecordedTime)> {
    let of_old = pair.old.first()?.time.as_deref()?;
    timed(pair).filter(|(_, time)| time.is_against(of_old))
}

/// A limit in percent.
fn limit(limit: f64) -> JudgedLimit {
    JudgedLimit::Soft {
        tool: "time".to_owned(),
        kind: KIND.to_owned(),
        label: KIND.to_owned(),
        limit,
    }
}

/// The row of wall time: only of a difference that is proven, since times are no counts, and only
/// if the executable of the old side was on the clock.
pub(super) fn row(pair: &BenchmarkPair<'_>) -> Option<MadeRow> {
    let (new, time) = paired(pair).filter(|(_, time)| time.is_proven())?;
    let (old_ns, new_ns) = (time.old_median_ns?, time.median_ns?);
    let percent = |ratio: f64| (ratio - 1.0) * 100.0;
    let kind = KIND.to_owned();
    let exceeded = time.exceeded_limit.map(limit);
    let mut made = bare(
        new,
        match exceeded {
            Some(_) => RowClass::Regressed,
            None => RowClass::Changed,
        },
    );
    // Proven times are at least those of the clock, some 20 ns.
    let number = |ns: f64| Number::Count(ns.round() as u64);
    made.row.metric = Some(RowMetric {
        label: kind.clone(),
        kind,
        unit: Some("ns".to_owned()),
        old: Some(number(old_ns)),
        new: Some(number(new_ns)),
        diff_pct: time.ratio.map(percent),
    });
    made.row.limit = exceeded;
    let [low, high] = [time.ratio_low, time.ratio_high].map(|ratio| ratio.map(percent));
    if let (Some(low), Some(high)) = (low, high) {
        let level = time.level * 100.0;
        let text = format!("{level}% interval: {low:+.1}% to {high:+.1}%");
        made.row.remarks.push(text);
    }
    Some(made)
}
