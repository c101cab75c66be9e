//! The digests that explain a result, and later ones.
//!
//! The digest is made while the executable is there, since the next build replaces it. Whether
//! there is one or not, the result is the same.

use std::cell::OnceCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use super::new::ProvenFiles;
use super::{BenchmarkSlots, Code};
use crate::plan::Job;
use base::tool::Tool;
use explain::digest::Digest;
use explain::kept_digest::{self, ReadDigest};
use explain::new_digest::DigestSources;
use explain::{AllocationCount, RecordedFunctions};
use symbols::ObjectError;

/// Kept digest. `Ok(None)`: there is none. The error is a note.
type KeptOrNot = Result<Option<Rc<ReadDigest>>, String>;

/// Digests of both sides of a comparison.
#[derive(Default)]
pub(crate) struct DigestPair {
    /// Digest of the new result, if there is one.
    new: Option<Rc<ReadDigest>>,
    /// Digest of the old result, read on first use.
    old: OnceCell<KeptOrNot>,
    /// Note about a digest that is missing.
    pub(crate) note: Option<String>,
    /// Number for the state of the executable, where the digest needs it.
    pub(super) executable: Option<u64>,
}

impl DigestPair {
    /// Makes the digest of the new result, if the job asks for explanations.
    pub(super) fn new(
        job: &Job,
        new: &ProvenFiles<'_>,
        kept: &BenchmarkSlots<'_>,
        code: Code<'_>,
    ) -> Self {
        let mut pair = Self::default();
        // No other tool tells the costs of single instructions, from which inlined functions are
        // found.
        if job.explain.is_none() || job.tool != Tool::Callgrind {
            return pair;
        }
        let identity = || code.symbolizer.identity(&job.target.program);
        // A loaded result has its kept digest: the executable may be another one by now.
        let identity = kept.baseline.run.then(identity);
        pair.executable = identity.as_ref().and_then(|it| it.as_ref().ok().copied());
        // Most runs count what the last one counted: then its digest is taken, and no executable is
        // opened.
        let same = |fingerprint| {
            let before = pair.old(kept).as_ref().ok()?.as_ref();
            before
                .filter(|before| before.is_of(fingerprint))
                .map(Rc::clone)
        };
        let digest = match identity {
            Some(identity) => made(job, new, code, identity, same),
            None => read(&kept.digests(&kept.baseline.write)),
        };
        match digest {
            Ok(digest) => pair.new = digest,
            Err(note) => pair.note = Some(note),
        }
        pair
    }

    /// Does the new result have a digest?
    pub(crate) fn has_new(&self) -> bool {
        self.new.is_some()
    }

    /// The digest of the new result.
    pub(crate) fn of_new(&self) -> Option<&Digest> {
        self.new.as_ref()?.digest().ok()
    }

    /// The functions of the new result, as its record has them.
    pub(crate) fn functions(&self) -> Option<Arc<RecordedFunctions>> {
        let new = self.new.as_ref()?;
        Some(Arc::clone(&new.preface().functions))
    }

    /// The digest of the old result. An unreadable one counts as missing.
    pub(crate) fn of_old(&self, kept: &BenchmarkSlots<'_>) -> Option<&Digest> {
        let old = self.old(kept).as_ref().ok()?;
        old.as_ref()?.digest().ok()
    }

    /// The calls of the allocator in the new result. With regions the costs of functions are
    /// divided among their callers, and numbers of calls as well, so they are no counts.
    pub(super) fn allocations(&self, regions: bool) -> Option<AllocationCount> {
        let digest = self.new.as_ref().filter(|_| !regions);
        digest.and_then(|digest| digest.preface().allocations)
    }

    /// Blocks of the C library's allocator that the calls of the new result show.
    pub(super) fn blocks_of_malloc(&self) -> Option<u64> {
        self.new.as_ref()?.preface().blocks
    }

    /// The digests of both sides, to explain a change. `Ok(None)`: one is missing. The error is a
    /// note.
    pub(crate) fn both(
        &self,
        kept: &BenchmarkSlots<'_>,
    ) -> Result<Option<(&Digest, &Digest)>, String> {
        let old = self.old(kept).as_ref().map_err(String::clone)?;
        let (Some(old), Some(new)) = (old, &self.new) else {
            return Ok(None);
        };
        let old = old.digest().map_err(|error| unreadable(&error))?;
        let new = new.digest().map_err(|error| unreadable(&error))?;
        Ok(Some((old, new)))
    }

    /// The content of the new digest's file.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        self.new.as_ref().map(|digest| digest.bytes())
    }

    fn old(&self, kept: &BenchmarkSlots<'_>) -> &KeptOrNot {
        self.old
            .get_or_init(|| read(&kept.digests(&kept.baseline.compare)))
    }
}

/// The digest of the new result. `Ok(None)`: there is none, and a debug line says why. The error is
/// a note. `same` finds an old digest with this fingerprint.
fn made(
    job: &Job,
    new: &ProvenFiles<'_>,
    code: Code<'_>,
    identity: Result<u64, ObjectError>,
    same: impl FnOnce(u64) -> Option<Rc<ReadDigest>>,
) -> KeptOrNot {
    let identity = match identity {
        // The file of the executable was replaced after the start: the measured code is gone.
        Err(error @ ObjectError::Replaced(_)) => {
            return Err(format!("this result cannot explain anything: {error}"))
        }
        identity => identity.unwrap_or(0),
    };
    let sources = DigestSources {
        entry: &job.args.entry,
        regions: new.regions,
        symbolizer: code.symbolizer,
        executable: &job.target.program,
        identity,
        workspace: &job.target.workspace,
        target: code.context.target_directory.as_deref(),
        is_malloc: job.target.is_malloc(),
    };
    match sources.of_files(&new.files.outs(), &new.sets, same) {
        Ok(digest) => Ok(Some(digest)),
        Err(reason) => {
            log::debug!("{}: no digest: {reason}", job.benchmark_path);
            Ok(None)
        }
    }
}

fn read(paths: &[PathBuf]) -> KeptOrNot {
    let Some(path) = paths.first() else {
        return Ok(None);
    };
    let read = kept_digest::read(path).map_err(|error| unreadable(&error))?;
    Ok(read.map(Rc::new))
}

/// Note about a kept digest that cannot be read.
fn unreadable(error: &dyn std::fmt::Display) -> String {
    format!("the change is not explained: {error}; the next run replaces it")
}
