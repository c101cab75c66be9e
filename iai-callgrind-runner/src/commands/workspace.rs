//! `bench` without an executable: all bench targets that cargo selects, with one verdict.

use std::ffi::OsString;
use std::time::Instant;

use super::{finish, log_lines};
use crate::bench_targets;
use crate::error::{Error, Result};
use crate::run_report::{Event, Form, Reports};
use base::exit::Exit;
use cli::env::RunnerEnvironment;
use cli::Args;

/// `cargo` are the words for cargo, `words` those for the runners of the targets, which `args` are
/// parsed from.
pub(super) fn run(
    cargo: &[OsString],
    words: &[OsString],
    args: &Args,
    environment: &RunnerEnvironment,
) -> Exit {
    let styles = args.output.styles(environment);
    let log = log_lines::start(environment, styles);
    // Objects, if the user wants some, are those of the runners of the targets.
    let form = match args.output.output_format.unwrap_or_default().json() {
        None => Form::TEXT,
        Some(_) => Form::Messages,
    };
    let report = Reports::text(styles, form);
    let outcome = log.and_then(|()| bench(cargo, words, environment, &report));
    finish(outcome, &report)
}

fn bench(
    cargo: &[OsString],
    words: &[OsString],
    environment: &RunnerEnvironment,
    report: &Reports,
) -> Result<Exit> {
    let begin = Instant::now();
    let targets = bench_targets::build(cargo, environment)?;
    if targets.is_empty() {
        return Err(Error::Setting {
            place: "command line".to_owned(),
            reason: "no bench target that cargo selects has benchmarks of iai-callgrind\n  \
                     hint: `--workspace` selects those of all packages; `iai-callgrind-runner doctor` looks for \
                     what is missing"
                .to_owned(),
        });
    }
    let ended = bench_targets::run(&targets, cargo, words, environment)?;
    report.event(Event::TargetsEnded {
        ended: &ended,
        elapsed: begin.elapsed(),
    })?;
    Ok(ended.exit())
}
