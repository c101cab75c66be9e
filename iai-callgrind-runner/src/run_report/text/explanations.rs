//! Reasons for changed counts, below the results or on stderr.
//!
//! A terminal shows them below the rows of each tool. Elsewhere they stand below all rows of a
//! benchmark: programs read the rows, and stop at a line that they do not know.

use std::io;

use crate::run_report::event::{Event, Report, UnderTool};
use crate::run_report::streams::Streams;
use cli::ShownExplanations;
use report::room::wrapped;
use report::text::{explanation_text, heap_sites_text, Style, Styles};

/// Writes why counts changed.
pub(in crate::run_report) struct Explanations {
    place: ExplanationPlace,
    width: usize,
    /// Columns of the terminal, which may be less.
    terminal: Option<usize>,
    /// Explanations of the current benchmark that wait for the end of its rows.
    waiting: String,
}

/// Indent of a line that continues another one on a narrow terminal.
const INDENT: &str = "            ";

/// Place of the explanations.
enum ExplanationPlace {
    Nowhere,
    /// Explanations of all changes, below the results.
    Results(Style),
    /// Explanations of exceeded limits, as messages, where the results are not shown.
    Messages(Style),
}

impl Explanations {
    /// Explanations of a run whose results are shown, or only its final block.
    pub(in crate::run_report) fn new(
        styles: Styles,
        quiet: bool,
        shown: ShownExplanations,
    ) -> Self {
        Self {
            place: match shown {
                ShownExplanations::No => ExplanationPlace::Nowhere,
                ShownExplanations::Auto if quiet => ExplanationPlace::Messages(styles.err),
                ShownExplanations::Auto | ShownExplanations::Yes => {
                    ExplanationPlace::Results(styles.out)
                }
            },
            width: styles.columns(),
            terminal: styles.terminal_width(),
            waiting: String::new(),
        }
    }
}

impl Report for Explanations {
    fn event(&mut self, event: Event<'_>, streams: &mut Streams) -> io::Result<()> {
        let UnderTool {
            benchmark, result, ..
        } = match event {
            Event::Measured(measured) => measured,
            Event::BenchmarkEnds(_) => return streams.result(&std::mem::take(&mut self.waiting)),
            _ => return Ok(()),
        };
        let settings = benchmark.jobs.iter().find_map(|job| job.explain);
        let most = settings.and_then(|settings| settings.rows);
        let text = |style| {
            let of_counts = result.explanation.as_ref();
            let of_counts = of_counts.map(|found| explanation_text(found, self.width, most, style));
            let of_heap = result.heap_sites.as_ref();
            let of_heap = of_heap.map(|found| heap_sites_text(found, self.width, most, style));
            of_counts.unwrap_or_default() + &of_heap.unwrap_or_default()
        };
        match self.place {
            ExplanationPlace::Results(style) => {
                let text = text(style.with_grid(benchmark.layout.grid));
                match self.terminal {
                    Some(width) => streams.result(&wrapped(&text, width, INDENT)),
                    None => {
                        self.waiting += &text;
                        Ok(())
                    }
                }
            }
            ExplanationPlace::Messages(style) if !result.regressions.is_empty() => {
                // A count may be over its limit and still be what it was.
                match text(style) {
                    text if text.is_empty() => Ok(()),
                    text => streams.message(&format!("`{}`:\n{text}", benchmark.path)),
                }
            }
            ExplanationPlace::Messages(_) | ExplanationPlace::Nowhere => Ok(()),
        }
    }
}
