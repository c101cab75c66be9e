//! Results for other programs: `--output-format=json` and `summary.json`.
//!
//! The types are the format; `schemas/summary.v1.schema.json` is generated from them. [`read()`] reads what
//! was written.

mod build;
mod circumstances;
mod context;
mod convert;
mod failure;
mod kept;
mod model;
mod perf;
mod profile;
mod read;
mod run;

use std::fs;
use std::io;
use std::path::Path;

use clap::ValueEnum;
use iai_callgrind::protocol;
use serde::Serialize;

pub use self::build::Build;
pub(crate) use self::circumstances::is_same;
pub use self::context::{Clock, Context};
pub(crate) use self::failure::with_causes;
pub(crate) use self::kept::Kept;
pub use self::model::*;
pub use self::profile::*;
pub use self::read::{read, ReadError};
pub use self::run::{Counts, Ending, Run, System, Valgrind};
use crate::compare;
use crate::plan;
use crate::store::{Entry, Slot, SUMMARY_OF_LAST};

/// How JSON is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// On one line.
    #[default]
    Json,
    /// Indented.
    PrettyJson,
}

impl Record {
    /// As text that ends with a line.
    ///
    /// # Errors
    ///
    /// None is known.
    pub fn to_bytes(&self, format: Format) -> io::Result<Vec<u8>> {
        to_bytes(self, format)
    }
}

fn to_bytes(record: &impl Serialize, format: Format) -> io::Result<Vec<u8>> {
    let mut json = match format {
        Format::Json => serde_json::to_vec(record),
        Format::PrettyJson => serde_json::to_vec_pretty(record),
    }?;
    json.push(b'\n');
    Ok(json)
}

impl Summary {
    /// As the text of a [`Record`].
    pub(crate) fn to_bytes(&self, format: Format) -> io::Result<Vec<u8>> {
        /// A record that borrows what it tells.
        #[derive(Serialize)]
        #[serde(tag = "type", rename_all = "snake_case")]
        enum Borrowed<'a> {
            Benchmark(&'a Summary),
        }
        to_bytes(&Borrowed::Benchmark(self), format)
    }

    /// Nothing was measured yet, or nothing will be.
    #[must_use]
    pub fn new(
        benchmark: &plan::Benchmark,
        (new, old): compare::Baselines,
        clock: Clock,
        context: &Context,
    ) -> Self {
        Self {
            version: VERSION,
            status: Status::Ok,
            benchmark: Benchmark::new(benchmark, &context.package),
            baselines: Baselines { new, old },
            started_at: clock.started_at(),
            duration_ns: clock.elapsed_ns(),
            profiles: Vec::new(),
            failures: Vec::new(),
            comparisons: Vec::new(),
            directory: String::new(),
            files: context.files.clone(),
            system: context.system.clone(),
        }
    }

    /// What was said about a kept result.
    pub(crate) fn kept(entry: &Entry, slot: &Slot) -> Option<Self> {
        Self::in_file(&entry.summary(slot), slot).or_else(|| match slot {
            // The file may be about a baseline.
            Slot::Last => Self::in_file(&entry.directory().join(SUMMARY_OF_LAST), slot),
            Slot::Named(_) => None,
        })
    }

    /// What a file says, if it is about this result.
    pub(crate) fn in_file(path: &Path, slot: &Slot) -> Option<Self> {
        let summary: Self = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
        (summary.baselines.new.as_deref() == slot.name()).then_some(summary)
    }

    /// With the status that follows from what is in it.
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
    fn new(benchmark: &plan::Benchmark, package: &str) -> Self {
        let identity = &benchmark.identity;
        let target = benchmark.jobs.first().map(|job| &job.target);
        Self {
            path: identity.to_string(),
            kind: match target.map(plan::Target::kind) {
                Some(protocol::Kind::Binary) => Kind::Binary,
                _ => Kind::Library,
            },
            package: package.to_owned(),
            file: identity.file.clone(),
            group: identity.group.clone(),
            function: identity.function.clone(),
            id: identity.id.clone(),
            args: benchmark.args.clone(),
            input: benchmark
                .jobs
                .first()
                .and_then(|job| job.input.as_ref())
                .map(Input::from),
            command: target.and_then(plan::Target::command_line),
            description: identity.args.clone(),
        }
    }
}
