//! Words about the rows of a report on two sides that several formats share.

use std::collections::BTreeSet;

use crate::numbers;
use crate::text::explanation_lines;
use base::counted::grouped;
use records::summary::Number;
use verdict::sides::{ComparisonReport, JudgedLimit, ReportRow};
use verdict::RowClass;

/// The most causes of a row in words.
const MOST_CAUSES: usize = 3;

/// Parts of identities that distinguish the rows of a report, besides the path.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RowNames {
    labels: bool,
    targets: bool,
    packages: bool,
}

/// Label, target and package of a benchmark.
pub(crate) type IdentityParts<'a> = (Option<&'a str>, Option<&'a str>, &'a str);

impl RowNames {
    pub(crate) fn of(report: &ComparisonReport) -> Self {
        Self::among(report.rows.iter().map(identity))
    }

    /// Parts that differ among these.
    pub(crate) fn among<'a>(identities: impl Iterator<Item = IdentityParts<'a>> + Clone) -> Self {
        fn several<T: Ord>(parts: impl Iterator<Item = T>) -> bool {
            parts.collect::<BTreeSet<_>>().len() > 1
        }
        Self {
            labels: several(identities.clone().map(|(label, _, _)| label)),
            targets: several(identities.clone().map(|(_, target, _)| target)),
            packages: several(identities.map(|(_, _, package)| package)),
        }
    }

    /// The same as [`RowNames::of`], but always with label and package: for names that other
    /// programs keep.
    pub(super) fn of_identities(report: &ComparisonReport) -> Self {
        Self {
            labels: true,
            packages: true,
            ..Self::of(report)
        }
    }

    /// `exp1 app::g::json_write::n_0`
    pub(crate) fn name(self, row: &ReportRow) -> String {
        self.joined(identity(row), &row.path)
    }

    /// The name of a benchmark or a group, after the parts that distinguish it.
    pub(crate) fn joined(self, (label, target, package): IdentityParts<'_>, name: &str) -> String {
        let label = label.filter(|_| self.labels);
        let target = target.filter(|_| self.targets);
        let package = Some(package).filter(|_| self.packages);
        let parts = [label, target, package, Some(name)];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

fn identity(row: &ReportRow) -> IdentityParts<'_> {
    (row.label.as_deref(), row.target.as_deref(), &row.package)
}

/// The class of a row, in a report.
pub(super) fn class_words(class: RowClass) -> &'static str {
    match class {
        RowClass::Failed => "failed",
        RowClass::Regressed => "regressed",
        RowClass::Improved => "improved",
        RowClass::Accepted => "accepted",
        RowClass::NotJudged => "not judged",
        RowClass::NotDeterministic => "not deterministic",
        RowClass::ChangedOutsideOwnCode => "changed outside own code",
        RowClass::Changed => "changed",
        RowClass::Noise => "noise",
        RowClass::New => "new",
        RowClass::NotCompared => "not compared",
        RowClass::Gone => "gone",
        RowClass::NotRun => "not run",
        RowClass::Same => "unchanged",
    }
}

/// `Instructions 15,005 -> 16,387 (+9.21%, limit +5%)`, or the reason of a failure.
pub(super) fn change_words(row: &ReportRow) -> String {
    if let Some(failure) = &row.failure {
        return failure.message.clone();
    }
    let Some(metric) = &row.metric else {
        return class_words(row.class).to_owned();
    };
    let unit = metric.unit.as_deref().map(|unit| format!(" {unit}"));
    let unit = unit.unwrap_or_default();
    let text = |number: Option<Number>| match number {
        Some(number) => format!("{}{unit}", numbers::number(number)),
        None => "nothing".to_owned(),
    };
    let mut words = format!(
        "{} {} -> {}",
        metric.label,
        text(metric.old),
        text(metric.new)
    );
    let percent = |percent: Option<f64>| percent.map(numbers::percent);
    let details = |percent: Option<String>, limit: Option<String>| {
        let details: Vec<String> = percent.into_iter().chain(limit).collect();
        match details.is_empty() {
            true => String::new(),
            false => format!(" ({})", details.join(", ")),
        }
    };
    let limit = row.limit.as_ref().map(limit_words);
    // The limit stands beside the change that it judges.
    words += &match row.own {
        None => details(percent(metric.diff_pct), limit),
        Some(own) => {
            let total = details(percent(metric.diff_pct), None);
            let judged = details(percent(own.diff_pct), limit);
            let [old, new] = [own.old, own.new].map(grouped);
            format!("{total}, own code {old} -> {new}{judged}")
        }
    };
    // Without an exceeded limit, remarks alone say what is wrong.
    if row.class == RowClass::Regressed && row.limit.is_none() {
        for remark in &row.remarks {
            words += &format!("; {remark}");
        }
    }
    words
}

/// Causes of a regression in a line each, the largest first, or the words that say what they need.
pub(super) fn cause_lines(row: &ReportRow) -> Vec<String> {
    match (&row.explanation, &row.no_causes) {
        (Some(explanation), _) => explanation_lines(explanation, MOST_CAUSES),
        (None, needs) => needs.iter().cloned().collect(),
    }
}

/// The words of a row with those of its causes, on one line:
/// `Instructions 15,005 -> 16,387 (+9.21%, limit +5%); +1,382 (+9.21%) app::write src/lib.rs:7: own code`
pub(super) fn explained_words(row: &ReportRow) -> String {
    let words = change_words(row);
    let all = std::iter::once(first_line(&words).to_owned()).chain(cause_lines(row));
    all.collect::<Vec<_>>().join("; ")
}

/// The title of the rows of a class, which most often has this one.
pub(super) fn class_title(
    class: RowClass,
    title: &'static str,
    report: &ComparisonReport,
) -> &'static str {
    match class {
        // Without limits there is nothing to be within.
        RowClass::Changed if report.limits.is_empty() => "Changed",
        // Nothing is new where there is nothing old.
        RowClass::New if report.old.is_none() => "Results",
        _ => title,
    }
}

/// `limit +5%`, `limit 4,096`
fn limit_words(limit: &JudgedLimit) -> String {
    match limit {
        JudgedLimit::Soft { limit, .. } => format!("limit {limit:+}%"),
        JudgedLimit::Hard { limit, .. } => format!("limit {}", numbers::number(*limit)),
    }
}

/// The first line of a text.
pub(super) fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use verdict::sides::sample;

    #[test]
    fn rows_have_the_words_of_the_terminal() {
        let words = |index: usize| change_words(&sample::report().rows[index]);
        assert_eq!(first_line(&words(0)), "ended with signal 11 (SIGSEGV)");
        assert_eq!(
            words(1),
            "Instructions 3,715 -> 59,692 (+1,507%, limit +5%)"
        );
        assert_eq!(
            words(2),
            "Instructions 15,005 -> 16,387 (+9.21%), own code 12,000 -> 13,762 (+14.7%, limit +5%)"
        );
        assert_eq!(words(3), "Total bytes 0 -> 4,096 (limit 1,024)");
        assert_eq!(words(11), "Instructions nothing -> 934 (limit +5%)");
        assert_eq!(words(13), "not run");
    }

    #[test]
    fn names_have_what_tells_rows_apart() {
        let mut report = sample::report();
        let name = |report: &ComparisonReport| RowNames::of(report).name(&report.rows[1]);
        assert_eq!(name(&report), "app::g::memchr_lines::n_1");
        report.rows[0].package = "exp2".into();
        assert_eq!(name(&report), "exp1 app::g::memchr_lines::n_1");
        report.rows[1].label = Some("musl".into());
        assert_eq!(name(&report), "musl exp1 app::g::memchr_lines::n_1");
    }
}
