//! Markdown: a comment on a pull request, or the summary of a job.
//!
//! ```markdown
//! <!-- iai-callgrind: default -->
//! ### Benchmarks: 1 regressed, 10 unchanged
//!
//! `3e3457e` (`main`) → `f3ab7bb` · limit: Instructions +5 %
//!
//! | | benchmark | metric | old | new | change |
//! | --- | --- | --- | ---: | ---: | ---: |
//! | **regressed** | `app::g::json_write::n_0` | Instructions | 15,005 | 16,387 | **+9.21%** |
//! ```

mod head;
mod page;
mod reasons;
mod table;
#[cfg(test)]
mod tests;
mod wanted;

use std::io::{self, Write};

use self::page::{Page, PageSection};
use super::super::markdown::{code, escaped};
use super::circumstances;
use super::source_places::SourcePlaces;
use super::words::class_title;
use verdict::sides::ComparisonReport;
use verdict::RowClass;

/// Classes in the table that is always shown.
const JUDGED: [RowClass; 6] = [
    RowClass::Failed,
    RowClass::Regressed,
    RowClass::Improved,
    RowClass::Accepted,
    RowClass::NotJudged,
    RowClass::NotDeterministic,
];

/// Classes with a table each that has to be opened.
const FOLDED: [(RowClass, &str); 7] = [
    (
        RowClass::ChangedOutsideOwnCode,
        "Changed outside own code: not judged",
    ),
    (RowClass::Changed, "Changed within limits"),
    (RowClass::Noise, "Noise"),
    (RowClass::New, "New"),
    (RowClass::NotCompared, "Not compared"),
    (RowClass::Gone, "Gone"),
    (RowClass::NotRun, "Not run"),
];

/// Lines of errors, differences and notes at most, and their bytes.
const LINES: usize = 30;
const LINES_BYTES: usize = 20_000;

/// Writes the page. Where it is too long, rows are left out from its end, explanations first.
pub(super) fn write(
    report: &ComparisonReport,
    places: &SourcePlaces,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut page = Page::new(head::text(report));
    // The page is cut in the order of the numbers, the highest first: causes are long and can be
    // had elsewhere, judged rows are what the page is for.
    page.add(0, texts(report));
    page.add(1, table::table(report, &JUDGED));
    page.add(6, reasons::causes(report, places));
    for (class, title) in FOLDED {
        let table = table::table(report, &[class]);
        page.add(4, table.folded(class_title(class, title, report)));
    }
    page.add(2, circumstances_section(report));
    page.add(3, wanted::section(report));
    out.write_all(page.text().as_bytes())
}

/// Headlines, errors, differences and notes: a line each.
fn texts(report: &ComparisonReport) -> PageSection {
    let errors = report.errors.iter();
    let errors = errors.map(|error| format!("- **error**: {}\n", escaped(error)));
    let headlines = report.headlines.iter();
    let headlines = headlines.map(|headline| format!("- {}\n", escaped(headline)));
    let differences = report.differences.iter().map(|difference| {
        format!(
            "- differs: {} {} → {} ({} benchmarks): {}\n",
            escaped(&difference.fact),
            code(&difference.old),
            code(&difference.new),
            difference.benchmarks,
            escaped(&difference.meaning),
        )
    });
    let notes = report.notes.iter();
    let notes = notes.map(|note| format!("- {}\n", escaped(note)));
    let mut rows: Vec<String> = errors
        .chain(headlines)
        .chain(differences)
        .chain(notes)
        .collect();
    // They are left out last, and must not take the place of the tables.
    let mut bytes = 0;
    let fit = rows.iter().take(LINES).take_while(|row| {
        bytes += row.len();
        bytes <= LINES_BYTES
    });
    let fit = fit.count();
    let missing = rows.len() - fit;
    rows.truncate(fit);
    PageSection {
        rows,
        missing,
        left_out: |number| format!("- and {number} more\n"),
        after: "\n".to_owned(),
        ..PageSection::default()
    }
}

fn circumstances_section(report: &ComparisonReport) -> PageSection {
    let words = circumstances::words(&report.new);
    let words: Vec<String> = words.iter().map(|word| escaped(word)).collect();
    let title = match (&report.old, report.differences.is_empty()) {
        (None, _) => "Circumstances",
        (Some(_), true) => "Circumstances: equal on both sides",
        (Some(_), false) => "Circumstances of the new side",
    };
    let rows = match words.is_empty() {
        true => Vec::new(),
        false => vec![format!("{}\n", words.join(" · "))],
    };
    PageSection {
        before: format!("<details><summary>{title}</summary>\n\n"),
        rows,
        after: "\n</details>\n".to_owned(),
        left_out: |_| String::new(),
        ..PageSection::default()
    }
}
