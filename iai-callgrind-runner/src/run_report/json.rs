//! The report for programs: an object for each benchmark, and one at the end of the run.

use std::io;

use super::event::{Event, Report};
use super::run_record::RunRecord;
use super::streams::Streams;
use cli::JsonFormat;
use records::summary::{Record, System};

/// Writes an object for each benchmark, and gathers the fields of the one at the end.
#[derive(Debug)]
pub(super) struct Json {
    format: JsonFormat,
    run: RunRecord,
}

impl Json {
    /// A report of a run that begins now.
    pub(super) fn new(format: JsonFormat, system: System) -> Self {
        Self {
            format,
            run: RunRecord::new(system),
        }
    }
}

impl Report for Json {
    fn event(&mut self, event: Event<'_>, streams: &mut Streams) -> io::Result<()> {
        self.run.event(event);
        let is_pretty = self.format.is_pretty();
        match event {
            Event::BenchmarkEnds(summary) => streams.object(&summary.to_bytes(is_pretty)?),
            Event::RunEnds { exit, error, .. } => {
                let run = self.run.end(exit, error);
                streams.object(&Record::Run(Box::new(run)).to_bytes(is_pretty)?)
            }
            _ => Ok(()),
        }
    }
}
