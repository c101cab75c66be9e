//! Causes of the changes of a report, and why there are none.
//!
//! In: rows, and both sides with their digests. Out: the causes of each regressed row, which all
//! formats and the page share, or the words that say what is missing for them.

use std::collections::BTreeMap;

use iai_callgrind::protocol::EventKind;

use super::{ComparisonReport, ReportRow, ResultSide};
use crate::RowClass;
use base::tool::Tool;
use explain::digest::Digest;
use explain::{ComparedDigests, Explanation, FunctionPairs};
use metrics::MetricKind;
use records::{RecordText, RecordedBenchmark};

/// The most rows that are explained. Reports of more have other questions first.
const MOST: usize = 50;

/// The most reasons that are notes of a report.
const MOST_REASONS: usize = 5;

/// The digests of both sides of a row.
#[derive(Debug, Default)]
pub struct RowDigests {
    /// That of the old result.
    pub old: Option<Digest>,
    /// That of the new result.
    pub new: Option<Digest>,
    /// Reasons why one cannot be used that is there.
    pub faults: Vec<String>,
}

/// A change of a metric of a benchmark under Callgrind, which may have causes.
#[derive(Debug)]
pub struct ExplainedChange<'a> {
    metric: EventKind,
    values: [Option<u64>; 2],
    new: Option<&'a RecordedBenchmark>,
}

/// Explains the regressions of a report, and without any limit its changes. Where digests are
/// missing, rows and a note say so.
pub fn explain_rows(report: &mut ComparisonReport, old: &ResultSide, new: &ResultSide) {
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    let explained = match report.limits.is_empty() {
        true => RowClass::Changed,
        false => RowClass::Regressed,
    };
    let rows = report.rows.iter_mut();
    let rows = rows.filter(|row| row.class == explained);
    for (number, row) in rows.enumerate() {
        let Some(metric) = explained_metric(row) else {
            continue;
        };
        let causes = match number < MOST {
            true => causes(row, metric, old, new),
            false => Err(format!("no causes beyond the first {MOST} benchmarks")),
        };
        match causes {
            Ok(causes) => row.explanation = causes.map(Box::new),
            Err(reason) => {
                *reasons.entry(reason.clone()).or_default() += 1;
                row.no_causes = Some(reason);
            }
        }
    }
    report.notes.extend(notes_on(reasons));
}

/// Notes on reasons why there are no causes, with the number of benchmarks of each.
fn notes_on(reasons: BTreeMap<String, u64>) -> Vec<String> {
    let more: u64 = reasons.values().skip(MOST_REASONS).sum();
    let told = reasons.into_iter().take(MOST_REASONS);
    let told = told.map(|(reason, number)| match number {
        1 => reason,
        _ => format!("{reason} ({number} benchmarks)"),
    });
    let more = (more > 0)
        .then(|| format!("causes of {more} more benchmarks are not told, for other reasons"));
    told.chain(more).collect()
}

/// The causes of the change of a row. `Ok(None)`: digests tell none. The error says what is
/// missing.
fn causes(
    row: &ReportRow,
    metric: EventKind,
    old: &ResultSide,
    new: &ResultSide,
) -> Result<Option<Explanation>, String> {
    let change = ExplainedChange::of(row, metric, Some(old), new);
    let digests = RowDigests::read(row, Some(old), new);
    let (Some(old), Some(new)) = (&digests.old, &digests.new) else {
        let causes = change.causes(None);
        return causes.map(Some).ok_or_else(|| digests.missing());
    };
    let pairs = FunctionPairs::find(old, new);
    let compared = ComparedDigests::new(old, new, &pairs, metric);
    let compared = compared.map_err(|error| format!("there are no causes: {error}"))?;
    Ok(change.causes(Some(&compared)))
}

/// The metric of a row whose change digests explain: a sum of what Callgrind counts.
fn explained_metric(row: &ReportRow) -> Option<EventKind> {
    let metric = row.metric.as_ref()?;
    let both = metric.old.is_some() && metric.new.is_some();
    event(row).filter(|_| both)
}

/// The metric of a row if it is a sum of what Callgrind counts.
#[must_use]
pub fn event(row: &ReportRow) -> Option<EventKind> {
    let metric = row.metric.as_ref()?;
    let event: EventKind = metric.kind.parse().ok()?;
    let kind = MetricKind::from(event);
    let is_of_callgrind = row.tool.as_deref() == Some(Tool::Callgrind.id());
    (is_of_callgrind && !kind.is_rate() && !kind.is_time()).then_some(event)
}

impl RowDigests {
    /// Reads the digests of a row.
    #[must_use]
    pub fn read(row: &ReportRow, old: Option<&ResultSide>, new: &ResultSide) -> Self {
        let mut faults = Vec::new();
        let mut digest = |side: Option<&ResultSide>| match side?.digest(row) {
            Ok(digest) => digest,
            Err(fault) => {
                faults.push(fault);
                None
            }
        };
        let (old, new) = (digest(old), digest(Some(new)));
        Self { old, new, faults }
    }

    /// Says what is missing for causes, and what to do about it.
    #[must_use]
    pub fn missing(&self) -> String {
        let side = match (&self.old, &self.new) {
            _ if !self.faults.is_empty() => {
                return format!(
                    "causes need digests: {}; measure and `merge` again",
                    self.faults.join("; ")
                );
            }
            (None, None) => "both results have",
            (None, Some(_)) => "the old result has",
            (Some(_), _) => "the new result has",
        };
        format!(
            "causes need digests: {side} none; runs keep one beside each result, and `merge` writes \
             them unless it has `--without-digests`"
        )
    }
}

impl<'a> ExplainedChange<'a> {
    /// The change of a metric between the results of a row.
    #[must_use]
    pub fn of(
        row: &ReportRow,
        metric: EventKind,
        old: Option<&'a ResultSide>,
        new: &'a ResultSide,
    ) -> Self {
        let old = old.and_then(|side| side.callgrind_result(row));
        let new = new.callgrind_result(row);
        let value = |(_, result): (_, &records::RecordedTool)| result.count(metric.into());
        Self {
            metric,
            values: [old.and_then(value), new.and_then(value)],
            new: new.map(|(benchmark, _)| benchmark),
        }
    }

    /// The causes of the change: from the digests of both sides or, without these, from the record
    /// of a run that compared the same values. Others would be those of another change.
    #[must_use]
    pub fn causes(&self, compared: Option<&ComparedDigests<'_>>) -> Option<Explanation> {
        let found = match compared {
            Some(compared) => explain::explanation(compared),
            None => self.recorded()?,
        };
        let is_of_values = [Some(found.old), Some(found.new)] == self.values;
        let is_of_metric = found.metric == self.metric.to_name();
        (is_of_values && is_of_metric && !found.is_empty()).then_some(found)
    }

    /// The explanation in the new record, if its text was kept.
    fn recorded(&self) -> Option<Explanation> {
        let record = RecordText::of(self.new?.text.as_deref()?).ok()?;
        let mut results = record.profiles().ok()?.into_iter();
        let result = results.find(|result| result.tool == Tool::Callgrind.id())?;
        result.explanation.read::<Option<Explanation>>().ok()?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_without_a_note_of_their_own_are_counted() {
        let reasons = |number: u64| {
            let numbered = (1..=number).map(|times| (format!("reason {times}"), times));
            numbered.collect()
        };
        assert_eq!(notes_on(reasons(1)), ["reason 1"]);
        let five = notes_on(reasons(5));
        assert_eq!(five.last().unwrap(), "reason 5 (5 benchmarks)");
        let seven = notes_on(reasons(7));
        assert_eq!(seven.len(), 6);
        let rest = "causes of 13 more benchmarks are not told, for other reasons";
        assert_eq!(seven.last().unwrap(), rest);
    }
}
