//! The files of a run that are kept: their content and their names.

use std::collections::BTreeSet;
use std::fs;

use iai_callgrind::protocol::SanitizeOutput;

use super::tool_files::OutFile;
use super::ToolFiles;
use crate::error::FileContext;
use crate::execute::JobFailure;
use crate::plan::Job;
use base::tool::{self, CountedUnit, Tool, ToolFile};
use formats::log::Log;
use formats::FileError;
use metrics::readers::{dhat, Selection};
use metrics::CounterSet;
use records::layout::FileName;
use store::NewFile;

impl ToolFiles {
    /// Files to keep, with their names and reduced to the part that counts.
    ///
    /// Comes last: until then, readers need everything that the tool wrote.
    pub(crate) fn kept(
        mut self,
        job: &Job,
        selection: Selection<'_>,
    ) -> Result<Vec<NewFile>, JobFailure> {
        // Contents first, at the paths of the tool, of which `named` makes the list for the move.
        self.sanitize(job, selection)?;
        self.condense(job)?;
        Ok(self.named(job))
    }

    /// Reduces DHAT's files to the points that count, if the job asks for it.
    fn sanitize(&mut self, job: &Job, selection: Selection<'_>) -> Result<(), JobFailure> {
        let keeps_all = job.sanitize == SanitizeOutput::No || selection.is_everything();
        if job.tool != Tool::Dhat || keeps_all {
            return Ok(());
        }
        for OutFile { path, pid, .. } in &self.outs {
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

    /// The names under which the files are kept.
    fn named(&self, job: &Job) -> Vec<NewFile> {
        let stem = job.benchmark_path.stem();
        if tool::row(job.tool).counted_unit == CountedUnit::EventSet {
            return self.named_by_event_set(job, &stem);
        }
        // Only then names have the numbers of processes, which differ from run to run.
        let several = self.several_processes();
        let first = self.outs.iter().filter_map(|out| {
            let sets = out.sets.as_ref().ok()?;
            Some((out, sets.first()?))
        });
        let first: Vec<(&OutFile, &CounterSet)> = first.collect();
        let numbers = Numbers::of(first.iter().map(|(_, set)| *set));
        let name = |pid: u32, file, thread, part| FileName {
            tool: job.tool,
            stem: &stem,
            pid: Some(pid).filter(|_| several),
            thread,
            part,
            file,
        };
        let outs = first.iter().map(|(out, set)| {
            let (thread, part) = numbers.of_set(set).unzip();
            NewFile {
                path: out.path.clone(),
                name: name(out.pid, ToolFile::Out, thread, part).current(),
            }
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

    /// The names of files that have the number of their event set, if there are several.
    fn named_by_event_set(&self, job: &Job, stem: &str) -> Vec<NewFile> {
        let several = self.outs.len() > 1;
        let outs = self
            .outs
            .iter()
            .map(|out| (&out.path, ToolFile::Out, out.pid));
        let others = self
            .others
            .iter()
            .map(|(path, file, part)| (path, *file, *part));
        let files = outs.chain(others).map(|(path, file, part)| {
            let name = FileName {
                tool: job.tool,
                stem,
                pid: None,
                thread: None,
                part: several.then(|| padded(u64::from(part), self.outs.len())),
                file,
            };
            NewFile {
                path: path.clone(),
                name: name.current(),
            }
        });
        files.collect()
    }
}

/// Numbers of threads and dumps that occur in the files of a run.
struct Numbers {
    threads: usize,
    parts: usize,
}

impl Numbers {
    fn of<'a>(sets: impl Iterator<Item = &'a CounterSet> + Clone) -> Self {
        let threads: BTreeSet<u64> = sets.clone().map(|set| set.thread.unwrap_or(1)).collect();
        let parts: BTreeSet<u64> = sets.map(|set| set.part.unwrap_or(1)).collect();
        Self {
            threads: threads.len(),
            parts: parts.len(),
        }
    }

    /// Thread and dump for the name of a file; a single file has none.
    fn of_set(&self, set: &CounterSet) -> Option<(String, String)> {
        let several = self.threads > 1 || self.parts > 1;
        several.then(|| {
            (
                padded(set.thread.unwrap_or(1), self.threads),
                padded(set.part.unwrap_or(1), self.parts),
            )
        })
    }
}

/// Name of a log: one for each process, without thread and dump.
pub(super) fn log_name(job: &Job, log: &Log, several: bool) -> String {
    let name = FileName {
        tool: job.tool,
        stem: &job.benchmark_path.stem(),
        pid: log.pid.filter(|_| several),
        thread: None,
        part: None,
        file: ToolFile::Log,
    };
    name.current()
}

/// Number with as many digits as the largest of `count` numbers has.
fn padded(number: u64, count: usize) -> String {
    format!("{number:0width$}", width = count.to_string().len())
}
