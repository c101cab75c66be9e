//! Results for other programs: `--output-format=json` and `summary.json`.
//!
//! The types are the format; `schemas/summary.v1.schema.json` is generated from them:
//! `UPDATE_SCHEMAS=1 cargo test -p iai-callgrind-runner --features schema --test it summary::`.
//! [`read()`] reads whole results back; the commands read only the parts that they need
//! (`reader.rs`).

mod build;
mod changes;
mod context;
mod convert;
mod limit;
mod model;
mod object_costs;
mod profile;
mod read;
mod recorded_growth;
mod recorded_time;
mod run;
mod selection;
mod source;
mod throughput;
mod v6;

use std::io;

use serde::Serialize;

pub use self::build::Build;
pub use self::changes::{Changes, LargestChange};
pub use self::context::RunContext;
pub use self::limit::RecordedLimit;
pub use self::model::*;
pub use self::object_costs::ObjectCosts;
pub use self::profile::*;
pub use self::read::{read, ReadError};
pub use self::recorded_growth::{RecordedFit, RecordedGrowth, RecordedSize};
pub use self::recorded_time::RecordedTime;
pub use self::run::{Counts, Ending, Run, System, Valgrind};
pub use self::selection::{RecordedPartition, RunSelection, SuiteFacts};
pub use self::source::{short_commit, LazySource, Source};
pub use self::throughput::{HandledAmounts, RecordedThroughput};
pub use base::clock::Clock;

impl Record {
    /// JSON that ends with a newline: indented if `pretty`, else on one line.
    ///
    /// # Errors
    ///
    /// None is known.
    pub fn to_bytes(&self, pretty: bool) -> io::Result<Vec<u8>> {
        to_bytes(self, pretty)
    }
}

fn to_bytes(record: &impl Serialize, pretty: bool) -> io::Result<Vec<u8>> {
    // Most have some kilobytes.
    let mut json = JsonText(Vec::with_capacity(16 << 10));
    match pretty {
        true => serde_json::to_writer_pretty(&mut json, record),
        false => serde_json::to_writer(&mut json, record),
    }?;
    let JsonText(mut json) = json;
    json.push(b'\n');
    Ok(json)
}

/// A text that is written in thousands of pieces, of which most are a quote, a comma or a colon.
struct JsonText(Vec<u8>);

impl io::Write for JsonText {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    #[inline(always)]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match bytes {
            // A third of the instructions that a copy takes.
            [byte] => self.0.push(*byte),
            several => self.0.extend_from_slice(several),
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Summary {
    /// JSON of the [`Record`] of this summary.
    pub fn to_bytes(&self, pretty: bool) -> io::Result<Vec<u8>> {
        /// A [`Record`] without a copy of the summary.
        #[derive(Serialize)]
        #[serde(tag = "type", rename_all = "snake_case")]
        enum Borrowed<'a> {
            Benchmark(&'a Summary),
        }
        to_bytes(&Borrowed::Benchmark(self), pretty)
    }

    /// The summary with the status that follows from its failures and regressions.
    #[must_use]
    pub fn judged(mut self) -> Self {
        let regressed = |profile: &Profile| !profile.regressions.is_empty();
        let time = self.time.as_ref();
        let is_slower = time.is_some_and(|time| time.exceeded_limit.is_some());
        // A failure goes before a regression, as for the exit code.
        self.status = if !self.failures.is_empty() {
            Status::Failed
        } else if self.profiles.iter().any(regressed) || is_slower {
            Status::Regressed
        } else {
            Status::Ok
        };
        self
    }
}
