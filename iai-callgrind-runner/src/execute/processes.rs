//! The running processes, and the end of all of them when the runner is asked to stop.
//!
//! Every process is the leader of a group of its own. SIGINT, SIGTERM and SIGHUP arrive in a thread
//! of their own, which kills the groups; the main thread then sees its process end, and leaves
//! through its usual way out, where guards remove what lies on disk. A second signal ends the runner
//! at once. If the runner itself is killed, the kernel kills the leaders.
//!
//! The kernel takes the thread that started a process for its parent. So one thread that lives as long
//! as the runner starts all processes, whichever thread wants them.

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{channel, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{io, thread};

use nix::errno::Errno;
use nix::sys::signal::{killpg, Signal};
use nix::sys::wait::{waitid, Id, WaitPidFlag, WaitStatus};
use nix::unistd::{getppid, Pid};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::deadline::Deadline;
use crate::error::{Error, Result};

/// Options to wait for the end of a process without reaping it: until it is reaped, its id belongs to no
/// other process, so its group can be killed safely.
const STAYS: WaitPidFlag = WaitPidFlag::WEXITED.union(WaitPidFlag::WNOWAIT);

/// Starts processes, and kills them when the runner is asked to stop.
#[derive(Debug, Clone)]
pub struct Processes(Arc<ProcessList>);

#[derive(Debug)]
struct ProcessList {
    state: Mutex<State>,
    /// To the thread that starts processes.
    starter: Sender<Request>,
}

/// A command to start, and the channel for its process.
type Request = (Command, Sender<io::Result<Child>>);

#[derive(Debug, Default)]
struct State {
    /// Leaders of the running groups.
    groups: Vec<Pid>,
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
        let (starter, commands) = channel::<Request>();
        thread::Builder::new()
            .name("starter".into())
            .spawn(move || {
                for (mut command, answer) in commands {
                    let child = command.spawn();
                    // Passed descriptors must be closed here before anyone waits for their end of file.
                    drop(command);
                    // The receiver waits for this answer.
                    let _ = answer.send(child);
                }
            })?;
        let processes = Self(Arc::new(ProcessList {
            state: Mutex::default(),
            starter,
        }));
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
        let listener = processes.clone();
        thread::Builder::new()
            .name("signals".into())
            .spawn(move || {
                for signal in signals.forever() {
                    if !listener.interrupt(signal) {
                        // Ends the runner; if it fails, the first signal still ends the run.
                        let _ = signal_hook::low_level::emulate_default_handler(signal);
                    }
                }
            })?;
        Ok(processes)
    }

    /// Kills the running groups, at a second signal also those that wait for a teardown. Returns false at a
    /// second signal.
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

    /// Starts a process in a group of its own. After the runner was asked to stop only `When::Always`
    /// starts one.
    pub(super) fn start(&self, mut command: Command, when: When) -> Result<Running> {
        die_with_parent(&mut command);
        // Under the lock, so that a signal sees every process that was started.
        let mut state = self.state();
        if let (Some(signal), When::NotStopped) = (state.interrupted, when) {
            return Err(Error::Interrupted(signal));
        }
        let program = command.get_program().into();
        let child = self.spawn(command).map_err(|source| Error::File {
            action: "start",
            path: program,
            source,
        })?;
        let group = Pid::from_raw(child.id() as i32);
        state.groups.push(group);
        Ok(Running {
            child,
            group,
            processes: self.clone(),
            reaped: false,
        })
    }

    /// Sends the command to the thread that starts processes.
    fn spawn(&self, command: Command) -> io::Result<Child> {
        let (answer, answers) = channel();
        let gone = |_| io::Error::other("the thread that starts processes is gone");
        self.0
            .starter
            .send((command, answer))
            .map_err(|_| gone(()))?;
        answers.recv().map_err(|_| gone(()))?
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
        }
    }

    /// Begins a time limit for the group of a process.
    pub(super) fn deadline(&self, pid: i32, limit: Option<Duration>) -> Option<Deadline> {
        limit.map(|limit| Deadline::start(Pid::from_raw(pid), limit))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Each change of the state is complete in itself.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Puts the child into a group of its own and has it killed when the runner dies.
fn die_with_parent(command: &mut Command) {
    command.process_group(0);
    let runner = Pid::this();
    let prepare = move || {
        #[cfg(target_os = "linux")]
        nix::sys::prctl::set_pdeathsig(Signal::SIGKILL)?;
        if getppid() != runner {
            return Err(io::Error::other("the runner is gone"));
        }
        Ok(())
    };
    // SAFETY: only system calls that are safe between fork and exec.
    unsafe { command.pre_exec(prepare) };
}

/// A process that the runner started. Killed with its group when dropped.
#[derive(Debug)]
pub(super) struct Running {
    child: Child,
    group: Pid,
    processes: Processes,
    reaped: bool,
}

/// A group of processes whose leader a server started. Killed when dropped.
#[derive(Debug)]
pub(super) struct ProcessGroup {
    pid: Pid,
    processes: Processes,
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        let mut state = self.processes.state();
        // Often the group is empty.
        let _ = killpg(self.pid, Signal::SIGKILL);
        state.groups.retain(|group| *group != self.pid);
    }
}

/// Time at which a process may be started: before or also after the runner was asked to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// Only before.
    NotStopped,
    /// Also afterwards: a teardown undoes what its setup has done.
    Always,
}

impl Running {
    /// The id of the process, which is that of its group.
    pub(super) fn pid(&self) -> i32 {
        self.group.as_raw()
    }

    /// Kills the group of the process.
    pub(super) fn kill(&self) {
        // The group may have ended in this moment.
        let _ = killpg(self.group, Signal::SIGKILL);
    }

    /// Waits for the end of the process, and kills the rest of its group: no process of a benchmark
    /// remains.
    pub(super) fn wait(mut self) -> Result<ExitStatus> {
        let reaped = self.reap();
        reaped.map_err(|source| self.cannot_wait(source))
    }

    /// Takes note that the process was reaped elsewhere: `ptrace` reports its end to the tracer first.
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    pub(super) fn was_reaped(mut self) {
        self.reaped = true;
        let mut state = self.processes.state();
        // Often the group has no other members.
        let _ = killpg(self.group, Signal::SIGKILL);
        state.groups.retain(|group| *group != self.group);
    }

    /// Waits for the end of the process. The rest of its group runs on until this is dropped: a setup may
    /// start a server.
    pub(super) fn ended(&self) -> Result<ExitStatus> {
        loop {
            if let Some(status) = self.look(WaitPidFlag::empty())? {
                return Ok(status);
            }
        }
    }

    /// The status of the process. `None`: it runs.
    pub(super) fn has_ended(&self) -> Result<Option<ExitStatus>> {
        self.look(WaitPidFlag::WNOHANG)
    }

    fn look(&self, how: WaitPidFlag) -> Result<Option<ExitStatus>> {
        let status = loop {
            match waitid(Id::Pid(self.group), how | STAYS) {
                Ok(status) => break status,
                Err(Errno::EINTR) => {}
                Err(error) => return Err(self.cannot_wait(error.into())),
            }
        };
        Ok(match status {
            WaitStatus::Exited(_, code) => Some(ExitStatus::from_raw((code & 0xff) << 8)),
            WaitStatus::Signaled(_, signal, _) => Some(ExitStatus::from_raw(signal as i32)),
            _ => None,
        })
    }

    /// Keeps the rest of the group for a teardown: the first signal that asks the runner to stop does not
    /// kill it any more.
    pub(super) fn hold(&self) {
        let mut state = self.processes.state();
        state.groups.retain(|group| *group != self.group);
        state.held.push(self.group);
    }

    fn cannot_wait(&self, source: io::Error) -> Error {
        Error::File {
            action: "wait for",
            path: format!("process {}", self.group).into(),
            source,
        }
    }

    fn reap(&mut self) -> io::Result<ExitStatus> {
        while let Err(error) = waitid(Id::Pid(self.group), STAYS) {
            if error != Errno::EINTR {
                return Err(error.into());
            }
        }
        let mut state = self.processes.state();
        // Often the group has no other members.
        let _ = killpg(self.group, Signal::SIGKILL);
        state.groups.retain(|group| *group != self.group);
        state.held.retain(|group| *group != self.group);
        drop(state);
        self.reaped = true;
        self.child.wait()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.reaped {
            self.kill();
            let _ = self.reap();
        }
    }
}

/// The exit code, or the signal as `Err`.
pub(super) fn code_or_signal(status: ExitStatus) -> std::result::Result<i32, i32> {
    match status.code() {
        Some(code) => Ok(code),
        None => Err(status.signal().unwrap_or_default()),
    }
}
