//! A process that the runner started, until its end and that of everything below it.

use std::fmt::Display;
use std::io;
use std::process::ExitStatus;

use nix::sys::signal::{killpg, Signal};
use nix::unistd::Pid;

use super::guardian::Guardian;
use super::processes::{ProcessGroup, Processes};
use crate::error::{Error, FileOperationError, Result};
use time::ProcessTimes;

/// A process that the runner started. Killed, with everything below it, when dropped.
#[derive(Debug)]
pub(super) struct Running {
    guardian: Guardian,
    processes: Processes,
    /// The benchmark or hook that it runs for.
    owner: String,
}

impl Running {
    pub(super) fn new(guardian: Guardian, processes: Processes, owner: String) -> Self {
        Self {
            guardian,
            processes,
            owner,
        }
    }

    /// The id of the process, which is that of its group.
    pub(super) fn pid(&self) -> i32 {
        self.group().as_raw()
    }

    fn group(&self) -> Pid {
        self.guardian.leader()
    }

    /// Kills the group of the process.
    pub(super) fn kill(&self) {
        // The group may have ended in this moment.
        let _ = killpg(self.group(), Signal::SIGKILL);
    }

    /// Waits for the end of the process, and ends everything that it left running.
    pub(super) fn wait(self) -> Result<ExitStatus> {
        let status = self.ended()?;
        self.end()?;
        Ok(status)
    }

    /// Waits for the end of the process. What it left runs on until this is dropped: a setup may
    /// start a server.
    pub(super) fn ended(&self) -> Result<ExitStatus> {
        self.guardian
            .wait()
            .map_err(|source| self.cannot("wait for", source))
    }

    /// Times of the process, once it has ended.
    pub(super) fn times(&self) -> Option<ProcessTimes> {
        self.guardian.times()
    }

    /// The status of the process. `None`: it runs.
    pub(super) fn has_ended(&self) -> Result<Option<ExitStatus>> {
        self.guardian
            .has_ended()
            .map_err(|source| self.cannot("wait for", source))
    }

    /// Keeps the processes that this one left for a teardown: the first signal that asks the runner
    /// to stop does not kill them any more.
    pub(super) fn hold(&self) {
        self.processes.hold(self.group());
    }

    /// Ends the process and everything that it left running.
    pub(super) fn end(mut self) -> Result<()> {
        self.warn_of_daemons(self.group(), &self.owner);
        self.dismiss()
            .map_err(|source| self.cannot("end what is left of", source))
    }

    /// Ends the processes that the leader of a group left: a fork of this process that has ended
    /// and belonged to `owner`.
    pub(super) fn end_fork(&self, group: ProcessGroup, owner: impl Display) -> Result<()> {
        let left = self.guardian.left_behind();
        // Most benchmarks leave nothing, and then the guardian need not be asked.
        if left.is_some_and(|left| left.is_empty()) {
            group.end_empty();
            return Ok(());
        }
        self.warn_of_daemons(group.id(), &owner);
        // Kills the group, the only processes that are reached where the kernel has no list of
        // children.
        drop(group);
        self.guardian
            .sweep()
            .map_err(|source| self.cannot("end what is left of", source))
    }

    /// Warns of running processes outside of this group: their author may not know that they are
    /// ended.
    fn warn_of_daemons(&self, group: Pid, owner: &dyn Display) {
        if self.processes.is_interrupted() || self.processes.is_silent() {
            return;
        }
        let left = self.guardian.left_behind().unwrap_or_default();
        if let Some(daemons) = left.outside_of(group) {
            log::warn!("{owner} left {daemons} running in the background, which was ended");
        }
    }

    fn dismiss(&mut self) -> io::Result<()> {
        // First: once the guardian has ended, the id of the group may be that of another process.
        self.processes.forget(self.group());
        self.guardian.dismiss()
    }

    fn cannot(&self, action: &'static str, source: io::Error) -> Error {
        Error::File(FileOperationError {
            action,
            path: format!("process {}", self.group()).into(),
            source,
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Its end cannot be waited for a second time.
        let _ = self.dismiss();
    }
}
