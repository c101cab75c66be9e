//! What the last run left, to be compared with.
//!
//! What cannot be read counts as absent, with a note: the new run replaces it. What the last run was made
//! with is known from the record beside it.

use std::path::PathBuf;

use super::processes;
use super::readers::Reader;
use super::selection::Selection;
use super::while_it_ran;
use crate::compare::{self, Circumstances};
use crate::error::Result;
use crate::metrics::{CounterSet, Metrics, Process};
use crate::parse::log::{self, Log};
use crate::plan::{combines_dumps, Job};
use crate::store::{Entry, FileName, Slot};
use crate::summary::{Environment, Kept, Mode};
use crate::tool::{Tool, ToolFile};

/// The last result of a benchmark under one tool.
#[derive(Debug, Default)]
pub(crate) struct Previous {
    /// Its metrics; absent if there is no result, or none that can be read.
    pub(crate) metrics: Option<Metrics>,
    /// The files that they are from.
    pub(crate) files: Vec<PathBuf>,
    /// Its processes.
    pub(crate) processes: Vec<Process>,
    /// What it was made with, if that is known.
    pub(crate) circumstances: Option<Circumstances>,
    /// What its record says of the tool.
    environment: Option<(Mode, Environment)>,
}

impl Previous {
    /// Reads the last result: what was selected now is compared with the same of then. Notes say what
    /// cannot be read.
    pub(crate) fn read(
        job: &Job,
        entry: &Entry,
        slot: &Slot,
        selection: Selection<'_>,
        notes: &mut Vec<String>,
    ) -> Result<Self> {
        let reader = Reader::of(job.tool);
        let what = match slot {
            Slot::Last => "the last result".to_owned(),
            named => named.to_string(),
        };
        let (kept, damaged) = match Kept::read(entry, slot, job.tool) {
            Ok(kept) => (kept, None),
            Err(reason) => (None, Some(reason)),
        };
        let combined = kept
            .as_ref()
            .is_some_and(|old| combines_dumps(&old.profile.environment.valgrind_args));
        let selection = Selection {
            combined,
            ..selection
        };
        let mut sets = Vec::new();
        let mut part = 0;
        let files = entry.files(slot, job.tool, reader.file())?;
        for path in &files {
            let reason = match reader.read(path, selection) {
                Ok(Some(found)) if found.iter().any(|set| set.incomplete) => {
                    "it is not complete".to_owned()
                }
                Ok(found) => {
                    let pid = FileName::pid(path, job.tool, &job.identity.stem());
                    for mut set in found.unwrap_or_default() {
                        if job.tool == Tool::Perf {
                            // The names are in the order of the event sets.
                            part += 1;
                            set.part = Some(part);
                        }
                        sets.push((set.pid.or(pid), set));
                    }
                    continue;
                }
                Err(error) => error.source.to_string(),
            };
            let path = path.display();
            notes.push(format!(
                "{what} cannot be compared with, `{path}` cannot be read: {reason}"
            ));
            return Ok(Self::default());
        }
        if job.args.count_threads {
            let mut read: Vec<_> = sets.iter_mut().map(|(pid, set)| (*pid, set)).collect();
            let mut kept = while_it_ran::mark(&mut read).into_iter();
            sets.retain(|_| kept.next().unwrap_or(true));
        }
        if sets.is_empty() {
            return Ok(Self::default());
        }
        match Metrics::of_sets(job.tool, sets.iter().map(|(_, set)| set)) {
            // The run before measured no regions.
            Ok(metrics) if selection.regions && metrics.is_zero() => Ok(Self::default()),
            Ok(metrics) => {
                notes.extend(damaged.map(|damaged| {
                    format!("{damaged}; what {what} was made with is not known, and not compared")
                }));
                Ok(Self {
                    metrics: Some(metrics),
                    files,
                    processes: processes(job, entry, slot, sets)?,
                    circumstances: kept.as_ref().map(Kept::circumstances),
                    environment: kept.map(|kept| (kept.profile.mode, kept.profile.environment)),
                })
            }
            Err(reason) => {
                notes.push(format!("{what} cannot be compared with: {reason}"));
                Ok(Self::default())
            }
        }
    }

    /// Was it made by the same code under the same circumstances?
    pub(crate) fn is_same(&self, mode: Mode, environment: &Environment) -> bool {
        let old = self.environment.as_ref();
        old.is_some_and(|(old, theirs)| compare::is_same((*old, theirs), (mode, environment)))
    }
}

fn processes(
    job: &Job,
    entry: &Entry,
    slot: &Slot,
    mut sets: Vec<(Option<u32>, CounterSet)>,
) -> Result<Vec<Process>> {
    let logs = entry.files(slot, job.tool, ToolFile::Log)?;
    let logs = logs.iter().map(|path| log::read_file(path).ok().flatten());
    let logs: Vec<Log> = logs.flatten().collect();
    // Names tell the process only if there were several.
    if let [log] = logs.as_slice() {
        for (pid, _) in &mut sets {
            *pid = log.pid;
        }
    }
    Ok(processes::of_run(sets, logs.iter()))
}
