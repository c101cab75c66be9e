//! The new result: its figures, its digest, and the environment in which it was measured.

use std::sync::Arc;

use super::digest_pair::DigestPair;
use super::{blocks, determinism, BenchmarkSlots, Code};
use crate::execute::{FailedJob, FinishedRun, JobRunner};
use crate::plan::Job;
use crate::results::{self, NewResults};
use base::tool::Tool;
use records::summary::{Environment, Mode, ObjectCosts, Repeated};
use records::Circumstances;

/// The new result of a job.
pub(super) struct New<'a> {
    pub(super) figures: NewResults<'a>,
    pub(super) digests: DigestPair,
    pub(super) made: Made,
    /// Costs by executable and library; empty if they are not known.
    pub(super) objects: Vec<ObjectCosts>,
    /// Blocks that the benchmark function allocated, where that is known.
    pub(super) blocks: Option<u64>,
}

/// The environment in which a result was measured.
pub(super) struct Made {
    /// The facts of the tool that the figures depend on.
    pub(super) environment: Environment,
    pub(super) circumstances: Circumstances,
    /// The counts of one more run, if there was one: of a result that is loaded.
    pub(super) repeated: Option<Repeated>,
}

impl<'a> New<'a> {
    /// Reads the files of a run, finds them whole and proven, and makes the digest of them.
    pub(super) fn read(
        job: &'a Job,
        run: &FinishedRun,
        kept: &BenchmarkSlots<'_>,
        code: Code<'_>,
        runner: &JobRunner<'_>,
    ) -> Result<Self, FailedJob> {
        let mut figures = results::read(job, run, &kept.entry, kept.baseline, runner)?;
        // The digest comes first, since only it knows allocations, which are metrics.
        let digests = DigestPair::new(job, &figures, kept, code);
        digests.add_allocations(&mut figures);
        let blocks = blocks::counted(job, &figures, &digests);
        add_throughput(job, kept, &mut figures);
        Ok(Self {
            made: made(job, run.ended.mode, &figures, &digests, kept, code),
            objects: objects(job, &figures, &digests, code),
            figures,
            digests,
            blocks,
        })
    }
}

/// Adds the amounts that the result handled, and the metrics that follow from them: those of the
/// job or, of a kept result, those of its record.
fn add_throughput(job: &Job, kept: &BenchmarkSlots<'_>, new: &mut NewResults<'_>) {
    let said = match kept.baseline.run {
        true => job.throughput,
        false => {
            let record = kept.record(&kept.baseline.write, job.tool);
            record.and_then(|record| record.throughput)
        }
    };
    new.throughput = said;
    if let Some(said) = said {
        new.metrics.add_per_unit(job.tool, said);
    }
}

/// Costs by executable and library: those that were read from the profile, else those of the
/// digest. With regions only the digest has them, since it divides the costs of functions among
/// their callers.
fn objects(
    job: &Job,
    new: &NewResults<'_>,
    digests: &DigestPair,
    code: Code<'_>,
) -> Vec<ObjectCosts> {
    if job.tool != Tool::Callgrind {
        return Vec::new();
    }
    let places = job.own_places(code.context.target_directory.as_deref());
    let found = match new.regions {
        true => Vec::new(),
        false => ObjectCosts::of_sets(&new.sets, places),
    };
    if !found.is_empty() {
        return found;
    }
    digests
        .of_new()
        .map(ObjectCosts::of_digest)
        .unwrap_or_default()
}

/// Facts and circumstances of the new result: for its record, and to be compared.
fn made(
    job: &Job,
    mode: Mode,
    new: &NewResults<'_>,
    digests: &DigestPair,
    kept: &BenchmarkSlots<'_>,
    Code { context, .. }: Code<'_>,
) -> Made {
    let environment = new.environment.clone();
    if kept.baseline.run {
        let marks = determinism::marks(job, context, new, digests.executable);
        let (code, fingerprint) = marks.map(|it| (it.code, it.fingerprint)).unzip();
        let environment = Environment {
            code,
            fingerprint,
            ..environment
        };
        return Made {
            circumstances: Circumstances::of(&context.system, &context.files, &environment, mode),
            environment,
            repeated: None,
        };
    }
    // A kept result has the facts of the time when it was made.
    match kept.record(&kept.baseline.write, job.tool) {
        None => Made {
            environment,
            circumstances: Circumstances::default(),
            repeated: None,
        },
        Some(record) => Made {
            environment: record.environment,
            circumstances: Arc::unwrap_or_clone(record.result.circumstances),
            repeated: record.result.repeated,
        },
    }
}
