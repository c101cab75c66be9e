//! The files that one run of a tool wrote, read and named.
//!
//! In: a private directory. Out: whether the result is whole, the counters, what the user should know
//! about them, and the names under which the files are kept.

use std::fs;
use std::path::{Path, PathBuf};

use iai_callgrind::protocol::SanitizeOutput;

use crate::error::FileContext;
use crate::execute::{self, Failure, Found};
use crate::parse::log::{self, Amount, Log};
use crate::parse::FileError;
use crate::plan::Job;
use crate::process::{self, Process};
use crate::store::{Entry, FileName, NewFile};
use crate::summary::Environment;
use crate::tool::{self, Tool, ToolFile};
use crate::units::{self, Selection, Source, Unit};

/// The files of one run.
pub(crate) struct Collected {
    outs: Vec<Out>,
    logs: Vec<(PathBuf, Log)>,
    /// Files that are kept, but not read.
    others: Vec<(PathBuf, ToolFile, u32)>,
    /// There is a file with nothing in it, such as on a full disk.
    empty: bool,
}

/// An output file with something in it.
struct Out {
    path: PathBuf,
    pid: u32,
    units: Result<Vec<Unit>, FileError>,
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
        job: &Job,
        directory: &Path,
        root: Option<i32>,
        regions: bool,
    ) -> Result<Self, Failure> {
        let selection = job.selection(regions);
        let mut collected = Self {
            outs: Vec::new(),
            logs: Vec::new(),
            others: Vec::new(),
            empty: false,
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
        if let Some(root) = root.and_then(|root| u32::try_from(root).ok()) {
            collected.keep_family(root);
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
        match (file, &tool::row(tool).source) {
            (ToolFile::Out, Source::Out(read)) => match read(&path, selection).transpose() {
                Some(units) => self.outs.push(Out { path, pid, units }),
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

    /// The counters of every process, with the process.
    fn of_processes(&self, tool: Tool) -> Vec<(Option<u32>, Vec<Unit>)> {
        match tool::row(tool).source {
            Source::Out(_) => {
                let readable = self.outs.iter().flat_map(|out| {
                    let units = out.units.as_ref().ok()?;
                    Some((Some(out.pid), units.clone()))
                });
                readable.collect()
            }
            Source::Log(of_log) => {
                let whole = self.logs.iter();
                whole
                    .filter_map(|(_, log)| Some((log.pid, of_log(log)?)))
                    .collect()
            }
        }
    }

    /// The counters of every process, thread and part.
    pub(crate) fn units(&self, tool: Tool) -> Vec<Unit> {
        let processes = self.of_processes(tool).into_iter();
        processes.flat_map(|(_, units)| units).collect()
    }

    /// Reduces DHAT's files to what counts, if they are to be.
    pub(crate) fn sanitize(&mut self, job: &Job, selection: Selection<'_>) -> Result<(), Failure> {
        let keeps_all = job.sanitize == SanitizeOutput::No || selection.is_everything();
        if job.tool != Tool::Dhat || keeps_all {
            return Ok(());
        }
        for Out { path, pid, .. } in &self.outs {
            let bytes = fs::read(path).context("read", path)?;
            let reduced = units::reduced_dhat(&bytes, selection).map_err(|source| FileError {
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

    /// The processes, each with its units.
    pub(crate) fn processes(&self, tool: Tool) -> Vec<Process> {
        let units = self
            .of_processes(tool)
            .into_iter()
            .flat_map(|(pid, units)| units.into_iter().map(move |unit| (pid, unit)));
        process::of_run(units, self.logs.iter().map(|(_, log)| log))
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
        let is_bad = |out: &Out| out.pid == root && out.units.is_err();
        if let Some(index) = self.outs.iter().position(is_bad) {
            if let Err(error) = self.outs.swap_remove(index).units {
                return Err(error.into());
            }
        }
        let processes = self.of_processes(job.tool);
        let of_root = processes.iter().filter(|(pid, _)| *pid == Some(root));
        let mut units = of_root.flat_map(|(_, units)| units).peekable();
        if units.peek().is_none() {
            return Err(nothing);
        }
        if units.any(|unit| unit.incomplete) {
            return Err(Failure::Incomplete { tool });
        }
        Ok(())
    }

    /// What is in the figures, or is not, without being visible in them.
    pub(crate) fn notes(&self, job: &Job) -> Vec<String> {
        let mut notes = Vec::new();
        let root = self.root().and_then(|log| log.pid);
        let processes = self.of_processes(job.tool);
        if job.tool == Tool::Callgrind && !job.args.entry.is_empty() {
            notes.extend(not_counted(root, &processes));
        }
        for note in processes
            .iter()
            .flat_map(|(_, units)| units)
            .flat_map(|unit| &unit.notes)
        {
            if !notes.contains(note) {
                notes.push(note.clone());
            }
        }
        notes.extend(self.logs.iter().filter_map(|(_, log)| lost_silently(log)));
        for (_, log) in &self.logs {
            if log.pid != root && !processes.iter().any(|(pid, _)| *pid == log.pid) {
                let command = String::from_utf8_lossy(log.command.as_deref().unwrap_or_default());
                notes.push(format!(
                    "the process `{command}` was killed, its counts are missing"
                ));
            }
        }
        notes
    }

    /// What error tools found, one for each log with errors in it.
    pub(crate) fn found(&self, job: &Job, entry: &Entry) -> Vec<Found> {
        let several = self.several_processes();
        let mut found = Vec::new();
        for (_, log) in &self.logs {
            let Some(errors) = log.errors.filter(|errors| errors.errors > 0) else {
                continue;
            };
            let name = log_name(job, log, several);
            found.push(Found {
                errors: errors.errors,
                contexts: errors.contexts,
                log: entry.directory().join(name),
                lost: lost(log),
                records: log.records.clone(),
            });
        }
        found
    }

    pub(crate) fn environment(&self, job: &Job) -> Environment {
        let units = self.units(job.tool);
        Environment {
            valgrind_version: self.root().and_then(|log| log.version.clone()),
            valgrind_args: job.args.words.clone(),
            caches: units
                .into_iter()
                .next()
                .map(|unit| unit.caches)
                .unwrap_or_default(),
        }
    }

    fn several_processes(&self) -> bool {
        self.logs.len() > 1
    }

    /// The names under which the files are kept.
    pub(crate) fn files(&self, job: &Job) -> Vec<NewFile> {
        let stem = job.identity.stem();
        let several = self.several_processes();
        let first = self.outs.iter().filter_map(|out| {
            let units = out.units.as_ref().ok()?;
            Some((out, units.first()?))
        });
        let first: Vec<(&Out, &Unit)> = first.collect();
        let distinct = |number: fn(&Unit) -> u64| {
            let mut all: Vec<u64> = first.iter().map(|(_, unit)| number(unit)).collect();
            all.sort_unstable();
            all.dedup();
            all.len()
        };
        let threads = distinct(|unit| unit.thread.unwrap_or(1));
        let parts = distinct(|unit| unit.part.unwrap_or(1));
        let number = |value: Option<u64>, count: usize| {
            (threads > 1 || parts > 1).then(|| padded(value.unwrap_or(1), count))
        };
        let name = |pid: u32, file, thread, part| FileName {
            tool: job.tool,
            stem: &stem,
            pid: Some(pid).filter(|_| several),
            thread,
            part,
            file,
        };
        let outs = first.iter().map(|(out, unit)| NewFile {
            path: out.path.clone(),
            name: name(
                out.pid,
                ToolFile::Out,
                number(unit.thread, threads),
                number(unit.part, parts),
            )
            .current(),
        });
        let logs = self.logs.iter().map(|(path, log)| NewFile {
            path: path.clone(),
            name: log_name(job, log, several),
        });
        let others = self.others.iter().map(|(path, file, pid)| {
            // exp-bbv writes `out.<pid>.<thread>` for threads after the first.
            let thread = path.extension().and_then(|number| number.to_str());
            let thread = thread.filter(|number| **number != pid.to_string());
            NewFile {
                path: path.clone(),
                name: name(*pid, *file, thread.map(str::to_owned), None).current(),
            }
        });
        outs.chain(logs).chain(others).collect()
    }
}

/// The name of a log: it has no threads and parts.
fn log_name(job: &Job, log: &Log, several: bool) -> String {
    let name = FileName {
        tool: job.tool,
        stem: &job.identity.stem(),
        pid: log.pid.filter(|_| several),
        thread: None,
        part: None,
        file: ToolFile::Log,
    };
    name.current()
}

/// The memory that a process lost, by how certain that is.
fn lost(log: &Log) -> Vec<(String, Amount)> {
    let leaks = log.heap.leaks.iter();
    let lost = leaks.filter(|(kind, amount)| kind.ends_with(" lost") && amount.blocks > 0);
    lost.cloned().collect()
}

/// Lost memory is no error unless Memcheck is to search for it, but worth a word.
fn lost_silently(log: &Log) -> Option<String> {
    let is_error = log.errors.is_some_and(|errors| errors.errors > 0);
    let (_, amount) = lost(log)
        .into_iter()
        .find(|(kind, _)| kind == "definitely lost" && !is_error)?;
    Some(format!(
        "{} bytes in {} blocks are definitely lost; `--memcheck-args=--leak-check=full` says where \
         they were allocated",
        amount.bytes, amount.blocks
    ))
}

/// With as many digits as the largest of `count` numbers has.
fn padded(number: u64, count: usize) -> String {
    format!("{number:0width$}", width = count.to_string().len())
}

/// Threads and processes that ran inside of the entry point and counted nothing.
fn not_counted(root: Option<u32>, processes: &[(Option<u32>, Vec<Unit>)]) -> Vec<String> {
    let silent = |units: &[Unit]| units.iter().filter(|unit| unit.is_zero()).count();
    let silent_threads = |units: &[Unit]| {
        let threads = units.iter().filter(|unit| unit.thread > Some(1));
        threads.filter(|unit| unit.is_zero()).count()
    };
    let all = processes.iter();
    let threads: usize = all.map(|(_, units)| silent_threads(units)).sum();
    let others = processes.iter().filter(|(pid, _)| *pid != root);
    let children: usize = others.map(|(_, units)| silent(units)).sum();
    let mut notes = Vec::new();
    let of_threads = "`Callgrind::default().count_threads(true)` counts all threads";
    let of_processes = "`--toggle-collect=<function>` with a function of the process counts it";
    for (count, what, how) in [
        (threads, "thread", of_threads),
        (children, "process", of_processes),
    ] {
        if count > 0 {
            notes.push(format!(
                "{} ran inside the benchmark and {} not counted; {how}",
                counted(count, what),
                if count == 1 { "was" } else { "were" },
            ));
        }
    }
    notes
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
