//! Command lines to exit codes. Each command has a file.

mod accept;
mod accepted_file;
mod against;
mod bench;
pub(crate) mod browser;
mod completions;
mod doctor;
mod explain;
mod history;
mod home;
mod log_lines;
mod open;
pub(crate) mod pull_request;
mod results;
mod workspace;

use std::ffi::OsString;
use std::io;
use std::panic::{self, AssertUnwindSafe};

use iai_callgrind::protocol::options::variable;

use crate::error::{Error, Result};
use crate::run_report::{Event, Form, Reports};
use base::exit::{Ended, Exit};
use cli::env::RunnerEnvironment;
use cli::{color_of, CommandLine, RunnerCommand};
use report::Color;
use report::{visible, without_colors, Styles};

/// Runs the command of a command line. A panic is a mistake in the runner; its exit code must not
/// say that benchmarks panicked.
pub fn main(words: impl IntoIterator<Item = OsString>) -> Exit {
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| command(words)));
    // Guards have removed private files, and the hook has printed the place of the panic.
    outcome.unwrap_or_else(|_| {
        let report = Reports::text(Styles::default(), Form::TEXT);
        finish(Err::<Exit, _>(Error::Panicked), &report)
    })
}

fn command(words: impl IntoIterator<Item = OsString>) -> Exit {
    let environment = RunnerEnvironment::of_this_process();
    match CommandLine::of(words).map(|program| program.command) {
        Ok(RunnerCommand::Accept(options)) => accept::run(&options, &environment),
        Ok(RunnerCommand::Bench(options)) => bench::run(options, environment),
        Ok(RunnerCommand::Verify(options)) => bench::run(options.as_bench(), environment),
        Ok(RunnerCommand::Compare(options)) => results::compare(&options, &environment),
        Ok(RunnerCommand::Completions(options)) => completions::run(&options, &environment),
        Ok(RunnerCommand::Doctor(options)) => doctor::run(&options, &environment),
        Ok(RunnerCommand::Explain(options)) => explain::run(&options, &environment),
        Ok(RunnerCommand::History(options)) => history::run(&options, &environment),
        Ok(RunnerCommand::Merge(options)) => results::merge(&options, &environment),
        Ok(RunnerCommand::Open(options)) => open::run(&options, &environment),
        Ok(RunnerCommand::Report(options)) => results::report(&options, &environment),
        Err(error) => usage(&error),
    }
}

/// Runs a command that has no option about colours and writes text, with a report for it.
fn with_report(
    environment: &RunnerEnvironment,
    run: impl FnOnce(&Reports) -> Result<Exit>,
) -> Exit {
    with_colored_report(None, environment, |report, _| run(report))
}

/// The same as [`with_report`], for a command with an option about colors.
fn with_colored_report(
    asked: Option<Color>,
    environment: &RunnerEnvironment,
    run: impl FnOnce(&Reports, Styles) -> Result<Exit>,
) -> Exit {
    let color = match asked {
        Some(asked) => Ok(Some(asked)),
        None => color_of(environment),
    };
    let styles = Styles::detect(color.clone().unwrap_or_default(), environment);
    let log = log_lines::start(environment, styles);
    let report = Reports::text(styles, Form::TEXT);
    let color = color.map_err(|reason| Error::Setting {
        place: variable("--color"),
        reason,
    });
    let outcome = color.and(log).and_then(|()| run(&report, styles));
    finish(outcome, &report)
}

/// Reports the end of the command, and finds the exit code.
fn finish(outcome: Result<impl Into<Ended>>, report: &Reports) -> Exit {
    let (Ended { exit, exits_zero }, error) = match outcome {
        Ok(ended) => (ended.into(), None),
        // The reader of the results has closed the pipe, such as `head`.
        Err(Error::Report(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            return Exit::Error;
        }
        Err(error) => (error.exit().into(), Some(error)),
    };
    let error = error.as_ref();
    if let Some(error) = error {
        // If stderr is closed as well, the exit code has to say it all.
        let _ = report.event(Event::Stopped(error));
    }
    let ended = report.event(Event::RunEnds {
        exit,
        error,
        exits_zero,
    });
    if let Some(Error::Interrupted(signal)) = error {
        // The parent process sees the signal, as if we had not caught it. This ends the process, so
        // it comes after the report.
        let _ = signal_hook::low_level::emulate_default_handler(*signal);
    }
    match ended {
        Ok(()) if exits_zero => Exit::Ok,
        Ok(()) => exit,
        Err(_) => Exit::Error,
    }
}

/// A mistake on the command line, with words that a terminal would obey or hide.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct OddWords(String);

fn usage(error: &clap::Error) -> Exit {
    let text = without_colors(&error.render().ansi().to_string());
    // Nothing to be done if the text cannot be printed.
    if visible(&text) == text {
        let _ = error.print();
    } else {
        // It repeats words of the command line or of variables.
        let text = text.trim_end().trim_start_matches("error: ").to_owned();
        let report = Reports::text(Styles::default(), Form::TEXT);
        let _ = report.event(Event::Stopped(&OddWords(text)));
    }
    if error.use_stderr() {
        Exit::Usage
    } else {
        Exit::Ok
    }
}
