//! Reports on two sides as one HTML file, for people: an index that needs no script, and the
//! details of each benchmark.
//!
//! ```text
//! report → benchmarks, each with its rows        benchmarks.rs
//!        → head and table, without script        head.rs, index.rs
//!        → data of the index                     index.rs, history.rs
//! details of each benchmark (crate::kept_digests)     details.rs, frames.rs
//!        → as much of them as there is room for  bounds.rs, packed.rs
//! costs by function and size (crate::pictures)        pictures.rs, chart.rs
//! wall time on one axis                               times.rs
//! template, style and scripts                    page/
//! order, filters, tabs and the bars of rows,
//! charts of the history, flamegraphs             page/index.js and its neighbours
//! ```
//!
//! Names, sources and texts are not trusted: in HTML each passes `texts::html`, in data
//! `texts::plain`, and no text in a script element can end it.
//! `docs/design/page-and-foreign-text.md` has the reasons.

mod benchmarks;
mod bounds;
mod chart;
mod details;
mod frames;
mod head;
mod history;
mod index;
mod packed;
mod page;
mod pictures;
#[cfg(test)]
mod tests;
mod texts;
mod times;

use std::io::{self, Write};
use std::sync::Arc;

use self::benchmarks::{PageBenchmarks, PageMetrics};
use self::bounds::PageBounds;
use self::history::PageHistory;
use self::index::PageIndex;
use crate::kept_digests::DetailSource;
use crate::pictures::LibraryPictures;
use verdict::history::History;
use verdict::sides::{ComparisonReport, PairedSideTimes};

/// Values that a page shows beside the report.
#[derive(Debug, Clone, Default)]
pub struct PageSources {
    /// The same comparison with all metrics that were collected, for the tables of benchmarks.
    pub all_metrics: Option<Arc<ComparisonReport>>,
    /// Explanations, functions, lines and machine code of benchmarks.
    pub details: Option<Arc<dyn DetailSource>>,
    /// Earlier results, the oldest first.
    pub history: Option<Arc<History>>,
    /// Costs by function and size.
    pub pictures: Option<Arc<LibraryPictures>>,
    /// Wall time in pairs with old executables.
    pub times: Option<Arc<PairedSideTimes>>,
    /// The address before the path of a source file of the new side.
    pub files: Option<String>,
}

/// Writes a page.
///
/// # Errors
///
/// It cannot be written.
pub fn write(
    report: &ComparisonReport,
    sources: &PageSources,
    out: &mut dyn Write,
) -> io::Result<()> {
    write_within(report, sources, PageBounds::default(), out)
}

fn write_within(
    report: &ComparisonReport,
    sources: &PageSources,
    bounds: PageBounds,
    out: &mut dyn Write,
) -> io::Result<()> {
    let all = sources.all_metrics.as_deref().unwrap_or(report);
    let metrics = PageMetrics::of(report, all);
    let benchmarks = PageBenchmarks::of(report, all);
    let history = sources.history.as_deref();
    let history = history.map(|history| PageHistory::new(history, report));
    let history = history.unwrap_or_default();
    let times = sources.times.as_deref();
    let times = times.map(|times| times::section(times, &benchmarks, report.old.is_none()));
    let times = times.unwrap_or_default();
    // Wall time has bounds of its own, in rows; details take what it leaves of the page.
    let bounds = PageBounds {
        of_page: bounds.of_page.saturating_sub(times.len()),
        ..bounds
    };
    let inputs = bounds::PageInputs {
        benchmarks: &benchmarks,
        metrics: &metrics,
        history: &history,
        source: sources.details.as_deref(),
        bounds,
    };
    let details = bounds::packed_details(&inputs)?;
    let index = PageIndex {
        report,
        benchmarks: &benchmarks,
        metrics: &metrics,
        history: &history,
        details: &details,
        files: sources.files.as_deref(),
    };
    let text = |text: &str, out: &mut dyn Write| out.write_all(text.as_bytes());
    fill(page::TEMPLATE, out, |place, out| match place {
        "TITLE" => text(&head::title(report), out),
        "HEAD" => text(&head::head(&index), out),
        "STYLE" => text(page::STYLE, out),
        "PICTURES" => {
            let pictures = sources.pictures.as_deref();
            let drawn = pictures.map(|it| pictures::section(it, report.old.is_none()));
            text(&times, out)?;
            text(&drawn.unwrap_or_default(), out)
        }
        "INDEX" => text(&index.rows(), out),
        "DATA" => text(&index.data()?, out),
        "SCRIPT" => text(page::SCRIPT, out),
        // The table stands before they are read.
        "DETAILS" => details.write_elements(out),
        // A comment of the template.
        other => write!(out, "<!--{other}-->"),
    })
}

/// Writes the template with what is written in each of its places. Nothing of that is looked
/// through for places.
fn fill(
    template: &str,
    out: &mut dyn Write,
    write_place: impl Fn(&str, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut rest = template;
    while let Some((before, (place, behind))) =
        rest.split_once("<!--").and_then(|(before, rest)| {
            let place = rest.split_once("-->")?;
            Some((before, place))
        })
    {
        out.write_all(before.as_bytes())?;
        write_place(place, out)?;
        rest = behind;
    }
    out.write_all(rest.as_bytes())
}
