//! Selects the processes that belong to a benchmark from those with files.
//!
//! In: the logs of a directory, which name the parents. Out: the process that was started, and no
//! files of processes that do not count.

use std::path::PathBuf;

use super::ToolFiles;
use formats::log::Log;

impl ToolFiles {
    /// The process that was started, as opposed to its children.
    pub(super) fn root(&self) -> Option<&Log> {
        let pids: Vec<Option<u32>> = self.logs.iter().map(|(_, log)| log.pid).collect();
        let mut roots = self.logs.iter().map(|(_, log)| log);
        // Its parent is no process of the benchmark, so no log tells of it.
        roots.find(|log| !pids.contains(&log.parent_pid))
    }

    /// Leaves out the files of processes that are neither this one nor its descendants.
    pub(super) fn keep_family(&mut self, root: u32) {
        let family = descendants(root, &self.logs);
        self.outs.retain(|out| family.contains(&out.pid));
        self.logs
            .retain(|(_, log)| log.pid.is_some_and(|pid| family.contains(&pid)));
        self.others.retain(|(_, _, pid)| family.contains(pid));
    }

    /// Leaves out the logs of children that became programs without Valgrind.
    ///
    /// Valgrind opens the log of a child when it forks, and leaves the process when the child calls
    /// `exec`: the log has a header and nothing else. The process would give the files of the
    /// others names with process ids, which differ from run to run.
    pub(super) fn leave_out_other_programs(&mut self) {
        let root = self.root().and_then(|log| log.pid);
        // One child after the other: the parent of a process that counts has to stay.
        while let Some(index) = self.logs.iter().position(|(_, log)| {
            log.pid != root && log.has_header_only() && !self.has_more_than_log(log)
        }) {
            self.logs.remove(index);
        }
    }

    /// Does the process have other files than its log, or children?
    fn has_more_than_log(&self, log: &Log) -> bool {
        let is_it = |pid: u32| log.pid == Some(pid);
        self.outs.iter().any(|out| is_it(out.pid))
            || self.others.iter().any(|(_, _, pid)| is_it(*pid))
            || self
                .logs
                .iter()
                .any(|(_, other)| other.parent_pid.is_some_and(is_it))
    }
}

/// A process and everything that it started, directly or not.
fn descendants(root: u32, logs: &[(PathBuf, Log)]) -> Vec<u32> {
    let mut family = vec![root];
    let mut next = 0;
    // The list grows while it is walked: children of children are found in later rounds.
    while let Some(parent) = family.get(next).copied() {
        let children = logs.iter().map(|(_, log)| log);
        let children = children.filter(|log| log.parent_pid == Some(parent));
        family.extend(children.filter_map(|log| log.pid));
        next += 1;
    }
    family
}
