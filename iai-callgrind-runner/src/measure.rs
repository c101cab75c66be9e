//! One job, from the old result to the new one.
//!
//! The order is what keeps results safe: the old files are read first, the new ones are written in
//! a private directory and read there, and only a result that is whole replaces the old one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use iai_callgrind::protocol::EventKind;

use crate::compare::{self, JobResult};
use crate::error::{FileContext, Result as RunResult};
use crate::execute::{Ended, Failure, How, Launch, NothingCounted, LOG_PREFIX, OUT_PREFIX};
use crate::metrics::Metrics;
use crate::parse::callgrind::{self, Flag, Part, Profile};
use crate::parse::log::{self, Log};
use crate::plan::Job;
use crate::store::{Entry, FileName, Kind, NewFile, Store};
use crate::summary::{Environment, Summary};
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
    let run = Run::read(work.path())?;
    let Ended { how, output } = ended;
    let failed = |failure: Failure| Failed {
        failure,
        output: output.clone(),
    };
    if how != How::Returned {
        let valgrind = run.fatal();
        return Err(failed(Failure::Ended { how, valgrind }));
    }
    run.check(job).map_err(failed)?;
    let profile = run.profile();
    let metrics = Metrics::from_profile(&profile)?;
    if metrics.is_zero() {
        return Err(failed(Failure::NothingCounted(why_nothing(job))));
    }
    notes.extend(run.notes(job));
    let result = result(job, &metrics, old.as_ref(), notes);
    let mut files = run.files(job);
    files.push(summary(
        &Summary::new(&result, run.environment(job)),
        work.path(),
    )?);
    entry.replace(job.tool, work.path(), &files)?;
    Ok(Measured { result, metrics })
}

/// The metrics of the last run. What cannot be read counts as absent, with a note: it is replaced
/// by this run.
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

/// The files of one run.
struct Run {
    outs: Vec<Out>,
    logs: Vec<(PathBuf, Log)>,
}

/// An output file with something in it.
struct Out {
    path: PathBuf,
    profile: Profile,
}

impl Run {
    /// Reads everything that the tool wrote. Empty output files are normal: Callgrind makes one
    /// and writes into others when there are several threads.
    fn read(directory: &Path) -> Result<Self, Failed> {
        let mut paths = Vec::new();
        for entry in fs::read_dir(directory).context("list", directory)? {
            paths.push(entry.context("list", directory)?.path());
        }
        paths.sort_unstable();
        let mut run = Self {
            outs: Vec::new(),
            logs: Vec::new(),
        };
        for path in paths {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if name.starts_with(OUT_PREFIX) {
                if let Some(profile) = callgrind::read_file(&path)? {
                    run.outs.push(Out { path, profile });
                }
            } else if name.starts_with(LOG_PREFIX) {
                if let Some(log) = log::read_file(&path)? {
                    run.logs.push((path, log));
                }
            }
        }
        Ok(run)
    }

    /// What Valgrind says about an end that is not normal.
    fn fatal(&self) -> Vec<String> {
        self.logs
            .iter()
            .flat_map(|(_, log)| log.fatal.iter().cloned())
            .collect()
    }

    /// The process that was started, as opposed to its children.
    fn root(&self) -> Option<&Log> {
        let pids: Vec<Option<u32>> = self.logs.iter().map(|(_, log)| log.pid).collect();
        let mut roots = self.logs.iter().map(|(_, log)| log);
        roots.find(|log| !pids.contains(&log.parent_pid))
    }

    fn parts(&self) -> impl Iterator<Item = &Part> {
        self.outs.iter().flat_map(|out| &out.profile.parts)
    }

    /// Is the result of the process that was started there, and whole?
    fn check(&self, job: &Job) -> Result<(), Failure> {
        let tool = job.tool.id();
        let Some(root) = self.root() else {
            return Err(Failure::NoResult { tool });
        };
        let mut parts = self.parts().filter(|part| part.pid == root.pid).peekable();
        if parts.peek().is_none() {
            return Err(Failure::NoResult { tool });
        }
        if parts.any(|part| part.flags.contains(&Flag::Incomplete)) {
            return Err(Failure::Incomplete { tool });
        }
        Ok(())
    }

    fn profile(&self) -> Profile {
        Profile {
            parts: self.parts().cloned().collect(),
        }
    }

    /// What is in the figures, or is not, without being visible in them.
    fn notes(&self, job: &Job) -> Vec<String> {
        let mut notes = Vec::new();
        let root = self.root().and_then(|log| log.pid);
        let silent = |part: &&Part| part.totals.iter().all(|count| *count == 0);
        let threads = self
            .parts()
            .filter(|part| part.thread > Some(1))
            .filter(silent)
            .count();
        let processes = self
            .parts()
            .filter(|part| part.pid != root)
            .filter(silent)
            .count();
        for (count, what) in [(threads, "thread"), (processes, "process")] {
            if count > 0 && !job.args.entry.is_empty() {
                notes.push(format!(
                    "{} ran inside the benchmark and {} not counted; \
                     `--toggle-collect=<function>` with a function of the {what} counts it",
                    counted(count, what),
                    if count == 1 { "was" } else { "were" },
                ));
            }
        }
        for (_, log) in &self.logs {
            if log.pid != root && !self.parts().any(|part| part.pid == log.pid) {
                let command = String::from_utf8_lossy(log.command.as_deref().unwrap_or_default());
                notes.push(format!(
                    "the process `{command}` was killed, its counts are missing"
                ));
            }
        }
        notes
    }

    fn environment(&self, job: &Job) -> Environment {
        Environment {
            valgrind_version: self.root().and_then(|log| log.version.clone()),
            valgrind_args: job.args.words.clone(),
            caches: self
                .parts()
                .next()
                .map(|part| part.caches.clone())
                .unwrap_or_default(),
            target: None,
        }
    }

    /// The names under which the files are kept.
    fn files(&self, job: &Job) -> Vec<NewFile> {
        let stem = job.identity.stem();
        let several_pids = self.logs.len() > 1;
        let distinct = |number: fn(&Part) -> u64| {
            let mut all: Vec<u64> = self.parts().map(number).collect();
            all.sort_unstable();
            all.dedup();
            all.len()
        };
        let threads = distinct(|part| part.thread.unwrap_or(1));
        let parts = distinct(|part| part.part.unwrap_or(1));
        let number = |value: Option<u64>, count: usize| {
            format!(
                "{:0width$}",
                value.unwrap_or(1),
                width = count.to_string().len()
            )
        };
        let outs = self.outs.iter().map(|out| {
            let part = &out.profile.parts[0];
            let name = FileName {
                tool: job.tool,
                stem: &stem,
                pid: part.pid.filter(|_| several_pids),
                thread_part: (threads > 1 || parts > 1)
                    .then(|| (number(part.thread, threads), number(part.part, parts))),
                kind: Kind::Out,
            };
            NewFile {
                path: out.path.clone(),
                name: name.current(),
            }
        });
        let logs = self.logs.iter().map(|(path, log)| {
            let name = FileName {
                tool: job.tool,
                stem: &stem,
                pid: log.pid.filter(|_| several_pids),
                thread_part: None,
                kind: Kind::Log,
            };
            NewFile {
                path: path.clone(),
                name: name.current(),
            }
        });
        outs.chain(logs).collect()
    }
}

fn counted(count: usize, what: &str) -> String {
    match (count, what) {
        (1, _) => format!("1 {what}"),
        (_, "process") => format!("{count} processes"),
        _ => format!("{count} {what}s"),
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
