//! The running processes, and the end of all of them when the runner is asked to stop.
//!
//! Every process is the leader of a group of its own, below a guardian. SIGINT, SIGTERM and SIGHUP
//! arrive in a thread of their own, which kills the groups; the main thread then sees its process
//! end, and leaves through its usual way out, where guards remove what lies on disk. A second
//! signal ends the runner at once. If the runner itself is killed, the guardians kill everything.

use std::fmt::Display;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{io, thread};

use nix::sys::signal::{kill, killpg, Signal};
use nix::unistd::Pid;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::deadline::{Deadline, PERIOD};
use super::guardian::{stand_above, Guardian};
use super::running::Running;
use crate::error::{Error, FileContext, FileOperationError, FileResult, Result};
use base::os::children;

/// Starts processes, and kills them when the runner is asked to stop.
#[derive(Debug, Clone)]
pub struct Processes(Arc<ProcessList>);

#[derive(Debug, Default)]
struct ProcessList {
    state: Mutex<State>,
    is_silent: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    /// Leaders of the running groups.
    groups: Vec<Pid>,
    /// Guardians, with the leaders below them.
    guardians: Vec<(Pid, Pid)>,
    /// Leaders that have ended well, of groups that a teardown may still need.
    held: Vec<Pid>,
    /// The signal that asked the runner to stop.
    interrupted: Option<i32>,
}

impl Processes {
    /// Begins to listen for signals.
    ///
    /// # Errors
    ///
    /// The handlers cannot be installed.
    pub fn listening() -> io::Result<Self> {
        adopt_orphans();
        let processes = Self(Arc::default());
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
        let listener = processes.clone();
        thread::Builder::new()
            .name("signals".into())
            .spawn(move || loop {
                let arrived = match listener.is_interrupted() {
                    false => signals.wait(),
                    // Whatever runs on may stop guardians and servers again and again.
                    true => {
                        thread::sleep(PERIOD);
                        listener.wake();
                        signals.pending()
                    }
                };
                for signal in arrived {
                    if !listener.interrupt(signal) {
                        // Ends the runner; if it fails, the first signal still ends the run.
                        let _ = signal_hook::low_level::emulate_default_handler(signal);
                    }
                }
            })?;
        Ok(processes)
    }

    /// Kills the running groups, at a second signal also those that wait for a teardown. Returns
    /// false at a second signal.
    pub(super) fn interrupt(&self, signal: i32) -> bool {
        let mut state = self.state();
        let first = state.interrupted.is_none();
        state.interrupted.get_or_insert(signal);
        let held = state.held.iter().filter(|_| !first);
        for group in state.groups.iter().chain(held) {
            // The group may have ended in this moment.
            let _ = killpg(*group, Signal::SIGKILL);
        }
        first
    }

    /// Continues guardians, and servers, that a benchmark may have stopped: a time limit and the
    /// end of a run need their answers.
    pub(super) fn wake(&self) {
        for (guardian, leader) in &self.state().guardians {
            for process in [guardian, leader] {
                // It may have ended in this moment; its number is not used again before the
                // guardian is dismissed.
                let _ = kill(*process, Signal::SIGCONT);
            }
        }
    }

    /// Returns an error if the runner was asked to stop.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`].
    pub fn check(&self) -> Result<()> {
        self.state()
            .interrupted
            .map_or(Ok(()), |signal| Err(Error::Interrupted(signal)))
    }

    /// Starts a process in a group of its own, for `owner`, a benchmark or a hook. After the runner
    /// was asked to stop only `When::Always` starts one.
    pub(super) fn start(
        &self,
        mut command: Command,
        when: When,
        owner: impl Display,
    ) -> Result<Running> {
        let program = command.get_program().into();
        let no_start = |source| {
            Error::File(FileOperationError {
                action: "start",
                path: program,
                source,
            })
        };
        // Under the lock, so that a signal sees every process that was started.
        let mut state = self.state();
        if let (Some(signal), When::NotStopped) = (state.interrupted, when) {
            return Err(Error::Interrupted(signal));
        }
        let started = stand_above(&mut command)
            .and_then(|socket| {
                let child = command.spawn()?;
                // Passed descriptors must be closed here before anyone waits for their end of file.
                drop(command);
                Guardian::of(child, socket)
            })
            .map_err(no_start)?;
        state.groups.push(started.leader());
        state.guardians.push((started.id(), started.leader()));
        Ok(Running::new(started, self.clone(), owner.to_string()))
    }

    /// Registers a group whose leader a server has started.
    pub(super) fn watch(&self, pid: i32) -> ProcessGroup {
        let pid = Pid::from_raw(pid);
        let mut state = self.state();
        state.groups.push(pid);
        if state.interrupted.is_some() {
            // The signal came before the process was registered.
            let _ = killpg(pid, Signal::SIGKILL);
        }
        drop(state);
        ProcessGroup {
            pid,
            processes: self.clone(),
            is_over: false,
        }
    }

    /// Begins a time limit for the group of a process.
    pub(super) fn deadline(
        &self,
        pid: i32,
        limit: Option<Duration>,
    ) -> FileResult<Option<Deadline>> {
        let start = |limit| Deadline::start(Pid::from_raw(pid), limit, self.clone());
        let deadline = limit.map(start);
        deadline
            .transpose()
            .context("start", Path::new("a clock for the time limit"))
    }

    /// From now on nothing is said of processes that are left, or it is again: a program that runs
    /// for its time was counted before.
    pub(super) fn be_silent(&self, is_silent: bool) {
        self.0.is_silent.store(is_silent, Ordering::Relaxed);
    }

    pub(super) fn is_silent(&self) -> bool {
        self.0.is_silent.load(Ordering::Relaxed)
    }

    /// Was the runner asked to stop?
    pub(super) fn is_interrupted(&self) -> bool {
        self.state().interrupted.is_some()
    }

    /// Keeps a group for a teardown: the first signal that asks the runner to stop does not kill it
    /// any more.
    pub(super) fn hold(&self, group: Pid) {
        let mut state = self.state();
        state.groups.retain(|other| *other != group);
        state.held.push(group);
    }

    /// From now on signals do not kill this group.
    pub(super) fn forget(&self, group: Pid) {
        let mut state = self.state();
        state.groups.retain(|other| *other != group);
        state.held.retain(|other| *other != group);
        state.guardians.retain(|(_, leader)| *leader != group);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Each change of the state is complete in itself.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes the runner a subreaper, which inherits the processes that a guardian leaves: the id of a
/// process that has ended is not reused before the runner has reaped it.
fn adopt_orphans() {
    if let Err(error) = children::adopt_orphans() {
        log::debug!("the runner cannot become a subreaper: {error}");
    }
}

/// A group of processes whose leader a server started. Killed when dropped.
#[derive(Debug)]
pub(super) struct ProcessGroup {
    pid: Pid,
    processes: Processes,
    /// The group has no members any more: its id may be reused soon.
    is_over: bool,
}

impl ProcessGroup {
    /// Ends the care for a group that has no members any more.
    pub(super) fn end_empty(mut self) {
        self.is_over = true;
    }

    /// The id of the group.
    pub(super) fn id(&self) -> Pid {
        self.pid
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        let mut state = self.processes.state();
        if !self.is_over {
            // The group may have ended in this moment.
            let _ = killpg(self.pid, Signal::SIGKILL);
        }
        state.groups.retain(|group| *group != self.pid);
    }
}

/// Time at which a process may be started: before or also after the runner was asked to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// Only before.
    NotStopped,
    /// Even after the runner was asked to stop: a teardown undoes the effects of its setup.
    Always,
}

/// The exit code, or the signal as `Err`.
pub(super) fn code_or_signal(status: ExitStatus) -> std::result::Result<i32, i32> {
    match status.code() {
        Some(code) => Ok(code),
        None => Err(status.signal().unwrap_or_default()),
    }
}
