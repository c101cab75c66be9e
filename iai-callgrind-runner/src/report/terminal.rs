//! The report for people: events to text.

use std::error::Error;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::Duration;

use clap::Command;
use clap_complete::Shell;
use nix::unistd::dup2_stdout;

use super::json::{About, Json};
use super::paint::Ink;
use super::progress::Progress;
use super::streams::{self, OnStderr, Streams};
use super::{columns, completions, findings, finish, header, parts, verdicts};
use super::{Counts, Style, Styles};
use crate::cli::env::Environment;
use crate::cli::{ShownStreams, Stream};
use crate::compare::{Baselines, ById, ToolResult};
use crate::doctor::Finding;
use crate::error::Error as RunError;
use crate::execute::Viewer;
use crate::exit::Exit;
use crate::identity::Identity;
use crate::plan::Layout;
use crate::summary::{with_causes, Format, Summary, System};
use crate::tool::{self, Tool};
use crate::verify::Verdict;

/// Writes results to one sink, warnings and errors to another.
pub struct Terminal {
    out: Box<dyn Write + Send>,
    err: Box<dyn Write + Send>,
    streams: Streams,
    styles: Styles,
    progress: Progress,
    /// Of the results only the final block is shown.
    quiet: bool,
    /// Lines of the final block.
    regressed: Vec<String>,
    /// The benchmark that the last of them belongs to.
    last_regressed: Option<Identity>,
    /// JSON to the first sink, instead of text.
    json: Option<Json>,
}

impl Terminal {
    /// A report that writes to these sinks.
    pub fn new(out: Box<dyn Write + Send>, err: Box<dyn Write + Send>, styles: Styles) -> Self {
        Self::with(Streams::new(out, err, false), styles)
    }

    fn with(streams: Streams, styles: Styles) -> Self {
        Self {
            out: streams.writer(Stream::Stdout),
            err: streams.writer(Stream::Stderr),
            streams,
            styles,
            progress: Progress::none(),
            quiet: false,
            regressed: Vec::new(),
            last_regressed: None,
            json: None,
        }
    }

    /// Objects for programs go to the first sink, and no text.
    #[must_use]
    pub fn as_json(mut self, format: Format, system: System) -> Self {
        self.json = Some(Json::new(format, system));
        self
    }

    /// A report on stdout and stderr.
    #[expect(clippy::disallowed_methods, reason = "the one door to the two streams")]
    pub fn on_streams(styles: Styles) -> Self {
        let (out, err) = (io::stdout(), io::stderr());
        let one_place = streams::are_one_place(&out, &err);
        Self::with(
            Streams::new(Box::new(out), Box::new(err), one_place),
            styles,
        )
    }

    /// Shows of the results only the final block, if that is wanted.
    #[must_use]
    pub fn quiet(self, quiet: bool) -> Self {
        Self { quiet, ..self }
    }

    /// A report of objects on stdout. What anybody else writes to stdout goes to stderr from now on: a
    /// benchmark whose output is shown, or a library in this process.
    ///
    /// # Errors
    ///
    /// The two streams cannot be exchanged.
    #[expect(clippy::disallowed_methods, reason = "the one door to the two streams")]
    pub fn on_streams_as_json(styles: Styles, format: Format, system: System) -> io::Result<Self> {
        let out = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        dup2_stdout(io::stderr())?;
        let err = Box::new(io::stderr());
        Ok(Self::new(Box::new(out), err, styles).as_json(format, system))
    }

    /// From here on a status line says how far the run is, if both streams are a terminal that people
    /// look at.
    pub fn show_progress(&mut self, benchmarks: usize, environment: &Environment) {
        // Objects may go to another program on the same terminal.
        if self.json.is_none() {
            self.progress = Progress::new(benchmarks, environment);
        }
    }

    /// Do objects go to stdout?
    pub fn is_for_programs(&self) -> bool {
        self.json.is_some()
    }

    /// What the run is, for its object at the end.
    pub fn about(&mut self, about: About) {
        if let Some(json) = &mut self.json {
            json.about(about);
        }
    }

    /// A benchmark is done: its object.
    pub fn summary(&mut self, summary: Summary) -> io::Result<()> {
        match &mut self.json {
            Some(json) => {
                let bytes = json.benchmark(summary)?;
                self.object(&bytes)
            }
            None => Ok(()),
        }
    }

    /// The run is over, with this exit code or because of an error: its object.
    pub fn run_ended(&mut self, exit: Exit, error: Option<&RunError>) -> io::Result<()> {
        match &mut self.json {
            Some(json) => {
                let bytes = json.run(exit, error)?;
                self.object(&bytes)
            }
            None => Ok(()),
        }
    }

    fn object(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.out.flush()
    }

    /// The headline, before the benchmark runs.
    pub fn started(&mut self, identity: &Identity, layout: &Layout) -> io::Result<()> {
        let headline = header::headline(identity, layout.truncate, self.styles.out);
        self.progress.began(identity);
        self.result(&format!("{headline}\n"))
    }

    /// Sees what benchmarks print from here on.
    pub fn viewer(&self) -> Arc<dyn Viewer> {
        match self.json {
            Some(_) => Arc::new(OnStderr(self.streams.clone())),
            None => Arc::new(self.streams.clone()),
        }
    }

    /// Where the output of a benchmark ends, if some of it was to be shown.
    pub fn printed(&mut self, shown: ShownStreams) -> io::Result<()> {
        let streams = match shown {
            ShownStreams::None => return Ok(()),
            ShownStreams::Both => "stdout/stderr",
            ShownStreams::Stdout => "stdout",
            ShownStreams::Stderr => "stderr",
        };
        let end = format!("- end of {streams}");
        let end = self.styles.out.paint(Ink::Mark, &end);
        self.result(&format!("{end}\n"))
    }

    /// What was compared, if that is not the last run with the one before.
    pub fn baselines(&mut self, (new, old): &Baselines, layout: &Layout) -> io::Result<()> {
        if layout.only_comparison || (new.is_none() && old.is_none()) {
            return Ok(());
        }
        let line = columns::baselines(new.as_deref(), old.as_deref(), self.style(layout));
        self.result(&line)
    }

    /// Above what belongs to one of several tools.
    pub fn tool(&mut self, tool: Tool, layout: &Layout) -> io::Result<()> {
        if layout.only_comparison {
            return Ok(());
        }
        let headline = columns::tool_headline(tool, self.style(layout));
        self.result(&headline)
    }

    /// Metrics of one tool, and limits that they exceed. Notes go to the second sink.
    pub fn measured(
        &mut self,
        identity: &Identity,
        result: &ToolResult,
        layout: &Layout,
    ) -> io::Result<()> {
        let mut text = String::new();
        if !layout.only_comparison {
            text += &metrics(result, layout, self.style(layout));
        }
        for regression in &result.regressions {
            text += &finish::regression_line(regression, self.styles.out);
        }
        match self.json {
            Some(_) => self.regressed_too(identity, result)?,
            None => self.result(&text)?,
        }
        self.remember(identity, result);
        for note in &result.notes {
            self.remark(&format!("`{identity}`: {note}"))?;
        }
        Ok(())
    }

    /// The same for whoever reads stderr while objects go to stdout.
    fn regressed_too(&mut self, identity: &Identity, result: &ToolResult) -> io::Result<()> {
        let label = self.styles.err.paint(Ink::Worse, "regression");
        let title = tool::row(result.tool).title;
        let mut text = String::new();
        for regression in &result.regressions {
            let line = finish::regression_summary(title, regression, self.styles.err);
            text += &format!("{label}: benchmark `{identity}`: {line}");
        }
        self.message(&text)
    }

    /// Comparisons with other benchmarks; `headlines` if there may be several tools.
    pub fn compared(&mut self, by_id: &[ById], headlines: bool, layout: &Layout) -> io::Result<()> {
        let style = self.style(layout);
        let mut text = String::new();
        for ById { other, tools } in by_id {
            text += &header::comparison_with(other, layout.truncate, style);
            text.push('\n');
            for (tool, format, comparison) in tools {
                if headlines {
                    text += &columns::tool_subheadline(*tool, style);
                }
                text += &columns::rows(comparison, format, layout.tolerance, style);
            }
        }
        self.result(&text)
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

    /// The same about a setup or teardown of a level.
    pub fn hook_failed(&mut self, hook: &str, error: &dyn Error, output: &[u8]) -> io::Result<()> {
        if let Some(json) = &mut self.json {
            json.errors.push(format!("{hook} {}", with_causes(error)));
        }
        self.failed(hook, error, output)
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
        if let Some(json) = &mut self.json {
            json.stopped(with_causes(error));
        }
        self.progress.end();
        self.message(&text)
    }

    /// `error: …` and a line for each cause.
    fn causes(&self, text: &str, mut cause: Option<&dyn Error>) -> String {
        let mut text = format!("{}: {text}\n", self.styles.err.paint(Ink::Error, "error"));
        while let Some(error) = cause {
            text += &indented(&format!("caused by: {error}"), "  ");
            cause = error.source();
        }
        text
    }

    /// Something that the user should know; the run goes on.
    pub fn warning(&mut self, text: &str) -> io::Result<()> {
        if let Some(json) = &mut self.json {
            json.warnings.push(text.to_owned());
        }
        self.remark(text)
    }

    fn remark(&mut self, text: &str) -> io::Result<()> {
        let label = self.styles.err.paint(Ink::Warning, "warning");
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
        text += &finish::result_line(counts, elapsed, self.styles.out);
        self.end();
        self.always(&text)
    }

    /// The end without a word about how it all went.
    pub fn end(&mut self) {
        self.progress.end();
    }

    /// Completions of our command line for a shell, and of what follows `cargo bench --`.
    pub fn completions(
        &mut self,
        shell: Shell,
        program: &mut Command,
        options: &Command,
    ) -> io::Result<()> {
        let text = completions::script(shell, program, options);
        self.always(&text)
    }

    /// What `doctor` found.
    pub fn findings(&mut self, findings: &[Finding]) -> io::Result<()> {
        let text = findings::text(findings, self.styles.out);
        self.always(&text)
    }

    /// Which figures are true.
    pub fn verdicts(&mut self, verdicts: &[Verdict]) -> io::Result<()> {
        let text = verdicts::text(verdicts, self.styles.out);
        self.always(&text)
    }

    fn remember(&mut self, identity: &Identity, result: &ToolResult) {
        if result.regressions.is_empty() {
            return;
        }
        let headline = format!("  {}:\n", header::name(identity, self.styles.out));
        // Several tools of one benchmark stand below one headline.
        if self.last_regressed.as_ref() != Some(identity) {
            self.regressed.push(headline);
            self.last_regressed = Some(identity.clone());
        }
        let title = tool::row(result.tool).title;
        for regression in &result.regressions {
            let line = finish::regression_summary(title, regression, self.styles.out);
            self.regressed.push(format!("    {line}"));
        }
    }

    fn style(&self, layout: &Layout) -> Style {
        self.styles.out.with_grid(layout.grid)
    }

    fn result(&mut self, text: &str) -> io::Result<()> {
        match self.quiet {
            true => Ok(()),
            false => self.always(text),
        }
    }

    fn always(&mut self, text: &str) -> io::Result<()> {
        if self.json.is_some() {
            return Ok(());
        }
        self.progress.without(|| {
            self.out.write_all(text.as_bytes())?;
            self.out.flush()
        })
    }

    fn message(&mut self, text: &str) -> io::Result<()> {
        self.progress.without(|| {
            self.err.write_all(text.as_bytes())?;
            self.err.flush()
        })
    }
}

/// The rows of a tool: of each part, if there are several, and of all together.
fn metrics(result: &ToolResult, layout: &Layout, style: Style) -> String {
    let rows = |of| columns::rows(of, &result.format, layout.tolerance, style);
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

fn indented(text: &str, indent: &str) -> String {
    text.lines()
        .map(|line| format!("{indent}{line}\n"))
        .collect()
}
