//! The results for people, on stdout: headlines, rows, exceeded limits, and the final block.

use std::io;
use std::time::Duration;

use super::findings;
use super::terminal::{self, RunTotals};
use super::totals::{self, Regressed};
use crate::plan::{Layout, PlannedBenchmark};
use crate::run_report::event::{Event, OutcomeCounts, Report, UnderTool};
use crate::run_report::progress::Progress;
use crate::run_report::run_numbers::RunTally;
use crate::run_report::streams::Streams;
use cli::env::RunnerEnvironment;
use cli::{HistoryFormat, ShownComparisons, ShownStreams, Stream};
use records::summary::{Baselines, RecordedTime};
use report::history_csv::history_csv;
use report::text::paint::Ink;
use report::text::scaling::FormulaLetters;
use report::text::screen::Screen;
use report::text::{
    accepted, by_id_table, columns, exceeded, expectations, explained, header, history, parts,
    piped_rows, scaling, verification, wall_time, Style, Styles,
};
use store::Hints;
use verdict::{BenchGrowth, ComparisonById, ToolResult};

/// Writes results as text.
pub(in crate::run_report) struct Results {
    style: Style,
    /// The terminal; `None`: programs may read the results.
    screen: Option<Screen>,
    /// The numbers of the last line.
    tally: RunTally,
    /// Collects the final lines.
    totals: RunTotals,
    /// Names of compared results that the terminal has shown.
    baselines: Baselines,
    /// Columns for explanations.
    width: usize,
    /// Columns for tables.
    table_width: usize,
    /// Only the final block is shown.
    quiet: bool,
    /// Comparisons by id are tables at the end of their group.
    has_tables: bool,
    /// Letters of formulas.
    letters: FormulaLetters,
    /// The package of the benchmarks.
    planned: String,
    /// The package before the name of each benchmark, where several packages run: `p1 `.
    package: String,
    regressed: Regressed,
    /// The row with the unit of the benchmark's system times, if some are shown. These rows and the
    /// blocks of tools are read by programs, which stop at a row that they do not know, so it comes
    /// last.
    unit: String,
}

impl Results {
    /// All results, or only the final block.
    pub(in crate::run_report) fn new(
        styles: Styles,
        quiet: bool,
        comparisons: ShownComparisons,
    ) -> Self {
        Self {
            letters: match styles.width {
                Some(_) => FormulaLetters::Unicode,
                None => FormulaLetters::Ascii,
            },
            table_width: styles.table_columns(),
            has_tables: match comparisons {
                ShownComparisons::Auto => styles.width.is_some(),
                ShownComparisons::Pairs => false,
                ShownComparisons::Table => true,
            },
            style: styles.out,
            screen: styles.terminal_width().map(|width| Screen {
                width,
                style: styles.out,
            }),
            tally: RunTally::default(),
            totals: RunTotals::default(),
            baselines: Baselines::default(),
            width: styles.columns(),
            quiet,
            planned: String::new(),
            package: String::new(),
            regressed: Regressed::default(),
            unit: String::new(),
        }
    }
}

impl Report for Results {
    fn event(&mut self, event: Event<'_>, streams: &mut Streams) -> io::Result<()> {
        self.tally.event(event);
        self.find_package(event);
        self.totals.event(event, self.style);
        let text = match event {
            // The output of benchmarks would break the status line, so there is none if any is
            // shown.
            Event::RunBegins {
                plan,
                settings,
                records,
            } if settings.shown == ShownStreams::None => {
                streams.progress = Progress::new(plan, records, &settings.environment);
                return Ok(());
            }
            Event::BenchmarkBegins(benchmark) => {
                streams.progress.began(&benchmark.path);
                self.unit.clear();
                self.headline(benchmark)
            }
            Event::Printed { stream, bytes } => return streams.printed(stream, bytes),
            Event::OutputEnds(benchmark) => end_of_output(benchmark.shown(), self.style),
            Event::Measured(measured) => self.measured(measured),
            Event::Timed { benchmark, time } => self.timed(benchmark, time),
            Event::Compared { benchmark, by_id } => {
                let compared = match self.has_tables {
                    true => String::new(),
                    false => self.compared(benchmark, by_id),
                };
                std::mem::take(&mut self.unit) + &compared
            }
            Event::Growth { benchmark, growth } => self.growth(benchmark, growth),
            Event::GroupCompared(benchmarks) => match self.has_tables {
                true => by_id_table::text(benchmarks, self.table_width, self.style),
                false => return Ok(()),
            },
            Event::BenchmarkEnds(..) => std::mem::take(&mut self.unit),
            other => return self.always(other, streams),
        };
        match self.quiet {
            true => Ok(()),
            false => streams.result(&text),
        }
    }
}

impl Results {
    /// Handles the events that are shown even with `--quiet`.
    fn always(&mut self, event: Event<'_>, streams: &mut Streams) -> io::Result<()> {
        let text = match event {
            Event::Totals {
                counts,
                elapsed,
                wanted,
                told,
            } => {
                streams.progress.end();
                match wanted {
                    true => {
                        // The hint is for people, as the status line is, and stands where that one
                        // can be seen.
                        let watched = told.filter(|_| streams.progress.is_watched());
                        let numbers = self.tally.numbers(counts);
                        let next = watched.map_or("", |told| terminal::what_next(&numbers, told));
                        self.totals(counts, elapsed, told) + next
                    }
                    false => return Ok(()),
                }
            }
            Event::TargetsEnded { ended, elapsed } => match self.screen {
                Some(screen) => terminal::of_targets(screen, ended, elapsed),
                None => {
                    let result = totals::of_targets(ended, elapsed, self.style);
                    result + &terminal::below_targets(self.room(), ended)
                }
            },
            Event::Verified(verdicts) => verification::text(verdicts, self.style),
            Event::Examined(findings) => findings::text(findings, self.style),
            Event::Explained { results, functions } => {
                explained::text(results, functions, self.width, self.style)
            }
            Event::Accepted {
                changes,
                file,
                nothing,
            } => accepted::text(changes, file, nothing, self.style),
            Event::History {
                history,
                format,
                all,
                sparklines,
            } => match format {
                HistoryFormat::Text => history::text(history, all, sparklines, self.style),
                HistoryFormat::Csv => return streams.say(Stream::Stdout, &history_csv(history)),
                HistoryFormat::Json => {
                    let json = serde_json::to_string_pretty(history).map_err(io::Error::other)?;
                    return streams.object(format!("{json}\n").as_bytes());
                }
            },
            Event::Formatted(bytes) => return streams.for_programs(bytes),
            Event::Script(text) => return streams.for_programs(text.as_bytes()),
            _ => return Ok(()),
        };
        streams.result(&text)
    }

    fn find_package(&mut self, event: Event<'_>) {
        match event {
            Event::Planned { context, .. } => self.planned.clone_from(&context.package),
            Event::RunBegins { settings, .. } => {
                // Set by the runner of all bench targets: names of different packages may be equal.
                let variable = RunnerEnvironment::NAMES_PACKAGE;
                if settings.environment.get(variable).is_some() {
                    self.package = format!("{} ", self.planned);
                }
            }
            _ => {}
        }
    }

    fn headline(&self, benchmark: &PlannedBenchmark) -> String {
        let truncate = benchmark.layout.truncate;
        let line = match self.screen {
            Some(screen) => {
                let path = benchmark.short_path();
                let width = screen.width.saturating_sub(self.package.len());
                header::headline_on_terminal(&path, truncate, width, self.style)
            }
            None => header::headline(&benchmark.path, truncate, self.style),
        };
        format!("{}{line}\n", self.package)
    }

    /// Metrics of one tool, and limits that they exceed.
    fn measured(&mut self, measured: UnderTool<'_>) -> String {
        let UnderTool {
            benchmark, result, ..
        } = measured;
        self.regressed
            .remember(benchmark, result, self.letters, self.style);
        let layout = &benchmark.layout;
        let style = self.style.with_grid(layout.grid);
        if let Some(unit) = unit_of_system_times(result) {
            self.unit = columns::text("System times in", unit, style);
        }
        if let Some(screen) = self.screen {
            // Most often all benchmarks are compared with the same ones. A baseline that is saved
            // for the first time is compared with nothing.
            let is_compared = result.total.rows.iter().any(|row| row.old.is_some());
            let names = measured.baselines.filter(|_| is_compared);
            let names = names.filter(|names| self.baselines != **names);
            if let Some(names) = names {
                self.baselines = names.clone();
            }
            let measured = UnderTool {
                baselines: names,
                ..measured
            };
            return on_terminal(measured, screen.with_grid(layout.grid));
        }
        let mut text = String::new();
        if !layout.only_comparison {
            if benchmark.names_tools() {
                text += &columns::tool_headline(result.tool, style);
            }
            text += &baselines(measured.baselines, style);
            text += &metrics(result, layout, style);
        }
        for regression in &result.regressions {
            text += &exceeded::regression_line(regression, self.style);
        }
        for unmet in &result.unmet {
            text += &expectations::line(unmet, self.letters, self.style);
        }
        text
    }

    /// Wall time of a benchmark.
    fn timed(&mut self, benchmark: &PlannedBenchmark, time: &RecordedTime) -> String {
        self.regressed.remember_time(benchmark, time, self.style);
        if benchmark.layout.only_comparison {
            return String::new();
        }
        let grid = benchmark.layout.grid;
        match self.screen {
            Some(screen) => screen.with_grid(grid).time(time),
            None => wall_time::piped(time, self.style.with_grid(grid)),
        }
    }

    /// Comparisons with other benchmarks.
    fn compared(&self, benchmark: &PlannedBenchmark, by_id: &[ComparisonById]) -> String {
        let layout = &benchmark.layout;
        let style = self.style.with_grid(layout.grid);
        let screen = self.screen.map(|screen| screen.with_grid(layout.grid));
        let mut text = String::new();
        for ComparisonById { other, tools } in by_id {
            let headline = header::comparison_with(other, layout.truncate, style) + "\n";
            text += &match screen {
                Some(screen) => screen.wrapped(&headline, "      "),
                None => headline,
            };
            for (tool, format, comparison) in tools {
                if benchmark.names_tools() {
                    text += &columns::tool_subheadline(*tool, style);
                }
                text += &match screen {
                    Some(screen) => screen.rows(comparison, format, layout.tolerance),
                    None => piped_rows::rows(comparison, format, layout.tolerance, style),
                };
            }
        }
        text
    }

    /// The growth of counts up to this benchmark.
    fn growth(&self, benchmark: &PlannedBenchmark, growth: &BenchGrowth) -> String {
        let layout = &benchmark.layout;
        match layout.only_comparison {
            true => String::new(),
            false => {
                let style = self.style.with_grid(layout.grid);
                let text = scaling::growth(growth, self.letters, style);
                match self.screen {
                    Some(screen) => screen.wrapped(&text, "      "),
                    None => text,
                }
            }
        }
    }

    /// The final block: regressions of all benchmarks, then one line with the counts.
    fn totals(&self, counts: OutcomeCounts, elapsed: Duration, told: Option<&Hints>) -> String {
        let numbers = self.tally.numbers(counts);
        if let Some(screen) = self.screen {
            return self.totals.text(screen, &numbers, elapsed, told);
        }
        let regressed = self.regressed.block();
        let line = totals::result_line(&numbers, elapsed, self.style);
        let below = self.totals.below_other_result(self.room(), &numbers, told);
        format!("\n{regressed}{line}{below}")
    }

    /// The room for lines that no program reads.
    fn room(&self) -> Screen {
        Screen {
            width: self.width,
            style: self.style,
        }
    }
}

/// Metrics of one tool on a terminal, and limits that they exceed.
fn on_terminal(measured: UnderTool<'_>, screen: Screen) -> String {
    let UnderTool {
        benchmark, result, ..
    } = measured;
    let layout = &benchmark.layout;
    let format = benchmark.rows_for_people(result.tool, &result.format);
    let mut text = String::new();
    if !layout.only_comparison {
        if benchmark.names_tools() {
            text += &screen.tool_headline(result.tool);
        }
        text += &measured
            .baselines
            .map_or_else(String::new, |names| screen.baselines(names));
        let rows = |of| screen.rows(of, &format, layout.tolerance);
        for part in &result.parts {
            text += &screen.part(part);
            text += &rows(&part.comparison);
        }
        if !result.parts.is_empty() {
            text += &parts::total(screen.style);
        }
        text += &rows(&result.total);
        text += &screen.details(&result.details);
    }
    for regression in &result.regressions {
        text += &screen.regression(regression);
    }
    for unmet in &result.unmet {
        text += &screen.unmet(unmet);
    }
    text
}

/// The line that ends the output of a benchmark, if some of it was to be shown.
fn end_of_output(shown: ShownStreams, style: Style) -> String {
    let streams = match shown {
        ShownStreams::None => return String::new(),
        ShownStreams::Both => "stdout/stderr",
        ShownStreams::Stdout => "stdout",
        ShownStreams::Stderr => "stderr",
    };
    style.paint(Ink::Mark, &format!("- end of {streams}")) + "\n"
}

/// Names of the compared results, unless these are the last run and the one before.
fn baselines(names: Option<&Baselines>, style: Style) -> String {
    match names {
        Some(Baselines { new, old }) if new.is_some() || old.is_some() => {
            columns::baselines(new.as_deref(), old.as_deref(), style)
        }
        _ => String::new(),
    }
}

/// The unit of the system times among the rows of a tool.
fn unit_of_system_times(result: &ToolResult) -> Option<&str> {
    let mut shown = result.format.iter();
    shown.find(|kind| kind.is_system_time() && result.total.row(**kind).is_some())?;
    result.total.time_unit.as_deref()
}

/// The rows of a tool: those of each part, if there are several, and those of all together.
fn metrics(result: &ToolResult, layout: &Layout, style: Style) -> String {
    let rows = |of| piped_rows::rows(of, &result.format, layout.tolerance, style);
    let mut text = String::new();
    for part in &result.parts {
        text += &parts::name(part, style);
        text += &rows(&part.comparison);
    }
    if !result.parts.is_empty() {
        text += &parts::total(style);
    }
    text += &rows(&result.total);
    text + &columns::details(&result.details, style)
}
