//! Files that one run of a tool wrote, with their counters and logs.
//!
//! In: a private directory. Out: the counters of each process that belongs to the benchmark, and
//! Valgrind's logs.

use std::borrow::Cow;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::error::FileContext;
use crate::execute::{self, FinishedRun, JobFailure};
use crate::plan::Job;
use base::listed_directory::{list, Listed};
use base::tool::{self, CountedUnit, Execution, Tool, ToolFile};
use formats::log::{self, Log};
use formats::FileError;
use metrics::readers::{CounterSets, Selection, ToolReader};
use metrics::{processes, while_it_ran, CounterSet, MeasuredProcess};

/// The files of one run.
pub(crate) struct ToolFiles {
    pub(super) outs: Vec<OutFile>,
    pub(super) logs: Vec<(PathBuf, Log)>,
    /// Files that are kept, but not read.
    pub(super) others: Vec<(PathBuf, ToolFile, u32)>,
    /// An output file is empty, such as on a full disk.
    pub(super) empty: bool,
    /// The files are those of a run that has just ended, not recorded or kept ones.
    pub(super) live: bool,
    /// Processes that the benchmark started and whose results are damaged, with the reason. Their
    /// files are not in `others`.
    pub(super) spoiled: Vec<(u32, String)>,
    /// Processes that count as a whole, although only a part of them ran in the benchmark function.
    pub(super) across: Vec<u32>,
}

/// Is this an empty file without further hard links?
fn is_empty(path: &Path) -> bool {
    let data = path.symlink_metadata();
    data.is_ok_and(|data| data.is_file() && data.len() == 0 && data.nlink() == 1)
}

/// The number of a process, if it is known, and its counters.
pub(super) type ProcessCounters<'a> = (Option<u32>, Cow<'a, [CounterSet]>);

/// An output file that is not empty.
pub(super) struct OutFile {
    pub(super) path: PathBuf,
    pub(super) pid: u32,
    pub(super) sets: Result<Vec<CounterSet>, FileError>,
}

impl ToolFiles {
    /// Reads everything that the tool wrote. Empty output files are normal: Callgrind makes one
    /// and writes into others when there are several threads.
    ///
    /// If the process that ran the benchmark is known, files of processes that do not descend from
    /// it are left out: strays of earlier benchmarks.
    ///
    /// `selection`: the part of the files that counts.
    pub(super) fn read(
        job: &Job,
        run: &FinishedRun,
        selection: Selection<'_>,
    ) -> Result<Self, JobFailure> {
        let (directory, root) = (run.path(), run.ended.pid);
        let mut files = Self {
            outs: Vec::new(),
            logs: Vec::new(),
            others: Vec::new(),
            empty: false,
            live: root.is_some(),
            spoiled: Vec::new(),
            across: Vec::new(),
        };
        // Sorted, so that `out.7-01` comes right after `out.7`.
        let listed = list(directory).context("list", directory)?;
        let mut names = listed.iter().peekable();
        while let Some(Listed { name, .. }) = names.next() {
            let path = directory.join(name);
            // Callgrind makes a file without a number and leaves it empty, if it writes others with
            // one.
            let next = names.peek().and_then(|next| next.name.strip_prefix(name));
            let may_be_empty = next.is_some_and(|number| number.starts_with('-'));
            if may_be_empty && is_empty(&path) {
                files.empty = true;
            } else if let Some((file, pid)) = execute::file_of_process(name) {
                files.add(job.tool, path, file, pid, selection);
            }
        }
        files.outs.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        files.logs.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        files.others.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        if let Some(root) = root.and_then(|root| u32::try_from(root).ok()) {
            files.keep_family(root);
            if job.args.count_threads {
                files.keep_while_function_ran(root);
            }
        }
        if !job.args.traces_children() {
            files.leave_out_other_programs();
        }
        if job.args.count_threads {
            files.keep_until_return();
        }
        Ok(files)
    }

    fn add(
        &mut self,
        tool: Tool,
        path: PathBuf,
        file: ToolFile,
        pid: u32,
        selection: Selection<'_>,
    ) {
        match (file, ToolReader::of(tool)) {
            // Not a log of Valgrind.
            (ToolFile::Log, _) if tool::row(tool).execution == Execution::Native => {
                self.others.push((path, file, pid));
            }
            (ToolFile::Out, ToolReader::Out(read)) => {
                let sets = read(&path, selection);
                self.add_out(path, pid, sets);
            }
            // An unreadable log is treated as a missing one.
            (ToolFile::Log, _) => self.add_log(path),
            _ => self.others.push((path, file, pid)),
        }
    }

    fn add_out(&mut self, path: PathBuf, pid: u32, sets: CounterSets) {
        let Some(sets) = sets.transpose() else {
            self.empty = true;
            return;
        };
        self.outs.push(OutFile { path, pid, sets });
    }

    fn add_log(&mut self, path: PathBuf) {
        match log::read_file(&path) {
            Ok(Some(log)) => self.logs.push((path, log)),
            _ => self.empty = true,
        }
    }

    /// Leaves out the counters of threads before the benchmark and after it had returned. A file
    /// can hold several parts.
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

    /// The lines of Valgrind about an end that is not normal.
    pub(super) fn fatal(&self) -> Vec<String> {
        self.logs
            .iter()
            .flat_map(|(_, log)| log.fatal.iter().cloned())
            .collect()
    }

    /// The counters of every process, with the process.
    pub(super) fn of_processes(&self, tool: Tool) -> Vec<ProcessCounters<'_>> {
        match ToolReader::of(tool) {
            ToolReader::Out(_) => {
                let readable = self.outs.iter().flat_map(|out| {
                    let sets = out.sets.as_ref().ok()?;
                    Some((Some(out.pid), Cow::Borrowed(sets.as_slice())))
                });
                readable.collect()
            }
            ToolReader::Log(of_log) => {
                let whole = self.logs.iter();
                whole
                    .filter_map(|(_, log)| Some((log.pid, of_log(log)?.into())))
                    .collect()
            }
        }
    }

    /// The output file of the process that ran the benchmark.
    pub(super) fn out_of_root(&self) -> Option<&Path> {
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
    pub(super) fn sets(&self, tool: Tool) -> Vec<CounterSet> {
        let processes = self.of_processes(tool).into_iter();
        processes.flat_map(|(_, sets)| sets.into_owned()).collect()
    }

    /// The processes, each with its counters.
    pub(super) fn processes(&self, tool: Tool) -> Vec<MeasuredProcess> {
        if tool::row(tool).counted_unit != CountedUnit::Process {
            return Vec::new();
        }
        let sets = self
            .of_processes(tool)
            .into_iter()
            .flat_map(|(pid, sets)| sets.into_owned().into_iter().map(move |set| (pid, set)));
        processes::of_run(sets, self.logs.iter().map(|(_, log)| log))
    }

    /// The commands of all processes. `None`: there is no log, or one does not say its command.
    pub(crate) fn commands(&self) -> Option<Vec<&[u8]>> {
        let logs = self.logs.iter();
        let commands: Option<Vec<_>> = logs.map(|(_, log)| log.command.as_deref()).collect();
        commands.filter(|commands| !commands.is_empty())
    }

    pub(super) fn several_processes(&self) -> bool {
        self.logs.len() > 1
    }
}
