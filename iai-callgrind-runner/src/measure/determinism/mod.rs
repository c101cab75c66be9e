//! Benchmarks that are not deterministic: found by `--check-determinism`, which runs each of them
//! several times, or by an old and a new result of the same executable that differ.
//!
//! In: the first run of a job, or old and new metrics. Out: the differences, and likely reasons.
//!
//! Random numbers are made the same in the executable (`__internal/random.rs`), copies in steps by
//! its environment (`plan/copies.rs`). `docs/design/one-verdict.md` says what the same code means
//! for a verdict.

mod hints;

use self::hints::hints;
use crate::execute::{JobFailure, JobRunner, ProcessEnd};
use crate::plan::Job;
use crate::results::{self, NewResults};
use metrics::{MetricValue, Metrics};
use records::summary::Repeated;
use verdict::{self, CountChange, Difference};

/// Runs a job `job.runs` times, and compares the end and all counts with those of the first run.
/// `None`: they are equal.
pub(super) fn check(
    job: &Job,
    how: &ProcessEnd,
    first: &NewResults<'_>,
    runner: &JobRunner<'_>,
) -> Result<Option<JobFailure>, JobFailure> {
    let mut spreads: Vec<Spread> = Vec::new();
    for run in 2..=job.runs {
        match again(job, how, first, runner)? {
            Again::Counted(metrics) => {
                let changes = verdict::compare(&metrics, Some(&first.metrics)).changes();
                changes.iter().for_each(|change| add(&mut spreads, change));
            }
            Again::Ended(other) => {
                let text = format!("run {run} {other}, run 1 {how}");
                return Ok(Some(JobFailure::NotDeterministic(text)));
            }
        }
    }
    if spreads.is_empty() {
        return Ok(None);
    }
    let mut text = format!("{} runs gave different counts", job.runs);
    for spread in &spreads {
        text += &format!("\n  {spread}");
    }
    text += &hint_lines(job, first);
    Ok(Some(JobFailure::NotDeterministic(text)))
}

/// Outcome of another run.
enum Again {
    Counted(Metrics),
    /// The run ended in another way than the first one.
    Ended(ProcessEnd),
}

fn again(
    job: &Job,
    how: &ProcessEnd,
    first: &NewResults<'_>,
    runner: &JobRunner<'_>,
) -> Result<Again, JobFailure> {
    // Output that people have read once is not printed again.
    let run = runner.run_unseen(job)?;
    if run.ended.how != *how {
        return Ok(Again::Ended(run.ended.how));
    }
    // After the end itself: a benchmark that fails may spoil what its teardown expects.
    if !run.ended.hooks.is_empty() {
        return Err(JobFailure::Hooks(run.ended.hooks));
    }
    Ok(Again::Counted(results::read_again(
        job,
        &run,
        first.selection,
    )?))
}

/// The least and the greatest value of a metric in all runs.
struct Spread {
    label: String,
    least: MetricValue,
    most: MetricValue,
    /// Some runs have no value.
    sometimes: bool,
}

fn add(spreads: &mut Vec<Spread>, change: &CountChange) {
    let Some(known) = change.old.or(change.new) else {
        return;
    };
    let place = spreads
        .iter()
        .position(|spread| spread.label == change.label);
    let place = place.unwrap_or_else(|| {
        spreads.push(Spread {
            label: change.label.clone(),
            least: known,
            most: known,
            sometimes: false,
        });
        spreads.len() - 1
    });
    let spread = &mut spreads[place];
    for value in [change.new, change.old] {
        match value {
            Some(value) if value.minus(spread.least) < 0.0 => spread.least = value,
            Some(value) if value.minus(spread.most) > 0.0 => spread.most = value,
            Some(_) => {}
            None => spread.sometimes = true,
        }
    }
}

/// `Instructions: 51180 to 51234 (+0.11%)`
impl std::fmt::Display for Spread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.label, self.least)?;
        if !self.least.equals(self.most) {
            write!(f, " to {}", self.most)?;
        }
        let percent = Difference::between(self.most, self.least).percent;
        if percent.is_finite() && percent > 0.0 {
            write!(f, " ({})", report::numbers::percent(percent))?;
        }
        if self.sometimes {
            write!(f, ", and in some runs none")?;
        }
        Ok(())
    }
}

/// A line of the message for each likely reason in the files of a result.
pub(super) fn hint_lines(job: &Job, result: &NewResults<'_>) -> String {
    let hints = hints(&result.files.outs(), job);
    let lines = hints.iter().map(|hint| format!("\n  hint: {hint}"));
    lines.collect()
}

/// Runs a job once more. One that fails proves nothing against the counts.
pub(super) fn repeat(
    job: &Job,
    how: &ProcessEnd,
    new: &NewResults<'_>,
    runner: &JobRunner<'_>,
) -> Result<Repeated, JobFailure> {
    match again(job, how, new, runner) {
        Ok(Again::Counted(metrics)) => {
            let changes = verdict::compare(&metrics, Some(&new.metrics)).changes();
            Ok(match changes.is_empty() {
                true => Repeated::Same,
                false => Repeated::Other,
            })
        }
        Ok(Again::Ended(_)) => Ok(Repeated::Other),
        Err(JobFailure::Run(error)) if error.ends_run() => Err(JobFailure::Run(error)),
        // A limit that a broken second run switched off would let a regression pass.
        Err(_) => Ok(Repeated::Same),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(changes: &[(Option<u64>, Option<u64>)], expected: &[&str]) {
        let mut spreads = Vec::new();
        for (new, old) in changes {
            let change = CountChange {
                label: "Instructions".to_owned(),
                new: new.map(MetricValue::Int),
                old: old.map(MetricValue::Int),
            };
            add(&mut spreads, &change);
        }
        let shown: Vec<String> = spreads.iter().map(Spread::to_string).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn spreads_span_all_runs() {
        check(&[], &[]);
        let two = [(Some(1100), Some(1000))];
        check(&two, &["Instructions: 1000 to 1100 (+10.0%)"]);
        let three = [(Some(1100), Some(1000)), (Some(900), Some(1000))];
        check(&three, &["Instructions: 900 to 1100 (+22.2%)"]);
        check(&[(Some(1), Some(0))], &["Instructions: 0 to 1"]);
        check(
            &[(None, Some(7))],
            &["Instructions: 7, and in some runs none"],
        );
    }
}
