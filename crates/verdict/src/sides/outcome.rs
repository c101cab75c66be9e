//! The verdict over all rows, and the exit code that follows from it.

use super::{ComparisonOptions, ComparisonOutcome, ComparisonReport, ReportRow, RowCounts};
use crate::RowClass;
use base::exit::Exit;

impl RowCounts {
    /// Adds a row.
    pub fn add(&mut self, row: &ReportRow) {
        let metric = row.metric.as_ref();
        if metric.is_some_and(|metric| metric.old.is_some() && metric.new.is_some()) {
            self.compared += 1;
        }
        let count = match row.class {
            RowClass::Failed => &mut self.failed,
            RowClass::Regressed => &mut self.regressed,
            RowClass::Improved => &mut self.improved,
            RowClass::Accepted => &mut self.accepted,
            RowClass::NotJudged => &mut self.not_judged,
            RowClass::NotDeterministic => &mut self.not_deterministic,
            RowClass::ChangedOutsideOwnCode => &mut self.changed_outside_own_code,
            RowClass::Changed => &mut self.changed,
            RowClass::Noise => &mut self.noise,
            RowClass::New => &mut self.new,
            RowClass::NotCompared => &mut self.not_compared,
            RowClass::Gone => &mut self.gone,
            RowClass::NotRun => &mut self.not_run,
            RowClass::Same => &mut self.same,
        };
        *count += 1;
    }

    /// Are there results on both sides, and none of the same benchmark? Nothing was compared then,
    /// which must not look like a comparison without a finding.
    #[must_use]
    pub fn share_nothing(&self) -> bool {
        self.gone > 0 && self.new > 0 && self.compared == 0 && self.not_compared == 0
    }
}

/// Findings about the sides themselves.
pub(super) struct SideFindings {
    /// Results of several commits were among those of a side.
    pub(super) has_other_commits: bool,
    /// Results of several builds are beside each other.
    pub(super) has_other_builds: bool,
    /// Conditions differ among the results of a side.
    pub(super) has_several_conditions: bool,
}

/// Completes a report with its counts, the findings of `--strict`, the outcome and the exit code.
/// `stopped` has the errors of runs of the new side that stopped at their first regression.
pub(super) fn complete(
    report: &mut ComparisonReport,
    options: &ComparisonOptions,
    is_withheld: bool,
    sides: &SideFindings,
    stopped: &[String],
) {
    // All rows are withdrawn for one: exit code 3 for a part would hide that the rest is unknown.
    let withdrawn = options.requires_comparable && is_withheld;
    if withdrawn {
        for row in &mut report.rows {
            if matches!(
                row.class,
                RowClass::Regressed | RowClass::Improved | RowClass::Accepted
            ) {
                row.class = RowClass::NotJudged;
            }
        }
    }
    // After the classes have changed.
    report.counts = RowCounts::default();
    for row in &report.rows {
        report.counts.add(row);
    }
    // The regression that a run stopped at is the verdict, and what it did not measure a note. If
    // the other side has no such regression, too little is known.
    if report.counts.regressed > 0 {
        report.errors.retain(|error| !stopped.contains(error));
        report.notes.extend_from_slice(stopped);
    }
    if options.strict {
        report.errors.extend(strict(report, sides));
    }
    // An error goes first: where results are missing or failed, exit code 3 would say that all else
    // is well. What is gone goes last, since a regression beside it is the worse news.
    report.outcome = if !report.errors.is_empty() || report.counts.failed > 0 {
        ComparisonOutcome::Failed
    } else if report.counts.regressed > 0 {
        ComparisonOutcome::Regressed
    } else if withdrawn {
        ComparisonOutcome::NotComparable
    } else if report.counts.share_nothing() || report.counts.gone > 0 && !options.allows_missing {
        ComparisonOutcome::Incomplete
    } else {
        ComparisonOutcome::Ok
    };
    report.exit_code = report.outcome.exit() as u8;
}

impl ComparisonOutcome {
    /// The end of a command with this outcome.
    #[must_use]
    pub fn exit(self) -> Exit {
        match self {
            Self::Ok => Exit::Ok,
            Self::Regressed => Exit::Regression,
            Self::Failed => Exit::Error,
            Self::Incomplete | Self::NotComparable | Self::NoBase => Exit::NotComparable,
        }
    }
}

impl ComparisonReport {
    /// Says why there is no old side although one was asked for. What is wrong with the new side
    /// stays the outcome.
    pub fn lacks_base(&mut self, reason: String) {
        self.errors.push(reason);
        if self.outcome == ComparisonOutcome::Ok {
            self.outcome = ComparisonOutcome::NoBase;
            self.exit_code = self.outcome.exit() as u8;
        }
    }
}

/// Findings that are errors only with `--strict`.
fn strict(report: &ComparisonReport, sides: &SideFindings) -> Vec<String> {
    let counts = &report.counts;
    let found = [
        (
            counts.not_judged > 0,
            format!("{} not judged, since conditions differ", counts.not_judged),
        ),
        (
            counts.changed_outside_own_code > 0,
            format!(
                "{} changed outside own code, which is not judged",
                counts.changed_outside_own_code
            ),
        ),
        (report.limits.is_empty(), "nothing has a limit".to_owned()),
        (
            sides.has_other_commits,
            "results of several commits are among those of one side".to_owned(),
        ),
        (
            sides.has_other_builds,
            "results of several builds are among those of one side".to_owned(),
        ),
        (
            sides.has_several_conditions,
            "results of several conditions are among those of one side".to_owned(),
        ),
    ];
    let found = found.into_iter().filter(|(is_found, _)| *is_found);
    found
        .map(|(_, text)| format!("{text} (`--strict`)"))
        .collect()
}
