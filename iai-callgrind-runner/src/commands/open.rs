//! `open`: the last results as a page in the browser.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use super::home::home;
use super::results::{compare_results, page_sources, workspace, OldSide};
use super::with_report;
use crate::commands::browser;
use crate::error::{Error, FileContext, Result};
use crate::run_report::{Event, Reports};
use base::exit::Exit;
use cli::env::RunnerEnvironment;
use cli::{JudgingOptions, OpenArgs};
use report::ComparisonFormat;
use report::{ComparisonWriter, SourcePlaces};
use store::write_whole_with;
use verdict::sides::ReportSide;

/// Name of the page in the directory of all results.
const PAGE: &str = "report.html";

pub(super) fn run(options: &OpenArgs, environment: &RunnerEnvironment) -> Exit {
    with_report(environment, |report| open(options, environment, report))
}

fn open(options: &OpenArgs, environment: &RunnerEnvironment, reports: &Reports) -> Result<Exit> {
    let judging = JudgingOptions::of_page(options.home.clone(), options.history.clone());
    let home = home(options.home.as_deref(), environment)?.directory;
    let old = match &options.baseline {
        Some(baseline) => OldSide::Argument(OsString::from(format!("@{baseline}"))),
        None => OldSide::PreviousIfAny,
    };
    let compared = compare_results(&old, &[], &judging, environment)?;
    let is_empty = |side: &ReportSide| side.benchmarks == 0;
    let has_no_old = compared.report.old.as_ref().is_some_and(is_empty);
    // A baseline that is not there is a mistake.
    if compared.report.rows.is_empty() || has_no_old {
        return Err(Error::Results(compared.report.errors.join("\nerror: ")));
    }
    let places = SourcePlaces::detect(environment, workspace(compared.new_side()));
    let writer = ComparisonWriter {
        page: page_sources(&compared, &places, &judging)?,
        places,
        ..ComparisonWriter::default()
    };
    let path = home.join(PAGE);
    let page =
        |out: &mut dyn io::Write| writer.write(&compared.report, ComparisonFormat::Html, out);
    write_whole_with(&path, page).context("write", &path)?;
    let shown = format!("{}\n", path.display());
    reports.event(Event::Formatted(shown.as_bytes()))?;
    show(&path, environment, reports)?;
    Ok(Exit::Ok)
}

/// Opens the page, if there is a browser. Its path was printed already, so a machine without a
/// browser is no error.
fn show(path: &Path, environment: &RunnerEnvironment, reports: &Reports) -> Result<()> {
    let Some(browser) = browser::find(|name| environment.get(name).map(OsStr::to_owned)) else {
        return Ok(());
    };
    if let Err(error) = browser.open(path) {
        let warning = format!("cannot open the page with `{}`: {error}", browser.name());
        reports.event(Event::Warning(&warning))?;
    }
    Ok(())
}
