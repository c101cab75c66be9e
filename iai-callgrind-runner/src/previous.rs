//! What the last run left, to be compared with.
//!
//! What cannot be read counts as absent, with a note: the new run replaces it. Where the last run was
//! made under other circumstances, a note says so, since the program may not be the reason for a
//! difference.

use std::path::{Path, PathBuf};

use iai_callgrind::protocol::{CachegrindMetric, EventKind};

use crate::compare;
use crate::error::Result;
use crate::metrics::{Kind, Metrics};
use crate::parse::log::{self, Log};
use crate::parse::FileError;
use crate::plan::{combines_dumps, Job};
use crate::process::{self, Process};
use crate::store::{Entry, FileName, Slot};
use crate::summary::{Environment, Mode, Profile};
use crate::tool::{self, Tool, ToolFile};
use crate::units::{Selection, Source, Unit};

/// The last result of a benchmark under one tool.
#[derive(Debug, Default)]
pub(crate) struct Previous {
    /// Its metrics; absent if there is no result, or none that can be read.
    pub(crate) metrics: Option<Metrics>,
    /// The files that they are from.
    pub(crate) files: Vec<PathBuf>,
    /// Its processes.
    pub(crate) processes: Vec<Process>,
    /// What it said about itself.
    summary: Option<Profile>,
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
        let file = match tool::row(job.tool).source {
            Source::Out(_) => ToolFile::Out,
            Source::Log(_) => ToolFile::Log,
        };
        let what = match slot {
            Slot::Last => "the last result".to_owned(),
            named => named.to_string(),
        };
        let summary = Profile::read(entry, slot, job.tool);
        let combined = summary
            .as_ref()
            .is_some_and(|old| combines_dumps(&old.environment.valgrind_args));
        let selection = Selection {
            combined,
            ..selection
        };
        let mut units = Vec::new();
        let mut part = 0;
        let files = entry.files(slot, job.tool, file)?;
        for path in &files {
            let reason = match read(job, path, selection) {
                Ok(Some(found)) if found.iter().any(|unit| unit.incomplete) => {
                    "it is not complete".to_owned()
                }
                Ok(found) => {
                    let pid = FileName::pid(path, job.tool, &job.identity.stem());
                    for mut unit in found.unwrap_or_default() {
                        if job.tool == Tool::Perf {
                            // The names are in the order of the event sets.
                            part += 1;
                            unit.part = Some(part);
                        }
                        units.push((unit.pid.or(pid), unit));
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
        if units.is_empty() {
            return Ok(Self::default());
        }
        match Metrics::of_units(job.tool, units.iter().map(|(_, unit)| unit)) {
            // The run before measured no regions.
            Ok(metrics) if selection.regions && metrics.is_zero() => Ok(Self::default()),
            Ok(metrics) => Ok(Self {
                metrics: Some(metrics),
                files,
                processes: processes(job, entry, slot, units)?,
                summary,
            }),
            Err(reason) => {
                notes.push(format!("{what} cannot be compared with: {reason}"));
                Ok(Self::default())
            }
        }
    }

    /// How the circumstances of this run differ from those of the last one, one line each.
    pub(crate) fn differences(
        &self,
        slot: &Slot,
        tool: Tool,
        mode: Mode,
        environment: &Environment,
    ) -> Vec<String> {
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
                    "{slot} was made by Valgrind {theirs}, this one by {ours}"
                ));
            }
        }
        // Without simulation there is none, or nothing after the colon.
        let simulated = |caches: &[String]| {
            !caches.is_empty() && !caches.iter().any(|cache| cache.ends_with(':'))
        };
        let both = simulated(&old.environment.caches) && simulated(&environment.caches);
        if both && old.environment.caches != environment.caches {
            notes.push(format!("{slot} simulated other caches"));
        }
        notes.extend(
            other_arguments(&old.environment.valgrind_args, &environment.valgrind_args).map(
                |arguments| format!("{slot} was made with other arguments for {tool}: {arguments}"),
            ),
        );
        notes.extend(compare::other_tunables(
            slot,
            old.environment.glibc_tunables.as_deref(),
            environment.glibc_tunables.as_deref(),
        ));
        let simulates = matches!(tool, Tool::Callgrind | Tool::Cachegrind);
        if old.mode != mode && simulates {
            notes.push(format!(
                "{slot} was made {}, this one {}; counts of cache misses and mispredicted \
                 branches may differ a little, and limits on them are not checked",
                place(old.mode),
                place(mode)
            ));
        }
        notes
    }

    /// Was it made by the same code under the same circumstances?
    pub(crate) fn is_same(&self, mode: Mode, environment: &Environment) -> bool {
        self.summary
            .as_ref()
            .is_some_and(|old| compare::is_same((old.mode, &old.environment), (mode, environment)))
    }

    /// Can this metric be checked against a limit although the mode changed?
    pub(crate) fn is_comparable(&self, mode: Mode, kind: Kind) -> bool {
        let same_mode = self.summary.as_ref().is_none_or(|old| old.mode == mode);
        same_mode || !depends_on_caches(kind)
    }
}

/// What decides how a tool runs and not what it counts.
const WITHOUT_INFLUENCE: [&str; 5] = [
    "--command-line-only",
    "--fair-sched",
    "--verbose",
    "--vgdb",
    "-v",
];

/// `` `--old` instead of `--new` ``; `None`: they are the same, or their differences change no figure.
fn other_arguments(theirs: &[String], ours: &[String]) -> Option<String> {
    let only = |here: &[String], there: &[String]| {
        let influences = |word: &&String| {
            let key = word.split('=').next().unwrap_or_default();
            !WITHOUT_INFLUENCE.contains(&key) && !there.contains(word)
        };
        let words: Vec<&str> = here.iter().filter(influences).map(String::as_str).collect();
        words.join(" ")
    };
    let (theirs, ours) = (only(theirs, ours), only(ours, theirs));
    match (theirs.as_str(), ours.as_str()) {
        ("", "") => None,
        (theirs, "") => Some(format!("also with `{theirs}`")),
        ("", ours) => Some(format!("without `{ours}`")),
        (theirs, ours) => Some(format!("`{theirs}` instead of `{ours}`")),
    }
}

fn processes(
    job: &Job,
    entry: &Entry,
    slot: &Slot,
    mut units: Vec<(Option<u32>, Unit)>,
) -> Result<Vec<Process>> {
    let logs = entry.files(slot, job.tool, ToolFile::Log)?;
    let logs = logs.iter().map(|path| log::read_file(path).ok().flatten());
    let logs: Vec<Log> = logs.flatten().collect();
    // Names tell the process only if there were several.
    if let [log] = logs.as_slice() {
        for (pid, _) in &mut units {
            *pid = log.pid;
        }
    }
    Ok(process::of_run(units, logs.iter()))
}

fn read(job: &Job, path: &Path, selection: Selection<'_>) -> Result<Option<Vec<Unit>>, FileError> {
    match tool::row(job.tool).source {
        Source::Out(read) => read(path, selection),
        Source::Log(of_log) => Ok(log::read_file(path)?.as_ref().and_then(of_log)),
    }
}

fn place(mode: Mode) -> &'static str {
    match mode {
        Mode::Direct => "in a process of its own",
        Mode::Fork => "in a fork",
    }
}

/// Does the state of simulated caches or branch predictors at the begin of the benchmark matter?
fn depends_on_caches(kind: Kind) -> bool {
    use CachegrindMetric as C;
    use EventKind::{Bc, Bi, Dr, Dw, Ge, Ir, SysCount, TotalRW};
    match kind {
        Kind::Callgrind(kind) => !matches!(kind, Ir | Dr | Dw | Bc | Bi | Ge | SysCount | TotalRW),
        Kind::Cachegrind(kind) => {
            !matches!(kind, C::Ir | C::Dr | C::Dw | C::Bc | C::Bi | C::TotalRW)
        }
        Kind::Dhat(_) | Kind::Massif(_) | Kind::Bbv(_) | Kind::Error(_) | Kind::Perf(_) => false,
    }
}
