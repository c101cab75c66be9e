//! One job, from the old result to the new one.
//!
//! The order is what keeps results safe: the old files are read first, the new ones are written in
//! a private directory and read there, and only a result that is whole replaces the old one.

use std::fs;
use std::io;
use std::path::Path;

use iai_callgrind::protocol::EventKind;

use crate::collected::Collected;
use crate::compare::{self, JobResult};
use crate::error::{FileContext, Result as RunResult};
use crate::execute::{Ended, Failure, How, Launch, NothingCounted};
use crate::metrics::Metrics;
use crate::parse::callgrind::{self, Flag, Profile};
use crate::plan::Job;
use crate::store::{Entry, NewFile, Store};
use crate::summary::Summary;
use crate::symbols::{self, Symbols};

/// A job that has a result.
#[derive(Debug)]
pub struct Measured {
    /// For the report.
    pub result: JobResult,
    /// The new metrics, for comparisons with later benchmarks of the group.
    pub metrics: Metrics,
}

/// A job that has none.
#[derive(Debug)]
pub struct Failed {
    /// Why.
    pub failure: Failure,
    /// What the benchmark printed.
    pub output: Vec<u8>,
}

impl<T: Into<Failure>> From<T> for Failed {
    fn from(failure: T) -> Self {
        Self {
            failure: failure.into(),
            output: Vec::new(),
        }
    }
}

/// Runs a job and keeps its result.
///
/// # Errors
///
/// The benchmark did not return, was not counted, or its result cannot be kept. The previous result
/// then is as it was.
pub fn measure(job: &Job, store: &Store, launch: &dyn Launch) -> Result<Measured, Failed> {
    let entry = store.entry(&job.identity)?;
    let mut notes = Vec::new();
    let old = previous(job, &entry, &mut notes)?;
    let work = store.work_directory()?;
    let ended = launch.launch(job, work.path())?;
    let collected = Collected::read(work.path())?;
    let Ended { how, output } = ended;
    let failed = |failure: Failure| Failed {
        failure,
        output: output.clone(),
    };
    if how != How::Returned {
        let valgrind = collected.fatal();
        return Err(failed(Failure::Ended { how, valgrind }));
    }
    collected.check(job).map_err(failed)?;
    let profile = collected.profile();
    let metrics = Metrics::from_profile(&profile)?;
    if metrics.is_zero() {
        return Err(failed(Failure::NothingCounted(why_nothing(job))));
    }
    notes.extend(collected.notes(job));
    let result = result(job, &metrics, old.as_ref(), notes);
    let mut files = collected.files(job);
    files.push(summary(
        &Summary::new(&result, collected.environment(job)),
        work.path(),
    )?);
    entry.replace(job.tool, work.path(), &files)?;
    Ok(Measured { result, metrics })
}

/// The metrics of the last collected. What cannot be read counts as absent, with a note: it is replaced
/// by this collected.
fn previous(job: &Job, entry: &Entry, notes: &mut Vec<String>) -> RunResult<Option<Metrics>> {
    let mut profile = Profile::default();
    for path in entry.current(job.tool)? {
        let reason = match callgrind::read_file(&path) {
            Ok(Some(part)) if part.has(Flag::Incomplete) => "it is not complete".to_owned(),
            Ok(part) => {
                profile
                    .parts
                    .extend(part.into_iter().flat_map(|part| part.parts));
                continue;
            }
            Err(error) => error.source.to_string(),
        };
        notes.push(format!(
            "the last result cannot be compared with, `{}` cannot be read: {reason}",
            path.display()
        ));
        return Ok(None);
    }
    match Metrics::from_profile(&profile) {
        Ok(metrics) => Ok((!profile.parts.is_empty()).then_some(metrics)),
        Err(reason) => {
            notes.push(format!("the last result cannot be compared with: {reason}"));
            Ok(None)
        }
    }
}

/// The result for other programs.
fn summary(summary: &Summary, work: &Path) -> RunResult<NewFile> {
    let path = work.join("summary");
    serde_json::to_vec_pretty(summary)
        .map_err(io::Error::from)
        .and_then(|json| fs::write(&path, json))
        .context("write", &path)?;
    Ok(NewFile {
        path,
        name: "summary.json".to_owned(),
    })
}

fn result(
    job: &Job,
    metrics: &Metrics,
    old: Option<&Metrics>,
    mut notes: Vec<String>,
) -> JobResult {
    let total = compare::compare(metrics, old);
    let soft = job.soft_limits.iter().map(|(kind, _)| *kind);
    let hard = job.hard_limits.iter().map(|(kind, _)| *kind);
    let uncollected = total.uncollected(soft.chain(hard));
    if !uncollected.is_empty() {
        let names: Vec<String> = uncollected.iter().map(EventKind::to_string).collect();
        notes.push(format!(
            "limits on metrics that were not collected: {}",
            names.join(", ")
        ));
    }
    JobResult {
        identity: job.identity.clone(),
        tool: job.tool,
        baselines: (None, None),
        regressions: compare::check(&total, &job.soft_limits, &job.hard_limits),
        total,
        by_id: Vec::new(),
        notes,
    }
}

/// Looks into the executable for the reason.
fn why_nothing(job: &Job) -> NothingCounted {
    let Some(pattern) = job.args.entry.first() else {
        return NothingCounted::NeverOn;
    };
    // The longest piece between wildcards and separators is what a mangled name can contain.
    let piece = pattern
        .split(['*', '?', ':', '<', '>'])
        .max_by_key(|piece| piece.len());
    match symbols::find(&job.target.program, piece.unwrap_or_default()) {
        Symbols::None => NothingCounted::Stripped,
        Symbols::Others => NothingCounted::NoFunction(pattern.clone()),
        Symbols::Present => NothingCounted::NotEntered(pattern.clone()),
    }
}
