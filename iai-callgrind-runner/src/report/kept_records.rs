//! The records of a run on their way to `results.jsonl`: the same objects as those of the JSON output, whatever
//! stdout gets.

use super::event::Event;
use super::run_record::RunRecord;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::store::NewRecords;
use crate::summary::{Record, Run, System};

/// Gathers the records of a run that are kept.
#[derive(Debug)]
pub(super) struct RecordKeeper {
    run: RunRecord,
    /// `None`: the run keeps none.
    records: Option<NewRecords>,
    /// Could a result not be kept?
    is_incomplete: bool,
    /// Record of the run, once it has ended.
    ended: Option<Run>,
}

impl RecordKeeper {
    /// A keeper that keeps nothing yet.
    pub(super) fn new() -> Self {
        Self {
            run: RunRecord::new(System::default()),
            records: None,
            is_incomplete: false,
            ended: None,
        }
    }

    /// Keeps the records from now on in these.
    pub(super) fn keep_in(&mut self, records: NewRecords) {
        self.records = Some(records);
    }

    /// Takes from an event what records tell.
    pub(super) fn event(&mut self, event: Event<'_>) {
        self.run.event(event);
        match (event, &mut self.records) {
            (Event::BenchmarkEnds(summary), Some(records)) => records.add(summary.to_bytes(false)),
            (Event::NotKept(_), _) => self.is_incomplete = true,
            // Also of a run that keeps no records, or that never began.
            (Event::RunEnds { exit, error, .. }, _) if self.ended.is_none() => {
                self.ended = Some(self.run.end(exit, error));
            }
            _ => {}
        }
    }

    /// Ends the records by that of the run, and puts them in their place. True: so are all results.
    ///
    /// # Errors
    ///
    /// The records cannot be written.
    pub(super) fn end(&mut self, exit: Exit, error: Option<&Error>) -> Result<bool> {
        if let Some(mut records) = self.records.take() {
            let run = self.run.end(exit, error);
            self.ended = Some(run.clone());
            records.add(Record::Run(Box::new(run)).to_bytes(false));
            records.keep()?;
        }
        Ok(!self.is_incomplete)
    }

    /// Record of the run, if it has ended.
    pub(super) fn take_run(&mut self) -> Option<Run> {
        self.ended.take()
    }
}
