//! The records of a run on their way to `results.jsonl`: the same objects as those of the JSON
//! output, whatever stdout gets, and their values on the way to `history.jsonl`.

use super::event::Event;
use super::run_record::RunRecord;
use crate::error::{with_causes, Error, FileOperationError, Result};
use base::exit::Exit;
use base::tool::Tool;
use records::summary::{Record, Run, Status, Summary, System};
use records::{on_one_line, MeasuredBenchmarks, RecordText};
use store::NewRecords;
use verdict::history::RunValues;

/// Gathers the records of a run that are kept.
#[derive(Debug)]
pub(super) struct RecordKeeper {
    run: RunRecord,
    /// With the benchmarks that they are about. `None`: the run keeps none.
    records: Option<(NewRecords, MeasuredBenchmarks)>,
    /// The values of the kept records.
    values: RunValues,
    /// Record of the run, once it has ended.
    ended: Option<Run>,
    /// The records of regressed benchmarks, which the summary of several bench targets names.
    regressed: Vec<Summary>,
}

impl RecordKeeper {
    /// A keeper that keeps nothing yet.
    pub(super) fn new() -> Self {
        Self {
            run: RunRecord::new(System::default()),
            records: None,
            values: RunValues::default(),
            ended: None,
            regressed: Vec::new(),
        }
    }

    /// Keeps the records from now on in these.
    pub(super) fn keep_in(&mut self, records: NewRecords, measured: MeasuredBenchmarks) {
        self.records = Some((records, measured));
    }

    /// Collects the facts of an event that records contain.
    pub(super) fn event(&mut self, event: Event<'_>) {
        self.run.event(event);
        if let Event::BenchmarkEnds(summary) = event {
            if summary.status == Status::Regressed {
                self.regressed.push(summary.clone());
            }
        }
        match (event, &mut self.records) {
            (Event::ComparedWith { record, tools }, Some((records, _))) => {
                records.add_old(line(record, tools).as_bytes());
            }
            (Event::BenchmarkEnds(summary), Some((records, measured))) => {
                records.add(summary.to_bytes(false));
                measured.add(summary);
                self.values.add(summary);
            }
            // Also of a run that keeps no records, or that never began.
            (Event::RunEnds { exit, error, .. }, _) if self.ended.is_none() => {
                self.ended = Some(self.run.end(exit, error));
            }
            _ => {}
        }
    }

    /// Ends the records by that of the run, puts them in their place, and adds the run to the
    /// history. Returns a warning if only the last step failed.
    ///
    /// # Errors
    ///
    /// The records cannot be written.
    pub(super) fn end(&mut self, exit: Exit, error: Option<&Error>) -> Result<Option<String>> {
        let mut warning = None;
        if let Some((mut records, measured)) = self.records.take() {
            let run = self.run.end(exit, error);
            self.ended = Some(run.clone());
            let line = Record::Run(Box::new(run)).to_bytes(false);
            records.add(line);
            let kept = records.keep(&measured)?;
            let values = std::mem::take(&mut self.values);
            if let (Some(run), false) = (&self.ended, values.is_empty()) {
                let added = kept.add_to_history(|lines| values.addition(run, lines));
                // The results are kept, and worth more.
                warning = added.err().map(|error| not_in_history(&error));
            }
        }
        Ok(warning)
    }

    /// Record of the run, if it has ended, behind those of its regressed benchmarks.
    pub(super) fn take_run(&mut self) -> Option<(Vec<Summary>, Run)> {
        let run = self.ended.take()?;
        Some((std::mem::take(&mut self.regressed), run))
    }
}

/// The line of a record with the results of these tools. Those that people asked for in a pretty
/// form have several lines.
fn line(record: &str, tools: &[Tool]) -> String {
    let is_kept = |name: &str| tools.iter().any(|tool| tool.id() == name);
    let of_tools = RecordText::of(record)
        .ok()
        .and_then(|it| it.of_tools(is_kept).ok()?);
    let text = of_tools.unwrap_or_else(|| record.to_owned());
    on_one_line(text.trim_end().to_owned())
}

fn not_in_history(error: &FileOperationError) -> String {
    format!("this run is not in the history: {}", with_causes(error))
}
