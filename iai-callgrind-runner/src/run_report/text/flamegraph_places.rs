//! The place of the flamegraphs, below all other lines of a benchmark.
//!
//! Programs read the rows of results, and stop at one that they do not know, so it comes last.

use std::io;
use std::path::Path;

use crate::plan::Layout;
use crate::run_report::event::{Event, Report};
use crate::run_report::streams::Streams;
use records::summary::{Flamegraph, Graph, Summary};
use report::links::FileLinks;
use report::text::{columns, Style, Styles};

/// Writes where the flamegraphs of a benchmark are.
pub(in crate::run_report) struct FlamegraphPlaces {
    style: Style,
    links: FileLinks,
    quiet: bool,
    /// Layout of the benchmark that is shown.
    layout: Layout,
}

impl FlamegraphPlaces {
    pub(in crate::run_report) fn new(styles: Styles, quiet: bool, links: FileLinks) -> Self {
        Self {
            style: styles.out,
            links,
            quiet,
            layout: Layout::default(),
        }
    }

    fn ended(&self, summary: &Summary, streams: &mut Streams) -> io::Result<()> {
        let style = self.style.with_grid(self.layout.grid);
        for profile in &summary.profiles {
            let flamegraphs = &profile.flamegraphs;
            let Some(first) = first(flamegraphs) else {
                continue;
            };
            let more = match flamegraphs.len() - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            let path = Path::new(&first.path);
            let name = columns::text_name("Flamegraph", style);
            let shown = columns::shown_text(&self.links.path(path), style);
            let address = self.links.address(path);
            streams.linked_result(&name, &shown, address.as_deref(), &(more + "\n"))?;
        }
        Ok(())
    }
}

/// The flamegraph to look at first: that of the new result, unless there is none.
fn first(flamegraphs: &[Flamegraph]) -> Option<&Flamegraph> {
    let of_new = |one: &&Flamegraph| one.graph == Graph::Regular;
    flamegraphs
        .iter()
        .find(of_new)
        .or_else(|| flamegraphs.first())
}

impl Report for FlamegraphPlaces {
    fn event(&mut self, event: Event<'_>, streams: &mut Streams) -> io::Result<()> {
        match event {
            Event::BenchmarkBegins(benchmark) => {
                self.layout = benchmark.layout;
                Ok(())
            }
            Event::BenchmarkEnds(summary) if !self.quiet && !self.layout.only_comparison => {
                self.ended(summary, streams)
            }
            _ => Ok(()),
        }
    }
}
