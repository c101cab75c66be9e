//! `history`: at which commits counts changed, from the records of several of them.

use std::io::BufReader;

use super::home::home;
use super::with_colored_report;
use crate::error::{Error, Result};
use crate::run_report::{Event, Reports};
use base::exit::Exit;
use cli::env::RunnerEnvironment;
use cli::{selecting, HistoryArgs, ShownSparklines};
use records::{RecordReader, RecordSet, ResultsArgument, ResultsPlace};
use report::Sparklines;
use verdict::history::{self, HistoryOptions};

pub(super) fn run(options: &HistoryArgs, environment: &RunnerEnvironment) -> Exit {
    with_colored_report(None, environment, |report, styles| {
        let width = match options.sparklines {
            ShownSparklines::Auto => styles.terminal_width(),
            ShownSparklines::Always => Some(styles.terminal_width().unwrap_or(WIDTH)),
            ShownSparklines::Never => None,
        };
        let sparklines = width.map(|width| Sparklines::new(width, environment));
        show(options, sparklines, environment, report)
    })
}

/// Width without a terminal.
const WIDTH: usize = 80;

fn show(
    options: &HistoryArgs,
    sparklines: Option<Sparklines>,
    environment: &RunnerEnvironment,
    report: &Reports,
) -> Result<Exit> {
    let only = selecting(&options.only).map_err(mistake)?;
    let set = read(options, environment)?;
    if set.benchmarks.is_empty() && set.points.is_empty() {
        let files = match options.results.is_empty() {
            true => "no history in",
            false => "no results in",
        };
        return Err(mistake(format!(
            "{files} `{}`; `cargo bench` leaves them in `results.jsonl` and `history.jsonl` files below its home",
            set.arguments.join("`, `")
        )));
    }
    let options_of_history = HistoryOptions {
        only,
        metrics: options.metrics.0.clone(),
        changes_only: false,
    };
    let history = history::history(&set, &options_of_history);
    for note in &history.notes {
        report.event(Event::Warning(note))?;
    }
    if history.series.is_empty() {
        report.event(Event::Warning(
            "no benchmark that is selected has these metrics at any commit",
        ))?;
    }
    report.event(Event::History {
        history: &history,
        format: options.format,
        all: options.all,
        sparklines,
    })?;
    Ok(Exit::Ok)
}

fn read(options: &HistoryArgs, environment: &RunnerEnvironment) -> Result<RecordSet> {
    let mut places = Vec::new();
    for word in &options.results {
        places.push(match ResultsArgument::from(word.clone()) {
            ResultsArgument::Stdin => ResultsPlace::Stdin,
            ResultsArgument::Path(path) => ResultsPlace::Path(path),
            ResultsArgument::Baseline(_) | ResultsArgument::Home => {
                return Err(mistake(
                    "a history is made of files and directories; a baseline is of one commit"
                        .to_owned(),
                ));
            }
        });
    }
    if places.is_empty() {
        let home = home(options.home.as_deref(), environment)?;
        places.push(ResultsPlace::Histories(home));
    }
    let mut reader = RecordReader::with_points();
    for place in places {
        let stdin = BufReader::new(std::io::stdin());
        let read = place.read(&mut reader, stdin);
        read.map_err(|error| Error::Records(Box::new(error)))?;
    }
    Ok(reader.finish())
}

fn mistake(reason: String) -> Error {
    Error::Setting {
        place: "command line".to_owned(),
        reason,
    }
}
