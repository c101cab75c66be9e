//! The report for programs that read version 6 of the public format: an object for each benchmark
//! that has a result.

use std::io;

use super::event::{Event, Report};
use super::streams::Streams;
use cli::JsonFormat;

/// Writes an object for each benchmark.
#[derive(Debug)]
pub(super) struct JsonV6 {
    pub(super) format: JsonFormat,
}

impl Report for JsonV6 {
    fn event(&mut self, event: Event<'_>, streams: &mut Streams) -> io::Result<()> {
        let Event::BenchmarkEnds(summary) = event else {
            return Ok(());
        };
        match summary.to_v6(self.format.is_pretty())? {
            Some(object) => streams.object(&object),
            None => Ok(()),
        }
    }
}
