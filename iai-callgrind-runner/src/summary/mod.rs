//! Results for other programs: `--output-format=json` and `summary.json`.
//!
//! The types are the format; `schemas/summary.v1.schema.json` is generated from them. [`read()`] reads
//! results back.

mod build;
mod changes;
mod circumstances;
mod context;
mod convert;
mod failure;
mod limit;
mod model;
mod object_costs;
mod perf;
mod profile;
mod read;
mod recorded_growth;
mod run;
mod selection;
mod source;
mod throughput;
mod v6;

use std::io;

use iai_callgrind::protocol;
use serde::Serialize;

pub use self::build::Build;
pub use self::changes::{Changes, LargestChange};
pub use self::context::RunContext;
pub use self::limit::RecordedLimit;
pub use self::model::*;
pub use self::object_costs::ObjectCosts;
pub(crate) use self::object_costs::OwnPlaces;
pub use self::profile::*;
pub use self::read::{read, ReadError};
pub use self::recorded_growth::{RecordedFit, RecordedGrowth, RecordedSize};
pub use self::run::{Counts, Ending, Run, System, Valgrind};
pub use self::selection::{RecordedPartition, RunSelection, SuiteFacts};
pub use self::source::{short_commit, LazySource, Source};
pub use self::throughput::{HandledAmounts, RecordedThroughput};
pub use crate::clock::Clock;
use crate::plan;

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
    pub(crate) fn to_bytes(&self, pretty: bool) -> io::Result<Vec<u8>> {
        /// A [`Record`] without a copy of the summary.
        #[derive(Serialize)]
        #[serde(tag = "type", rename_all = "snake_case")]
        enum Borrowed<'a> {
            Benchmark(&'a Summary),
        }
        to_bytes(&Borrowed::Benchmark(self), pretty)
    }

    /// A summary without figures: nothing was measured yet, or nothing will be. The clock is that of the begin, and the
    /// duration is in nanoseconds.
    #[must_use]
    pub fn new(
        benchmark: &plan::PlannedBenchmark,
        baselines: Baselines,
        (clock, duration_ns): (Clock, u64),
        context: &RunContext,
    ) -> Self {
        Self {
            version: VERSION,
            status: Status::Ok,
            label: context.label.clone(),
            source: context.source.get(),
            benchmark: Benchmark::new(benchmark, &context.package),
            baselines,
            started_at: clock.started_at(),
            duration_ns,
            profiles: Vec::new(),
            failures: Vec::new(),
            comparisons: Vec::new(),
            growth: Vec::new(),
            directory: String::new(),
            files: context.files.clone(),
            system: context.system.clone(),
        }
    }

    /// The summary with the status that follows from its failures and regressions.
    #[must_use]
    pub fn judged(mut self) -> Self {
        let regressed = |profile: &Profile| !profile.regressions.is_empty();
        self.status = if !self.failures.is_empty() {
            Status::Failed
        } else if self.profiles.iter().any(regressed) {
            Status::Regressed
        } else {
            Status::Ok
        };
        self
    }
}

impl Benchmark {
    fn new(benchmark: &plan::PlannedBenchmark, package: &str) -> Self {
        let benchmark_path = &benchmark.path;
        let target = benchmark.jobs.first().map(|job| &job.target);
        Self {
            path: benchmark_path.to_string(),
            kind: match target.map(plan::Target::kind) {
                Some(protocol::Kind::Binary) => Kind::Binary,
                _ => Kind::Library,
            },
            package: package.to_owned(),
            file: benchmark_path.file.clone(),
            group: benchmark_path.group.clone(),
            function: benchmark_path.function.clone(),
            id: benchmark_path.id.clone(),
            args: benchmark.args.clone(),
            input: benchmark
                .jobs
                .first()
                .and_then(|job| job.input.as_ref())
                .map(Input::from),
            command: target.and_then(plan::Target::command_line),
            description: benchmark_path.args.clone(),
            source_file: benchmark.place.file.clone(),
            line: benchmark.place.line,
        }
    }
}
