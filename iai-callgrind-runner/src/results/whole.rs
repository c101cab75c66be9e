//! Whether the files of a run hold its whole result.

use super::tool_files::OutFile;
use super::ToolFiles;
use crate::execute::JobFailure;
use crate::plan::{Backend, Job};

impl ToolFiles {
    /// Fails unless the files hold the whole result.
    pub(super) fn check_whole(&mut self, job: &Job) -> Result<(), JobFailure> {
        match &job.backend {
            Backend::Valgrind => self.check_processes(job),
            Backend::Perf(perf) => self.check_event_sets(perf),
        }
    }

    /// Fails if the result of the process that was started is missing, damaged or not complete.
    fn check_processes(&mut self, job: &Job) -> Result<(), JobFailure> {
        let tool = job.tool.id();
        let nothing = if self.empty {
            JobFailure::Incomplete { tool }
        } else {
            JobFailure::NoResult { tool }
        };
        let Some(root) = self.root().and_then(|log| log.pid) else {
            return Err(nothing);
        };
        // Only the root's file decides: the others cost the figures of their process, with a note.
        let is_bad = |out: &OutFile| out.pid == root && out.sets.is_err();
        if let Some(index) = self.outs.iter().position(is_bad) {
            if let Err(error) = self.outs.swap_remove(index).sets {
                return Err(error.into());
            }
        }
        let processes = self.of_processes(job.tool);
        let of_root = processes.iter().filter(|(pid, _)| *pid == Some(root));
        let mut sets = of_root.flat_map(|(_, sets)| sets.iter()).peekable();
        if sets.peek().is_none() {
            return Err(nothing);
        }
        if sets.any(|set| set.incomplete) {
            return Err(JobFailure::Incomplete { tool });
        }
        self.leave_out_spoiled();
        Ok(())
    }

    /// Leaves out damaged files of child processes: they spoil the figures of these processes only.
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
}
