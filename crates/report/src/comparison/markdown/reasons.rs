//! Causes of regressions, and without limits of changes. Where these are not known, notes of the
//! report say what they need.

use super::super::source_places::SourcePlaces;
use super::super::words::RowNames;
use super::page::PageSection;
use crate::explanation_markdown;
use verdict::sides::ComparisonReport;

/// Benchmarks up to which the causes need not be opened.
const OPEN: usize = 3;

/// Explanations of rows, one below the other.
pub(super) fn causes(report: &ComparisonReport, places: &SourcePlaces) -> PageSection {
    let names = RowNames::of(report);
    let address = places.address(report.new.commit.as_deref());
    let rows = report.rows.iter();
    let rows = rows.filter_map(|row| Some((row, row.explanation.as_deref()?)));
    let section = PageSection::of_rows(rows, |(row, explanation)| {
        let name = names.name(row);
        explanation_markdown(explanation, &name, address.as_deref()) + "\n"
    });
    let open = if section.number() <= OPEN {
        " open"
    } else {
        ""
    };
    PageSection {
        before: format!("<details{open}><summary>Why</summary>\n\n"),
        left_out: |number| format!("and {number} more benchmarks\n"),
        after: "\n</details>\n".to_owned(),
        ..section
    }
}
