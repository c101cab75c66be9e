//! The files that one run of a tool wrote, read and named.
//!
//! In: a private directory. Out: whether the result is whole, the profile, what the user should know
//! about it, and the names under which the files are kept.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::FileContext;
use crate::execute::{self, Failure, ToolFile};
use crate::parse::callgrind::{self, Flag, Part, Profile};
use crate::parse::log::{self, Log};
use crate::parse::FileError;
use crate::plan::Job;
use crate::store::{FileName, Kind, NewFile};
use crate::summary::Environment;

/// The files of one run.
pub(crate) struct Collected {
    outs: Vec<Out>,
    logs: Vec<(PathBuf, Log)>,
    /// There is a file with nothing in it, such as on a full disk.
    empty: bool,
}

/// An output file with something in it.
struct Out {
    path: PathBuf,
    pid: u32,
    profile: Result<Profile, FileError>,
}

impl Collected {
    /// Reads everything that the tool wrote. Empty output files are normal: Callgrind makes one
    /// and writes into others when there are several threads.
    ///
    /// `root` is the process that ran the benchmark, if that is known. Files of processes that do not
    /// descend from it are left out: strays of earlier benchmarks.
    ///
    /// `regions`: the benchmark measured regions of itself, and only their costs count.
    pub(crate) fn read(
        directory: &Path,
        root: Option<i32>,
        regions: bool,
    ) -> Result<Self, Failure> {
        let read_profile = if regions {
            callgrind::read_regions_of_file
        } else {
            callgrind::read_file
        };
        let mut outs = Vec::new();
        let mut logs = Vec::new();
        let mut empty = false;
        for entry in fs::read_dir(directory).context("list", directory)? {
            let path = entry.context("list", directory)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let Some((file, pid)) = execute::file_of_process(&name) else {
                continue;
            };
            match file {
                ToolFile::Out => match read_profile(&path).transpose() {
                    Some(profile) => outs.push(Out { path, pid, profile }),
                    None => empty = true,
                },
                // A log that cannot be read is as good as none.
                ToolFile::Log => match log::read_file(&path).ok().flatten() {
                    Some(log) => logs.push((path, log)),
                    None => empty = true,
                },
            }
        }
        outs.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        logs.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        if let Some(root) = root.and_then(|root| u32::try_from(root).ok()) {
            let family = descendants(root, &logs);
            outs.retain(|out| family.contains(&out.pid));
            logs.retain(|(_, log)| log.pid.is_some_and(|pid| family.contains(&pid)));
        }
        Ok(Self { outs, logs, empty })
    }

    /// What Valgrind says about an end that is not normal.
    pub(crate) fn fatal(&self) -> Vec<String> {
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
        let readable = self.outs.iter().flat_map(|out| &out.profile);
        readable.flat_map(|profile| &profile.parts)
    }

    /// Is the result of the process that was started there, and whole?
    pub(crate) fn check(&mut self, job: &Job) -> Result<(), Failure> {
        let tool = job.tool.id();
        let nothing = if self.empty {
            Failure::Incomplete { tool }
        } else {
            Failure::NoResult { tool }
        };
        let Some(root) = self.root().and_then(|log| log.pid) else {
            return Err(nothing);
        };
        let is_bad = |out: &Out| out.pid == root && out.profile.is_err();
        if let Some(index) = self.outs.iter().position(is_bad) {
            if let Err(error) = self.outs.swap_remove(index).profile {
                return Err(error.into());
            }
        }
        let mut parts = self
            .parts()
            .filter(|part| part.pid == Some(root))
            .peekable();
        if parts.peek().is_none() {
            return Err(nothing);
        }
        if parts.any(|part| part.flags.contains(&Flag::Incomplete)) {
            return Err(Failure::Incomplete { tool });
        }
        Ok(())
    }

    pub(crate) fn profile(&self) -> Profile {
        Profile {
            parts: self.parts().cloned().collect(),
        }
    }

    /// What is in the figures, or is not, without being visible in them.
    pub(crate) fn notes(&self, job: &Job) -> Vec<String> {
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
        let of_threads = "`Callgrind::default().count_threads(true)` counts all threads";
        let of_processes = "`--toggle-collect=<function>` with a function of the process counts it";
        for (count, what, how) in [
            (threads, "thread", of_threads),
            (processes, "process", of_processes),
        ] {
            if count > 0 && !job.args.entry.is_empty() {
                notes.push(format!(
                    "{} ran inside the benchmark and {} not counted; {how}",
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

    pub(crate) fn environment(&self, job: &Job) -> Environment {
        Environment {
            valgrind_version: self.root().and_then(|log| log.version.clone()),
            valgrind_args: job.args.words.clone(),
            caches: self
                .parts()
                .next()
                .map(|part| part.caches.clone())
                .unwrap_or_default(),
        }
    }

    /// The names under which the files are kept.
    pub(crate) fn files(&self, job: &Job) -> Vec<NewFile> {
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
        let outs = self.outs.iter().filter_map(|out| {
            let part = out.profile.as_ref().ok()?.parts.first()?;
            let name = FileName {
                tool: job.tool,
                stem: &stem,
                pid: part.pid.filter(|_| several_pids),
                thread_part: (threads > 1 || parts > 1)
                    .then(|| (number(part.thread, threads), number(part.part, parts))),
                kind: Kind::Out,
            };
            Some(NewFile {
                path: out.path.clone(),
                name: name.current(),
            })
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

/// A process and everything that it started, directly or not.
fn descendants(root: u32, logs: &[(PathBuf, Log)]) -> Vec<u32> {
    let mut family = vec![root];
    let mut next = 0;
    while let Some(parent) = family.get(next).copied() {
        let children = logs.iter().map(|(_, log)| log);
        let children = children.filter(|log| log.parent_pid == Some(parent));
        family.extend(children.filter_map(|log| log.pid));
        next += 1;
    }
    family
}

fn counted(count: usize, what: &str) -> String {
    match (count, what) {
        (1, _) => format!("1 {what}"),
        (_, "process") => format!("{count} processes"),
        _ => format!("{count} {what}s"),
    }
}
