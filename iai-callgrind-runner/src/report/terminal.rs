//! The report for people: events to text.

use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use iai_callgrind::protocol::{EventKind, Truncate};

use super::paint::Ink;
use super::{columns, finish, header, Counts, Style};
use crate::compare::JobResult;
use crate::identity::Identity;

/// Writes results to one sink, warnings and errors to another.
pub struct Terminal {
    out: Box<dyn Write + Send>,
    err: Box<dyn Write + Send>,
    style: Style,
    /// Of the final block, one text for each benchmark.
    regressed: Vec<String>,
}

impl Terminal {
    /// A report that writes to these sinks.
    pub fn new(out: Box<dyn Write + Send>, err: Box<dyn Write + Send>, style: Style) -> Self {
        Self {
            out,
            err,
            style,
            regressed: Vec::new(),
        }
    }

    /// A report on stdout and stderr.
    #[expect(clippy::disallowed_methods, reason = "the one door to the two streams")]
    pub fn on_streams(style: Style) -> Self {
        Self::new(Box::new(io::stdout()), Box::new(io::stderr()), style)
    }

    /// The headline, before the benchmark runs.
    pub fn started(&mut self, identity: &Identity, truncate: Truncate) -> io::Result<()> {
        let headline = header::headline(identity, truncate, self.style);
        self.result(&format!("{headline}\n"))
    }

    /// Metrics, comparisons with other benchmarks, and exceeded limits. Notes go to the second
    /// sink.
    pub fn finished(
        &mut self,
        result: &JobResult,
        format: &[EventKind],
        tolerance: Option<f64>,
    ) -> io::Result<()> {
        let style = self.style;
        let mut text = String::new();
        let (new, old) = &result.baselines;
        if new.is_some() || old.is_some() {
            text += &columns::baselines(new.as_deref(), old.as_deref(), style);
        }
        text += &columns::rows(&result.total, format, tolerance, style);
        for (identity, comparison) in &result.by_id {
            text += &header::comparison_with(identity, style);
            text.push('\n');
            text += &columns::rows(comparison, format, tolerance, style);
        }
        for regression in &result.regressions {
            text += &finish::regression_line(regression, style);
        }
        self.result(&text)?;
        self.remember(result);
        for note in &result.notes {
            self.warning(&format!("`{}`: {note}", result.identity))?;
        }
        Ok(())
    }

    /// What went wrong with a benchmark or a hook, and what that printed. `error` continues the
    /// sentence that begins with `subject`.
    pub fn failed(&mut self, subject: &str, error: &dyn Error, output: &[u8]) -> io::Result<()> {
        let text = self.causes(&format!("{subject} {error}"), error.source());
        self.failure(text, output)
    }

    /// The same in one line, for what was explained before.
    pub fn failed_too(&mut self, subject: &str, error: &str, output: &[u8]) -> io::Result<()> {
        let text = self.causes(&format!("{subject} {error}"), None);
        self.failure(text, output)
    }

    fn failure(&mut self, mut text: String, output: &[u8]) -> io::Result<()> {
        if !output.is_empty() {
            text += "  output:\n";
            text += &indented(&String::from_utf8_lossy(output), "  | ");
        }
        self.message(&text)
    }

    /// What ended the run.
    pub fn error(&mut self, error: &dyn Error) -> io::Result<()> {
        let text = self.causes(&error.to_string(), error.source());
        self.message(&text)
    }

    /// `error: …` and a line for each cause.
    fn causes(&self, text: &str, mut cause: Option<&dyn Error>) -> String {
        let mut text = format!("{}: {text}\n", self.style.paint(Ink::Error, "error"));
        while let Some(error) = cause {
            text += &indented(&format!("caused by: {error}"), "  ");
            cause = error.source();
        }
        text
    }

    /// Something that the user should know; the run goes on.
    pub fn warning(&mut self, text: &str) -> io::Result<()> {
        let label = self.style.paint(Ink::Warning, "warning");
        self.message(&format!("{label}: {text}\n"))
    }

    /// The final block: regressions of all benchmarks, then one line with the counts.
    pub fn done(&mut self, counts: &Counts, elapsed: Duration) -> io::Result<()> {
        let mut text = String::from("\n");
        if !self.regressed.is_empty() {
            text += "Regressions:\n\n";
            text += &self.regressed.concat();
            text.push('\n');
        }
        text += &finish::result_line(counts, elapsed, self.style);
        self.result(&text)
    }

    fn remember(&mut self, result: &JobResult) {
        if result.regressions.is_empty() {
            return;
        }
        let mut text = format!("  {}:\n", header::name(&result.identity, self.style));
        for regression in &result.regressions {
            let tool = capitalized(result.tool.id());
            text += "    ";
            text += &finish::regression_summary(&tool, regression, self.style);
        }
        self.regressed.push(text);
    }

    fn result(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    fn message(&mut self, text: &str) -> io::Result<()> {
        self.err.write_all(text.as_bytes())?;
        self.err.flush()
    }
}

/// Do results go to a terminal?
#[expect(clippy::disallowed_methods, reason = "asks, does not write")]
pub(super) fn is_on_terminal() -> bool {
    io::stdout().is_terminal()
}

fn indented(text: &str, indent: &str) -> String {
    text.lines()
        .map(|line| format!("{indent}{line}\n"))
        .collect()
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
