//! The files that one run of a tool wrote, read and named.
//!
//! In: a private directory. Out: whether the result is whole, the counters, what the user should know
//! about them, and the names under which the files are kept.

use std::fs;
use std::path::{Path, PathBuf};

use iai_callgrind::protocol::SanitizeOutput;

use super::readers::Reader;
use super::selection::Selection;
use super::while_it_ran;
use super::{dhat, processes};
use crate::error::FileContext;
use crate::execute::{self, Failure};
use crate::metrics::{CounterSet, Process};
use crate::parse::log::{self, Log};
use crate::parse::FileError;
use crate::plan::{self, Job};
use crate::summary::Environment;
use crate::tool::{Tool, ToolFile};

/// The files of one run.
pub(crate) struct Collected {
    pub(super) outs: Vec<Out>,
    pub(super) logs: Vec<(PathBuf, Log)>,
    /// Files that are kept, but not read.
    pub(super) others: Vec<(PathBuf, ToolFile, u32)>,
    /// There is a file with nothing in it, such as on a full disk.
    empty: bool,
    /// The files are those of a run that has just ended, and not recorded or kept ones.
    pub(super) live: bool,
    /// Processes that the benchmark started and whose results are damaged, and how. Their files are
    /// not among the others.
    pub(super) spoiled: Vec<(u32, String)>,
}

/// An output file with something in it.
pub(super) struct Out {
    pub(super) path: PathBuf,
    pub(super) pid: u32,
    pub(super) sets: Result<Vec<CounterSet>, FileError>,
}

impl Collected {
    /// Reads everything that the tool wrote. Empty output files are normal: Callgrind makes one
    /// and writes into others when there are several threads.
    ///
    /// `root` is the process that ran the benchmark, if that is known. Files of processes that do not
    /// descend from it are left out: strays of earlier benchmarks.
    ///
    /// `selection`: what of the files counts.
    pub(crate) fn read(
        job: &Job,
        directory: &Path,
        root: Option<i32>,
        selection: Selection<'_>,
    ) -> Result<Self, Failure> {
        let mut collected = Self {
            outs: Vec::new(),
            logs: Vec::new(),
            others: Vec::new(),
            empty: false,
            live: root.is_some(),
            spoiled: Vec::new(),
        };
        for entry in fs::read_dir(directory).context("list", directory)? {
            let path = entry.context("list", directory)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if let Some((file, pid)) = execute::file_of_process(&name) {
                collected.add(job.tool, path.clone(), file, pid, selection);
            }
        }
        collected.outs.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        collected.logs.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        collected.others.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        if let Some(perf) = &job.perf {
            collected.without_calibration(directory, perf);
        }
        if let Some(root) = root.and_then(|root| u32::try_from(root).ok()) {
            collected.keep_family(root);
        }
        if job.args.count_threads {
            collected.keep_until_return();
        }
        Ok(collected)
    }

    fn add(
        &mut self,
        tool: Tool,
        path: PathBuf,
        file: ToolFile,
        pid: u32,
        selection: Selection<'_>,
    ) {
        match (file, Reader::of(tool)) {
            (ToolFile::Log, _) if tool == Tool::Perf => self.others.push((path, file, pid)),
            (ToolFile::Out, Reader::Out(read)) => match read(&path, selection).transpose() {
                Some(sets) => self.outs.push(Out { path, pid, sets }),
                None => self.empty = true,
            },
            // A log that cannot be read is as good as none.
            (ToolFile::Log, _) => match log::read_file(&path).ok().flatten() {
                Some(log) => self.logs.push((path, log)),
                None => self.empty = true,
            },
            _ => self.others.push((path, file, pid)),
        }
    }

    /// Leaves out what does not belong to this process and those that it started.
    fn keep_family(&mut self, root: u32) {
        let family = descendants(root, &self.logs);
        self.outs.retain(|out| family.contains(&out.pid));
        self.logs
            .retain(|(_, log)| log.pid.is_some_and(|pid| family.contains(&pid)));
        self.others.retain(|(_, _, pid)| family.contains(pid));
    }

    /// Leaves out what threads did before the benchmark and after it had returned. A file can hold several
    /// parts.
    fn keep_until_return(&mut self) {
        let read = self.outs.iter_mut().filter_map(|out| {
            let sets = out.sets.as_mut().ok()?;
            Some(sets.iter_mut().map(|set| (Some(out.pid), set)))
        });
        let mut sets: Vec<(Option<u32>, &mut CounterSet)> = read.flatten().collect();
        let kept = while_it_ran::mark(&mut sets);
        let mut kept = kept.into_iter();
        self.outs.retain_mut(|out| {
            let Ok(sets) = &mut out.sets else {
                return true;
            };
            sets.retain(|_| kept.next().unwrap_or(true));
            !sets.is_empty()
        });
    }

    /// What Valgrind says about an end that is not normal.
    pub(crate) fn fatal(&self) -> Vec<String> {
        self.logs
            .iter()
            .flat_map(|(_, log)| log.fatal.iter().cloned())
            .collect()
    }

    /// The process that was started, as opposed to its children.
    pub(super) fn root(&self) -> Option<&Log> {
        let pids: Vec<Option<u32>> = self.logs.iter().map(|(_, log)| log.pid).collect();
        let mut roots = self.logs.iter().map(|(_, log)| log);
        roots.find(|log| !pids.contains(&log.parent_pid))
    }

    /// The counters of every process, with the process.
    pub(super) fn of_processes(&self, tool: Tool) -> Vec<(Option<u32>, Vec<CounterSet>)> {
        match Reader::of(tool) {
            Reader::Out(_) => {
                let readable = self.outs.iter().flat_map(|out| {
                    let sets = out.sets.as_ref().ok()?;
                    Some((Some(out.pid), sets.clone()))
                });
                readable.collect()
            }
            Reader::Log(of_log) => {
                let whole = self.logs.iter();
                whole
                    .filter_map(|(_, log)| Some((log.pid, of_log(log)?)))
                    .collect()
            }
        }
    }

    /// What the tool wrote for the process that ran the benchmark.
    pub(crate) fn out_of_root(&self) -> Option<&Path> {
        let root = self.root()?.pid?;
        let out = self.outs.iter().find(|out| out.pid == root)?;
        Some(&out.path)
    }

    /// The output files that count.
    pub(crate) fn outs(&self) -> Vec<&Path> {
        let readable = self.outs.iter().filter(|out| out.sets.is_ok());
        readable.map(|out| out.path.as_path()).collect()
    }

    /// The counters of every process, thread and part.
    pub(crate) fn sets(&self, tool: Tool) -> Vec<CounterSet> {
        let processes = self.of_processes(tool).into_iter();
        let sets = processes.flat_map(|(pid, sets)| {
            // perf counts for an event set, not for a process.
            let part = pid.map(u64::from).filter(|_| tool == Tool::Perf);
            sets.into_iter().map(move |set| CounterSet {
                part: set.part.or(part),
                ..set
            })
        });
        sets.collect()
    }

    /// Reduces DHAT's files to what counts, if they are to be.
    pub(crate) fn sanitize(&mut self, job: &Job, selection: Selection<'_>) -> Result<(), Failure> {
        let keeps_all = job.sanitize == SanitizeOutput::No || selection.is_everything();
        if job.tool != Tool::Dhat || keeps_all {
            return Ok(());
        }
        for Out { path, pid, .. } in &self.outs {
            let bytes = fs::read(path).context("read", path)?;
            let reduced = dhat::reduced(&bytes, selection).map_err(|source| FileError {
                path: path.clone(),
                source,
            })?;
            let Some(reduced) = reduced else { continue };
            if job.sanitize == SanitizeOutput::KeepOrig {
                let original = path.with_file_name(format!("original.{pid}"));
                fs::write(&original, &bytes).context("write", &original)?;
                self.others.push((original, ToolFile::Original, *pid));
            }
            fs::write(path, reduced).context("write", path)?;
        }
        Ok(())
    }

    /// The processes, each with its counters.
    pub(crate) fn processes(&self, tool: Tool) -> Vec<Process> {
        let sets = self
            .of_processes(tool)
            .into_iter()
            .flat_map(|(pid, sets)| sets.into_iter().map(move |set| (pid, set)));
        processes::of_run(sets, self.logs.iter().map(|(_, log)| log))
    }

    /// Is the result of the process that was started there, and whole?
    pub(crate) fn check(&mut self, job: &Job) -> Result<(), Failure> {
        if let Some(perf) = &job.perf {
            return self.check_perf(perf);
        }
        let tool = job.tool.id();
        let nothing = if self.empty {
            Failure::Incomplete { tool }
        } else {
            Failure::NoResult { tool }
        };
        let Some(root) = self.root().and_then(|log| log.pid) else {
            return Err(nothing);
        };
        let is_bad = |out: &Out| out.pid == root && out.sets.is_err();
        if let Some(index) = self.outs.iter().position(is_bad) {
            if let Err(error) = self.outs.swap_remove(index).sets {
                return Err(error.into());
            }
        }
        let processes = self.of_processes(job.tool);
        let of_root = processes.iter().filter(|(pid, _)| *pid == Some(root));
        let mut sets = of_root.flat_map(|(_, sets)| sets).peekable();
        if sets.peek().is_none() {
            return Err(nothing);
        }
        if sets.any(|set| set.incomplete) {
            return Err(Failure::Incomplete { tool });
        }
        self.leave_out_spoiled();
        Ok(())
    }

    /// A damaged file of another process than the first spoils the figures of that process only.
    fn leave_out_spoiled(&mut self) {
        for out in &self.outs {
            let reason = match &out.sets {
                Err(error) => error.source.to_string(),
                Ok(sets) if sets.iter().any(|set| set.incomplete) => {
                    "it is not complete".to_owned()
                }
                Ok(_) => continue,
            };
            self.spoiled.push((out.pid, reason));
        }
        let spoiled = |pid| self.spoiled.iter().any(|(other, _)| *other == pid);
        self.outs.retain(|out| !spoiled(out.pid));
    }

    pub(crate) fn environment(&self, job: &Job) -> Environment {
        let sets = self.sets(job.tool);
        Environment {
            valgrind_version: self.root().and_then(|log| log.version.clone()),
            valgrind_args: job.args.recorded(),
            deterministic_random: Some(job.deterministic_random),
            caches: sets
                .into_iter()
                .next()
                .map(|set| set.caches)
                .unwrap_or_default(),
            glibc_tunables: plan::tunables(&job.environment),
            fingerprint: None,
        }
    }

    pub(super) fn several_processes(&self) -> bool {
        self.logs.len() > 1
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
