//! `history`: at which commits counts changed, from the records of several of them.

use std::io::BufReader;

use iai_callgrind::protocol::Filter;

use super::with_report;
use crate::cli::env::RunnerEnvironment;
use crate::cli::HistoryArgs;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::history::{self, HistoryOptions};
use crate::records::{RecordReader, RecordSet, ResultsArgument, ResultsPlace};
use crate::report::{Event, Reports};

pub(super) fn run(options: &HistoryArgs, environment: &RunnerEnvironment) -> Exit {
    with_report(environment, |report| show(options, report))
}

fn show(options: &HistoryArgs, report: &Reports) -> Result<Exit> {
    let only = Filter {
        select: options.only.clone(),
        ..Filter::default()
    };
    if let Some(reason) = only.mistake() {
        return Err(mistake(reason));
    }
    let set = read(options)?;
    if set.benchmarks.is_empty() && set.points.is_empty() {
        return Err(mistake(format!(
            "no results in `{}`; `cargo bench` leaves them in `results.jsonl` files below its home",
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
    })?;
    Ok(Exit::Ok)
}

fn read(options: &HistoryArgs) -> Result<RecordSet> {
    let mut reader = RecordReader::with_points();
    for word in &options.results {
        let place = match ResultsArgument::from(word.clone()) {
            ResultsArgument::Stdin => ResultsPlace::Stdin,
            ResultsArgument::Path(path) => ResultsPlace::Path(path),
            ResultsArgument::Baseline(_) | ResultsArgument::Home => {
                return Err(mistake(
                    "a history is made of files and directories; a baseline is of one commit"
                        .to_owned(),
                ));
            }
        };
        let stdin = BufReader::new(std::io::stdin());
        place
            .read(&mut reader, stdin)
            .map_err(|error| Error::Records(Box::new(error)))?;
    }
    Ok(reader.finish())
}

fn mistake(reason: String) -> Error {
    Error::Setting {
        place: "command line".to_owned(),
        reason,
    }
}
