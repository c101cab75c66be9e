//! `bench --exe` and `verify`: the words of `cargo bench` to settings, and a run with them.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::Result as ClapResult;
use iai_callgrind::protocol::options::before_bench;
use tempfile::TempDir;

use super::{against, finish, log_lines, usage, workspace};
use crate::error::Result;
use crate::machine::system;
use crate::run_report::{Form, Reports};
use crate::settings::Settings;
use crate::{bench_targets, run, verify};
use base::exit::Exit;
use cli::env::RunnerEnvironment;
use cli::{Args, BenchArgs, OutputOptions};
use report::{FileLinks, Styles};
use store::private_directory;

/// Runs the benchmarks of an executable, or of all that cargo selects.
pub(super) fn run(bench: BenchArgs, environment: RunnerEnvironment) -> Exit {
    let mut args = match parse(&bench, &environment) {
        Ok(args) => args,
        Err(error) => return usage(&error),
    };
    if bench.base.is_asked() {
        return against::run(&bench, &args, &environment);
    }
    let Some(executable) = bench.exe else {
        let cargo = bench.cargo.into_iter().chain(bench.base.cargo_word());
        let cargo: Vec<OsString> = cargo.collect();
        return workspace::run(&cargo, &bench.arguments, &args, &environment);
    };
    let run_records = environment.get(RunnerEnvironment::RUN_RECORDS);
    let run_records = run_records.map(PathBuf::from);
    let styles = args.output.styles(&environment);
    let log = log_lines::start(&environment, styles);
    // `verify` changes options of the output too, so the report is opened after it. The errors of
    // both and of the log wait until there is a report.
    let home = home_of_verify(&mut args);
    let report = match open_report(&args.output, styles, &environment) {
        Ok(report) => report,
        Err(error) => {
            return finish(Err::<Exit, _>(error), &Reports::text(styles, Form::TEXT));
        }
    };
    let outcome = home.and_then(|_until_the_end| {
        log?;
        // It is started in the directory of its package.
        let executable = std::path::absolute(&executable).unwrap_or(executable);
        let settings = Settings::resolve(executable, args, environment)?;
        run::bench(&settings, &bench.arguments, &report)
    });
    let exit = finish(outcome, &report);
    match (run_records, report.take_run()) {
        (Some(records), Some((regressed, run))) => {
            bench_targets::leave_record(&records, regressed, run, exit)
        }
        _ => exit,
    }
}

fn parse(bench: &BenchArgs, environment: &RunnerEnvironment) -> ClapResult<Args> {
    // Words that cargo adds would be taken for the value of an option that has none.
    let (typed, _) = before_bench(&bench.arguments);
    cli::parse(typed, environment)
}

/// A temporary home for `--verify`, whose results are compared and not kept.
fn home_of_verify(args: &mut Args) -> Result<Option<TempDir>> {
    if args.running.verify.is_none() {
        return Ok(None);
    }
    let home = private_directory::temporary()?;
    verify::prepare(args, home.path())?;
    Ok(Some(home))
}

fn open_report(
    output: &OutputOptions,
    styles: Styles,
    environment: &RunnerEnvironment,
) -> Result<Reports> {
    let wanted = output.output_format.unwrap_or_default();
    let Some(format) = wanted.json() else {
        let form = Form::Text {
            quiet: output.quiet,
            explain: output.explain.unwrap_or_default(),
            comparisons: output.show_comparison.unwrap_or_default(),
            links: FileLinks::detect(styles.is_colored_terminal(), environment),
        };
        return Ok(Reports::text(styles, form));
    };
    let form = match wanted.is_v6() {
        true => Form::JsonV6(format),
        false => Form::Json {
            format,
            system: Box::new(system::of_runner()),
        },
    };
    Ok(Reports::objects(styles, form)?)
}
