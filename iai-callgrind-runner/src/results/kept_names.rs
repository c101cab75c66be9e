//! The names under which the files of a run are kept.

use super::tool_files::Out;
use super::Collected;
use crate::metrics::CounterSet;
use crate::parse::log::Log;
use crate::plan::Job;
use crate::store::{FileName, NewFile};
use crate::tool::{Tool, ToolFile};

impl Collected {
    /// The names under which the files are kept.
    pub(crate) fn files(&self, job: &Job) -> Vec<NewFile> {
        let stem = job.identity.stem();
        let several = self.several_processes();
        let first = self.outs.iter().filter_map(|out| {
            let sets = out.sets.as_ref().ok()?;
            Some((out, sets.first()?))
        });
        let first: Vec<(&Out, &CounterSet)> = first.collect();
        let distinct = |number: fn(&CounterSet) -> u64| {
            let mut all: Vec<u64> = first.iter().map(|(_, set)| number(set)).collect();
            all.sort_unstable();
            all.dedup();
            all.len()
        };
        let threads = distinct(|set| set.thread.unwrap_or(1));
        let parts = distinct(|set| set.part.unwrap_or(1));
        let number = |value: Option<u64>, count: usize| {
            (threads > 1 || parts > 1).then(|| padded(value.unwrap_or(1), count))
        };
        if job.tool == Tool::Perf {
            return self.files_of_perf(&stem);
        }
        let name = |pid: u32, file, thread, part| FileName {
            tool: job.tool,
            stem: &stem,
            pid: Some(pid).filter(|_| several),
            thread,
            part,
            file,
        };
        let outs = first.iter().map(|(out, set)| NewFile {
            path: out.path.clone(),
            name: name(
                out.pid,
                ToolFile::Out,
                number(set.thread, threads),
                number(set.part, parts),
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

impl Collected {
    /// perf's files have the number of their event set, if there are several.
    fn files_of_perf(&self, stem: &str) -> Vec<NewFile> {
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
                tool: Tool::Perf,
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

/// The name of a log: it has no threads and parts.
pub(super) fn log_name(job: &Job, log: &Log, several: bool) -> String {
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

/// With as many digits as the largest of `count` numbers has.
fn padded(number: u64, count: usize) -> String {
    format!("{number:0width$}", width = count.to_string().len())
}
