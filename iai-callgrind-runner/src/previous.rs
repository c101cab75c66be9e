//! What the last run left, to be compared with.
//!
//! What cannot be read counts as absent, with a note: the new run replaces it. Where the last run was
//! made under other circumstances, a note says so, since the program may not be the reason for a
//! difference.

use std::fs;

use iai_callgrind::protocol::EventKind;

use crate::error::Result;
use crate::metrics::Metrics;
use crate::parse::callgrind::{self, Flag, Profile};
use crate::plan::Job;
use crate::store::Entry;
use crate::summary::{Environment, Mode, Summary};

/// The last result of a benchmark.
#[derive(Debug, Default)]
pub(crate) struct Previous {
    /// Its metrics; absent if there is no result, or none that can be read.
    pub(crate) metrics: Option<Metrics>,
    /// What it said about itself.
    summary: Option<Summary>,
}

impl Previous {
    /// Reads the last result. Notes say what cannot be read.
    pub(crate) fn read(job: &Job, entry: &Entry, notes: &mut Vec<String>) -> Result<Self> {
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
            let path = path.display();
            notes.push(format!(
                "the last result cannot be compared with, `{path}` cannot be read: {reason}"
            ));
            return Ok(Self::default());
        }
        if profile.parts.is_empty() {
            return Ok(Self::default());
        }
        match Metrics::from_profile(&profile) {
            Ok(metrics) => Ok(Self {
                metrics: Some(metrics),
                summary: fs::read(entry.summary())
                    .ok()
                    .and_then(|json| serde_json::from_slice(&json).ok()),
            }),
            Err(reason) => {
                notes.push(format!("the last result cannot be compared with: {reason}"));
                Ok(Self::default())
            }
        }
    }

    /// How the circumstances of this run differ from those of the last one, one line each.
    pub(crate) fn differences(&self, mode: Mode, environment: &Environment) -> Vec<String> {
        let Some(old) = &self.summary else {
            return Vec::new();
        };
        let mut notes = Vec::new();
        let (theirs, ours) = (
            &old.environment.valgrind_version,
            &environment.valgrind_version,
        );
        if let (Some(theirs), Some(ours)) = (theirs, ours) {
            if theirs != ours {
                notes.push(format!(
                    "the last run was made by Valgrind {theirs}, this one by {ours}"
                ));
            }
        }
        // Without simulation there is nothing after the colon.
        let simulated = |caches: &[String]| !caches.iter().any(|cache| cache.ends_with(':'));
        let both = simulated(&old.environment.caches) && simulated(&environment.caches);
        if both && old.environment.caches != environment.caches {
            notes.push("the last run simulated other caches".to_owned());
        }
        if old.mode != mode {
            notes.push(format!(
                "the last run was made {}, this one {}; counts of cache misses and mispredicted \
                 branches may differ a little, and limits on them are not checked",
                place(old.mode),
                place(mode)
            ));
        }
        notes
    }

    /// Can this metric be checked against a limit although the mode changed?
    pub(crate) fn is_comparable(&self, mode: Mode, kind: EventKind) -> bool {
        let same_mode = self.summary.as_ref().is_none_or(|old| old.mode == mode);
        same_mode || !depends_on_caches(kind)
    }
}

fn place(mode: Mode) -> &'static str {
    match mode {
        Mode::Direct => "in a process of its own",
        Mode::Fork => "in a fork",
    }
}

/// Does the state of simulated caches or branch predictors at the begin of the benchmark matter?
fn depends_on_caches(kind: EventKind) -> bool {
    use EventKind::{Bc, Bi, Dr, Dw, Ge, Ir, SysCount, TotalRW};
    !matches!(kind, Ir | Dr | Dw | Bc | Bi | Ge | SysCount | TotalRW)
}
