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
use crate::parse::callgrind::REGION;
use crate::plan::{self, Job};
use crate::previous::Previous;
use crate::store::{self, NewFile, Store};
use crate::summary::{Mode, Summary};
use crate::symbols::{self, Symbols};

/// A job that was to be forked, but was not.
const NOT_FORKED: &str =
    "measured in a process of its own, since a server was lost twice or could \
    not be made ready; IAI_CALLGRIND_LOG=debug says why";

/// A job that has a result.
#[derive(Debug)]
pub struct Measured {
    /// For the report.
    pub result: JobResult,
    /// The new metrics, for comparisons with later benchmarks of the group.
    pub metrics: Metrics,
    /// What is to be said about the circumstances of the run. Most often it holds for all benchmarks
    /// alike.
    pub circumstances: Vec<String>,
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
    let previous = Previous::read(job, &entry, &mut notes)?;
    let work = store.work_directory()?;
    let Ended {
        how,
        output,
        mode,
        pid,
    } = launch.launch(job, work.path())?;
    let regions = how == How::ReturnedWithRegions;
    let mut collected = Collected::read(work.path(), pid, regions)?;
    let failed = |failure: Failure| Failed {
        failure,
        output: output.clone(),
    };
    if !matches!(how, How::Returned | How::ReturnedWithRegions) {
        let valgrind = collected.fatal();
        return Err(failed(Failure::Ended { how, valgrind }));
    }
    if regions && job.args.count_threads {
        return Err(failed(Failure::RegionsOfThreads));
    }
    collected.check(job).map_err(failed)?;
    let profile = collected.profile();
    let metrics = Metrics::from_profile(&profile)?;
    if metrics.is_zero() {
        return Err(failed(Failure::NothingCounted(why_nothing(job, regions))));
    }
    let mode = mode.into();
    let environment = collected.environment(job);
    let mut circumstances = previous.differences(mode, &environment);
    if job.mode == plan::Mode::Fork && mode == Mode::Direct {
        circumstances.push(NOT_FORKED.to_owned());
    }
    notes.extend(collected.notes(job));
    let result = result(job, &metrics, &previous, mode, notes);
    let mut files = collected.files(job);
    files.push(summary(
        &Summary::new(&result, mode, environment),
        work.path(),
    )?);
    entry.replace(job.tool, work.path(), &files)?;
    Ok(Measured {
        result,
        metrics,
        circumstances,
    })
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
        name: store::SUMMARY.to_owned(),
    })
}

fn result(
    job: &Job,
    metrics: &Metrics,
    previous: &Previous,
    mode: Mode,
    mut notes: Vec<String>,
) -> JobResult {
    let total = compare::compare(metrics, previous.metrics.as_ref());
    let mut soft = job.soft_limits.clone();
    soft.retain(|(kind, _)| previous.is_comparable(mode, *kind));
    let hard = &job.hard_limits;
    let limited = job.soft_limits.iter().map(|(kind, _)| *kind);
    let uncollected = total.uncollected(limited.chain(hard.iter().map(|(kind, _)| *kind)));
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
        regressions: compare::check(&total, &soft, hard),
        total,
        by_id: Vec::new(),
        notes,
    }
}

/// Looks into the executable for the reason.
fn why_nothing(job: &Job, regions: bool) -> NothingCounted {
    if regions {
        return match symbols::find(&job.target.program, REGION) {
            Symbols::None => NothingCounted::Stripped,
            Symbols::Others | Symbols::Present => NothingCounted::NoRegion,
        };
    }
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
