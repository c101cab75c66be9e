//! Reasons for the change of a result, and the digest that later ones are explained with.
//!
//! The digest is made while the executable is there, since the next build replaces it. Whether there is one or
//! not, the result is the same.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use iai_callgrind::protocol::{EventKind, ToolMetric};

use super::{digest_file, Surroundings};
use crate::digest::DigestSources;
use crate::error::Result;
use crate::explain::digest::Digest;
use crate::explain::{self, Explanation, RecordedFunctions};
use crate::kept_digests::{self, ReadDigest};
use crate::metrics::{self, MetricKind, MetricValue};
use crate::model::measured_function::is_region;
use crate::model::tool::{Tool, ToolFile};
use crate::parse::callgrind::{InstructionProfile, InstructionReader, ProfileText};
use crate::parse::{file, FileError};
use crate::plan::{ExplainSettings, Job};
use crate::results::{NewResults, OldResults};
use crate::store::{NewFile, Slot, WorkDirectory};
use crate::symbols::symbolize::ObjectError;
use crate::verdict::{ToolResult, LEAST_COUNT, LEAST_PERCENT};

/// Kept digest. `Ok(None)`: there is none. The error is a note.
type KeptOrNot = std::result::Result<Option<Rc<ReadDigest>>, String>;

/// Digests of both sides of a comparison.
#[derive(Default)]
pub(super) struct DigestPair {
    /// Digest of the new result, if there is one.
    new: Option<Rc<ReadDigest>>,
    /// Digest of the old result, read by whoever comes first.
    old: OnceCell<KeptOrNot>,
    /// Note about a digest that is missing.
    note: Option<String>,
    /// Number for the state of the executable, where the digest needs it.
    pub(super) executable: Option<u64>,
}

impl DigestPair {
    /// Makes the digest of the new result, if the job asks for explanations.
    pub(super) fn new(job: &Job, new: &NewResults<'_>, around: &Surroundings<'_>) -> Self {
        let mut pair = Self::default();
        if job.explain.is_none() || job.tool != Tool::Callgrind {
            return pair;
        }
        let identity = || around.symbolizer.identity(&job.target.program);
        let identity = around.baseline.run.then(identity);
        pair.executable = identity.as_ref().and_then(|it| it.as_ref().ok().copied());
        let same = |fingerprint| {
            let before = pair.old(around).as_ref().ok()?.as_ref();
            before
                .filter(|before| before.is_of(fingerprint))
                .map(Rc::clone)
        };
        let digest = match identity {
            Some(identity) => made(job, new, around, identity, same),
            None => read(&kept(around, &around.baseline.write)),
        };
        match digest {
            Ok(digest) => pair.new = digest,
            Err(note) => pair.note = Some(note),
        }
        pair
    }

    /// The digest of the new result.
    pub(super) fn of_new(&self) -> Option<&Digest> {
        self.new.as_ref()?.digest().ok()
    }

    /// The functions of the new result, as its record has them.
    pub(super) fn functions(&self) -> Option<Arc<RecordedFunctions>> {
        let new = self.new.as_ref()?;
        Some(Arc::clone(&new.preface().functions))
    }

    /// The digest of the old result. One that cannot be read is as none.
    pub(super) fn of_old(&self, around: &Surroundings<'_>) -> Option<&Digest> {
        let old = self.old(around).as_ref().ok()?;
        old.as_ref()?.digest().ok()
    }

    /// Adds the calls of the allocator to the metrics of the new result. Below regions costs are divided, and so are
    /// the numbers of calls.
    pub(super) fn add_allocations(&self, new: &mut NewResults<'_>) {
        let digest = self.new.as_ref().filter(|_| !new.regions);
        if let Some(found) = digest.and_then(|digest| digest.preface().allocations) {
            found.add_to(&mut new.metrics);
        }
    }

    /// Blocks of the C library's allocator that the calls of the new result show.
    pub(super) fn blocks_of_malloc(&self) -> Option<u64> {
        self.new.as_ref()?.preface().blocks
    }

    /// The digest of the new result, as a file in `work`.
    pub(super) fn file(
        &self,
        job: &Job,
        around: &Surroundings<'_>,
        work: &WorkDirectory,
    ) -> Result<Option<NewFile>> {
        let digest = self.new.as_ref().filter(|_| around.baseline.run);
        let file =
            digest.map(|digest| digest_file::write(digest_file::name(job), digest.bytes(), work));
        file.transpose()
    }

    fn old(&self, around: &Surroundings<'_>) -> &KeptOrNot {
        self.old
            .get_or_init(|| read(&kept(around, &around.baseline.compare)))
    }
}

fn kept(around: &Surroundings<'_>, slot: &Slot) -> Vec<PathBuf> {
    around.entry.files(slot, Tool::Callgrind, ToolFile::Digest)
}

/// Explains the change of the result, if the job asks for it. What stands in the way is a debug line or a note: results do
/// not depend on it.
pub(super) fn explain(
    job: &Job,
    digests: &mut DigestPair,
    old: &OldResults,
    around: &Surroundings<'_>,
    result: &mut ToolResult,
) {
    let Some(settings) = job.explain else {
        return;
    };
    result.notes.extend(digests.note.take());
    let Some(digest) = &digests.new else {
        return;
    };
    let metric = metric(settings, result).filter(|metric| is_change(*metric, result));
    if let Some(metric) = metric.filter(|_| old.metrics.is_some()) {
        match digests.old(around) {
            Ok(Some(before)) => match (before.digest(), digest.digest()) {
                (Ok(before), Ok(digest)) => {
                    result.explanation = explanation(job, before, digest, metric);
                }
                (Err(error), _) | (_, Err(error)) => result.notes.push(unreadable(&error)),
            },
            Ok(None) => {}
            Err(note) => result.notes.push(note.clone()),
        }
    }
}

/// The digest of the new result. `Ok(None)`: there is none, and a debug line says why. The error is a note.
/// `same` finds an old one that was made of the same.
fn made(
    job: &Job,
    new: &NewResults<'_>,
    around: &Surroundings<'_>,
    identity: std::result::Result<u64, ObjectError>,
    same: impl FnOnce(u64) -> Option<Rc<ReadDigest>>,
) -> KeptOrNot {
    let none = |reason: String| {
        log::debug!("{}: no digest: {reason}", job.benchmark_path);
        Ok(None)
    };
    let identity = match identity {
        Err(error @ ObjectError::Replaced(_)) => {
            return Err(format!("this result cannot explain anything: {error}"))
        }
        identity => identity.unwrap_or(0),
    };
    let paths = new.files.outs();
    let nothing = InstructionProfile::default();
    let mut sources = DigestSources {
        profile: &nothing,
        fingerprint: 0,
        entry: &job.args.entry,
        regions: new.regions,
        symbolizer: around.symbolizer,
        executable: &job.target.program,
        identity,
        workspace: &job.target.workspace,
        target: around.context.target_directory.as_deref(),
        is_malloc: job.target.is_malloc(),
    };
    // Texts that are too long to be held have no fingerprint.
    let texts = paths.iter().map(|path| ProfileText::read(path));
    let texts: Option<Vec<ProfileText>> = match texts.collect() {
        Ok(texts) => texts,
        Err(error) => return none(format!("{error}: {}", error.source)),
    };
    if let Some(texts) = texts {
        let texts: Vec<&ProfileText> = texts.iter().collect();
        sources.fingerprint = sources.fingerprint_of(&texts);
        if let Some(same) = same(sources.fingerprint) {
            return Ok(Some(same));
        }
    }
    let profile = match instructions(&paths) {
        Ok(profile) if new.regions => profile.below(is_region),
        Ok(profile) => profile,
        Err(error) => return none(format!("{error}: {}", error.source)),
    };
    let sources = DigestSources {
        profile: &profile,
        ..sources
    };
    let digest = sources.digest();
    // It may have tens of megabytes.
    drop(profile);
    match adds_up(&digest, new) {
        true => Ok(Some(Rc::new(ReadDigest::made(digest)))),
        false => none("threads or parts of the profile do not count".to_owned()),
    }
}

/// Costs by instruction of all processes, threads and parts; by function only if there are too many.
fn instructions(paths: &[&Path]) -> std::result::Result<InstructionProfile, FileError> {
    let mut reader = InstructionReader::default();
    for path in paths {
        file(path, |input| reader.add(input))?;
    }
    if reader.is_full() {
        reader = InstructionReader::only_functions();
        for path in paths {
            file(path, |input| reader.add(input))?;
        }
    }
    Ok(reader.finish())
}

/// Are the totals those of the result?
fn adds_up(digest: &Digest, new: &NewResults<'_>) -> bool {
    let Ok(counted) = metrics::totals(&new.sets) else {
        return false;
    };
    let mut events = digest.head.events.iter().zip(&digest.head.totals);
    events.all(|(event, total)| {
        let event = digest.text(*event);
        let mut counted = counted.iter();
        counted.any(|(name, count)| *name == event && count == total)
    })
}

fn read(paths: &[PathBuf]) -> KeptOrNot {
    let Some(path) = paths.first() else {
        return Ok(None);
    };
    let read = kept_digests::read(path).map_err(|error| unreadable(&error))?;
    Ok(read.map(Rc::new))
}

/// Note about a kept digest that cannot be read.
fn unreadable(error: &dyn std::fmt::Display) -> String {
    format!("the change is not explained: {error}; the next run replaces it")
}

/// The metric whose change is explained.
fn metric(settings: ExplainSettings, result: &ToolResult) -> Option<EventKind> {
    if settings.metric.is_some() {
        return settings.metric;
    }
    let exceeded = result.regressions.iter().map(|limit| limit.kind());
    let mut kinds = exceeded
        .chain(result.format.iter().copied())
        .filter_map(sum);
    kinds.find(|kind| result.total.row(*kind).is_some())
}

/// The metric, if it is a count whose parts add up, or the count that is divided by an amount.
fn sum(kind: MetricKind) -> Option<EventKind> {
    match kind {
        MetricKind::Tabled(ToolMetric::Callgrind(_)) if kind.is_per_unit() => Some(EventKind::Ir),
        MetricKind::Tabled(ToolMetric::Callgrind(event)) if !kind.is_rate() && !kind.is_time() => {
            Some(event)
        }
        _ => None,
    }
}

/// Is the change worth an explanation?
fn is_change(metric: EventKind, result: &ToolResult) -> bool {
    let mut exceeded = result.regressions.iter();
    if exceeded.any(|limit| limit.kind() == metric.into()) {
        return true;
    }
    let Some(row) = result.total.row(metric) else {
        return false;
    };
    let (Some(new), Some(old)) = (row.new, row.old) else {
        return false;
    };
    let count = MetricValue::minus(new, old).abs();
    let percent = row
        .difference()
        .map_or(0.0, |difference| difference.percent);
    count >= LEAST_COUNT && percent.abs() >= LEAST_PERCENT
}

fn explanation(
    job: &Job,
    old: &Digest,
    new: &Digest,
    metric: EventKind,
) -> Option<Box<Explanation>> {
    match explain::explain(old, new, metric) {
        Ok(explanation) => Some(Box::new(explanation)),
        Err(error) => {
            log::debug!("{}: not explained: {error}", job.benchmark_path);
            None
        }
    }
}
