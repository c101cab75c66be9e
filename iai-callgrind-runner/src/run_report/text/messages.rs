//! Errors and warnings on stderr, in any form of the results.

use std::error::Error;
use std::io;

use super::not_judged::NotJudged;
use super::percent_signs::PercentSigns;
use super::totals;
use crate::error::{causes, with_causes};
use crate::execute::JobFailure;
use crate::plan::PlannedBenchmark;
use crate::run_report::event::{Event, Report, UnderTool};
use crate::run_report::streams::Streams;
use base::exit::Exit;
use base::tool::{self, Tool};
use cli::Stream;
use report::text::exceeded::regression_summary;
use report::text::paint::Ink;
use report::text::scaling::FormulaLetters;
use report::text::{expectations, wall_time, Style};
use report::visible::without_colors;

/// Writes warnings and errors as text.
pub(in crate::run_report) struct Messages {
    style: Style,
    /// Is stdout for programs? Then the output of benchmarks is a message as well.
    alone: bool,
    /// Are results left out?
    quiet: bool,
    /// Are regressions messages?
    tells_regressions: bool,
    /// Messages that hold for several benchmarks and are written once.
    told: Vec<String>,
    not_judged: NotJudged,
    percent_signs: PercentSigns,
}

impl Messages {
    /// Messages beside results on stdout.
    pub(in crate::run_report) fn beside_results(style: Style, quiet: bool) -> Self {
        Self {
            style,
            alone: false,
            quiet,
            tells_regressions: false,
            told: Vec::new(),
            not_judged: NotJudged::default(),
            percent_signs: PercentSigns::default(),
        }
    }

    /// Messages with everything that people should see, since stdout is for programs.
    pub(in crate::run_report) fn alone(style: Style) -> Self {
        Self {
            alone: true,
            tells_regressions: true,
            ..Self::beside_results(style, false)
        }
    }
}

impl Report for Messages {
    fn event(&mut self, event: Event<'_>, streams: &mut Streams) -> io::Result<()> {
        match event {
            Event::Planned { plan, .. } => {
                // Nothing else would tell of a regression.
                self.tells_regressions |= self.quiet && !plan.summary;
                Ok(())
            }
            Event::Warning(text) | Event::Unchecked(text) | Event::Gone { text, .. } => {
                streams.message(&self.warning(text))
            }
            Event::RunBegins { settings, .. } => {
                self.percent_signs = PercentSigns::of(settings);
                Ok(())
            }
            Event::Step(text) => streams.message(&format!("{text}\n")),
            Event::Printed { bytes, .. } if self.alone => streams.printed(Stream::Stderr, bytes),
            Event::Measured(measured) => {
                self.not_judged.add(measured);
                self.percent_signs.look_at(measured);
                let text = self.measured(measured);
                streams.message(&text)
            }
            Event::Timed { benchmark, time } if self.tells_regressions => {
                let label = self.style.paint(Ink::Worse, "regression");
                let exceeded = wall_time::exceeded(time, self.style);
                let line = |text| format!("{label}: benchmark `{}`: {text}\n", benchmark.path);
                streams.message(&exceeded.map(line).unwrap_or_default())
            }
            Event::Totals { .. } => {
                let not_judged = self.not_judged.text(self.style);
                let all = not_judged
                    .into_iter()
                    .chain(self.percent_signs.missing.take());
                let text: String = all.map(|text| self.warning(&text)).collect();
                streams.message(&text)
            }
            Event::Failed {
                benchmark,
                tool,
                failure,
                output,
            } => {
                let text = self.failed(&subject(benchmark, tool), failure, output);
                streams.message(&text)
            }
            Event::HookFailed {
                name,
                failure,
                output,
            } => {
                let text = self.explained(name, failure, output);
                streams.message(&text)
            }
            Event::TargetsEnded { ended, elapsed } if self.alone => {
                streams.message(&totals::of_targets(ended, elapsed, self.style))
            }
            Event::Stopped(error) => {
                streams.progress.end();
                streams.message(&self.error(&error.to_string(), Some(error)))
            }
            Event::RunEnds {
                exit,
                exits_zero: true,
                ..
            } if exit != Exit::Ok => {
                let code = exit as u8;
                streams.message(&format!(
                    "exit code 0 instead of {code} (--exit-zero); iai-callgrind-runner compare has the verdict\n"
                ))
            }
            _ => Ok(()),
        }
    }
}

impl Messages {
    /// Messages about a result.
    fn measured(&mut self, measured: UnderTool<'_>) -> String {
        let UnderTool {
            benchmark, result, ..
        } = measured;
        let mut text = String::new();
        if self.tells_regressions {
            text += &self.regressions(measured);
        }
        for note in &result.notes {
            text += &self.warning(&format!("`{}`: {note}", benchmark.path));
        }
        for circumstance in measured.circumstances {
            if self.is_new(circumstance) {
                text += &self.warning(circumstance);
            }
        }
        if let Some(errors) = measured.errors {
            text += &self.failed(&subject(benchmark, result.tool), errors, &[]);
        }
        text
    }

    fn regressions(&self, measured: UnderTool<'_>) -> String {
        let UnderTool {
            benchmark, result, ..
        } = measured;
        let label = self.style.paint(Ink::Worse, "regression");
        let title = tool::row(result.tool).title;
        let mut text = String::new();
        for regression in &result.regressions {
            let line = regression_summary(title, regression, self.style);
            text += &format!("{label}: benchmark `{}`: {line}", benchmark.path);
        }
        for unmet in &result.unmet {
            let line = expectations::summary(unmet, FormulaLetters::Ascii, self.style);
            text += &format!("{label}: benchmark `{}`: {title}: {line}", benchmark.path);
        }
        text
    }

    /// The failure of a benchmark. A failure that many benchmarks share, such as an executable
    /// without symbols, is explained once; later it has one line.
    fn failed(&mut self, subject: &str, failure: &JobFailure, output: &[u8]) -> String {
        let text = with_causes(failure);
        if self.is_new(&text) {
            return self.explained(subject, failure, output);
        }
        let first = text.lines().next().unwrap_or_default();
        self.error(&format!("{subject} {first}"), None) + &self.shown_once(output)
    }

    /// The output of a benchmark. Where that of an earlier one was the same, this is said.
    fn shown_once(&mut self, output: &[u8]) -> String {
        let shown = shown_below(output);
        match shown.is_empty() || self.is_new(&shown) {
            true => shown,
            false => "  output: as above\n".to_owned(),
        }
    }

    /// A failure with its causes and the output. Its text continues the sentence that begins with
    /// `subject`.
    fn explained(&mut self, subject: &str, failure: &JobFailure, output: &[u8]) -> String {
        let text = format!("{subject} {failure}");
        self.error(&text, Some(failure)) + &self.shown_once(output)
    }

    /// `error: …` and a line for each cause.
    fn error(&self, text: &str, error: Option<&dyn Error>) -> String {
        let mut text = format!("{}: {text}\n", self.style.paint(Ink::Error, "error"));
        for cause in error.into_iter().flat_map(causes) {
            text += &indented(&format!("caused by: {cause}"), "  ");
        }
        text
    }

    fn warning(&self, text: &str) -> String {
        let label = self.style.paint(Ink::Warning, "warning");
        format!("{label}: {text}\n")
    }

    /// Is this message new? Remembers it.
    fn is_new(&mut self, text: &str) -> bool {
        let is_new = !self.told.iter().any(|told| told == text);
        if is_new {
            self.told.push(text.to_owned());
        }
        is_new
    }
}

/// Name of a benchmark in messages.
fn subject(benchmark: &PlannedBenchmark, tool: Tool) -> String {
    match benchmark.names_tools() {
        true => format!("benchmark `{}` under {tool}", benchmark.path),
        false => format!("benchmark `{}`", benchmark.path),
    }
}

fn shown_below(output: &[u8]) -> String {
    match output.is_empty() {
        true => String::new(),
        false => format!(
            "  output:\n{}",
            indented(&without_colors(&String::from_utf8_lossy(output)), "  | ")
        ),
    }
}

fn indented(text: &str, indent: &str) -> String {
    text.lines()
        .map(|line| format!("{indent}{line}\n"))
        .collect()
}
