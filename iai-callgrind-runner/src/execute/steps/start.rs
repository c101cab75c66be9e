//! Starts the executable as under a tool, but natively, and follows it through the measured
//! function.
//!
//! The process gets the command on a socket, as in `valgrind/direct.rs`: then heap, stack and
//! environment are those that the benchmark finds under Valgrind. It is stopped while it waits for
//! the command.

use std::fs::OpenOptions;
use std::os::fd::AsFd;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use iai_callgrind::protocol::wire::DIRECT;
use iai_callgrind::protocol::SERVER_VARIABLE;
use nix::errno::Errno;
use nix::unistd::Pid;

use super::{Entries, TraceResult};
use crate::error::{Error, FileContext, FileOperationError, Result};
use crate::execute::failure::how_text;
use crate::execute::packets::{Conversation, SOCKET};
use crate::execute::processes::When;
use crate::execute::running::Running;
use crate::execute::server::{flags, PATIENCE};
use crate::execute::valgrind::{how, surrounded};
use crate::execute::{padding, working_directory, ValgrindLauncher};
use crate::plan::{Job, PlannedCase};
use base::tool::Execution;
use steps::tunables::{like_valgrind, sizes};
use steps::{Stop, Trace, Tracee};

impl ValgrindLauncher<'_> {
    /// Executes a case in single steps, at most `most`.
    pub(crate) fn single_step(
        &self,
        job: &Job,
        case: &PlannedCase,
        entries: &Entries,
        most: u64,
        directory: &Path,
    ) -> Result<TraceResult> {
        // Breakpoints are set after the greeting, when the executable is in memory, and before the
        // command, which runs the measured function. The tracee is dropped before its end is waited
        // for: a traced process would stop once more.
        let place = working_directory::prepare(job.working_directory.as_ref(), directory)?;
        let (running, mut conversation) = self.start_natively(job, entries, directory)?;
        if let Err(lost) = conversation.greeting(case, Execution::Native, Some(PATIENCE)) {
            return Ok(Err(format!("the benchmark did not start: {lost}")));
        }
        let pid = Pid::from_raw(running.pid());
        let mut tracee = match Tracee::attach(pid) {
            Ok(tracee) => tracee,
            Err(error) => return Ok(Err(refused(error))),
        };
        let maps = tracee.maps();
        let address = |place: &u64| maps.address(&entries.executable, *place);
        let functions: Vec<u64> = entries.functions.iter().filter_map(address).collect();
        let regions: Vec<u64> = entries.regions.iter().filter_map(address).collect();
        if functions.is_empty() {
            let text = "no measured function was found in the memory of the process";
            return Ok(Err(text.to_owned()));
        }
        let streams = self.native_streams(directory)?;
        let mut trace = Trace::default();
        let mut follow = || -> std::result::Result<std::result::Result<(), Stop>, Errno> {
            tracee.break_at(&functions)?;
            tracee.go()?;
            let flags = DIRECT | flags(job);
            // No pipe for the return: the process is killed before.
            let streams = streams.each_ref().map(AsFd::as_fd);
            let sent = conversation.command(case, flags, place.directory(), streams, streams[0]);
            if sent.is_err() {
                // `Tracee::run` sees the end of the process.
                running.kill();
            }
            if let Err(stop) = tracee.run()? {
                return Ok(Err(stop));
            }
            let stopped = tracee.walk(&regions, most, &mut trace)?;
            trace.maps = tracee.maps();
            Ok(stopped.map_or(Ok(()), Err))
        };
        let outcome = follow();
        let entered = trace.steps > 0;
        drop(tracee);
        running.kill();
        running.wait()?;
        self.processes.check()?;
        Ok(match outcome {
            Ok(Ok(())) => Ok(trace),
            Ok(Err(stop)) => Err(text(stop, entered, most)),
            Err(error) => Err(format!("`ptrace` failed: {}", error.desc())),
        })
    }

    /// Starts the executable without Valgrind, which then waits for a command.
    #[expect(clippy::disallowed_methods, reason = "this stage starts processes")]
    fn start_natively(
        &self,
        job: &Job,
        entries: &Entries,
        directory: &Path,
    ) -> Result<(Running, Conversation)> {
        let working = &job.target.directory;
        let mut environment = job.environment.to_vec();
        environment.push((SERVER_VARIABLE.into(), SOCKET.to_string().into()));
        like_valgrind(&mut environment, self.sizes(entries));
        let mut environment = surrounded(environment, working);
        padding::pad(&mut environment, &job.target.program);
        let mut command = Command::new(&*job.target.program);
        let [stdout, stderr] = self.native_streams(directory)?;
        command
            .env_clear()
            .envs(environment)
            .stdin(Stdio::null())
            .stdout(stdout)
            .stderr(stderr);
        if working.is_dir() {
            command.current_dir(working);
        }
        let conversation = Conversation::with(&mut command).map_err(|source| {
            Error::File(FileOperationError {
                action: "make a socket for",
                path: job.target.program.to_path_buf(),
                source,
            })
        })?;
        self.prepare(job, &mut command, SOCKET + 1)?;
        let running = self
            .processes
            .start(command, When::NotStopped, &job.benchmark_path)?;
        Ok((running, conversation))
    }

    /// The cache sizes by which the C library chooses under Valgrind. Empty for a C library that
    /// does not list them.
    #[expect(clippy::disallowed_methods, reason = "this stage starts processes")]
    fn sizes(&self, entries: &Entries) -> &'static [String] {
        static SIZES: OnceLock<Vec<String>> = OnceLock::new();
        SIZES.get_or_init(|| {
            let Some(loader) = &entries.loader else {
                return Vec::new();
            };
            let mut command = Command::new(self.valgrind());
            command.args(["--tool=none", "--quiet"]).arg(loader);
            let output = command.arg("--list-tunables").stdin(Stdio::null()).output();
            let output = output.map(|output| output.stdout).unwrap_or_default();
            sizes(&String::from_utf8_lossy(&output))
        })
    }

    /// A file for the output, which is not shown: the run under Callgrind has shown the same.
    fn native_streams(&self, directory: &Path) -> Result<[std::os::fd::OwnedFd; 2]> {
        let path = directory.join("native");
        let open = || {
            let file = OpenOptions::new().create(true).append(true).open(&path);
            file.context("create", &path).map(Into::into)
        };
        Ok([open()?, open()?])
    }
}

/// Message for a process that cannot be traced.
fn refused(error: Errno) -> String {
    let mut text = format!(
        "a process cannot be traced here: `ptrace`: {}",
        error.desc()
    );
    if matches!(error, Errno::EPERM | Errno::EACCES | Errno::ENOSYS) {
        text +=
            "\n  hint: containers need the capability (`docker run --cap-add=SYS_PTRACE`), and \
                 `/proc/sys/kernel/yama/ptrace_scope` has to be 0 or 1";
    }
    text
}

/// Reason why the process did not come to the end of the function.
fn text(stop: Stop, entered: bool, most: u64) -> String {
    match stop {
        Stop::TooLong => format!(
            "it is too large to be executed in single steps: more than {most} instructions\n  \
             hint: `--verify=<number>` allows more, or take a smaller input"
        ),
        Stop::Exec => "the benchmark executed another program".to_owned(),
        Stop::Ended(status) | Stop::Reaped(status) if entered => {
            format!(
                "without Valgrind the benchmark {} before it returned",
                how_text(&how(status))
            )
        }
        Stop::Ended(status) | Stop::Reaped(status) => format!(
            "without Valgrind the process {} before the measured function began",
            how_text(&how(status))
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_forbids_has_a_hint() {
        assert_eq!(
            refused(Errno::EPERM).lines().next(),
            Some("a process cannot be traced here: `ptrace`: Operation not permitted")
        );
        assert!(refused(Errno::EPERM).contains("\n  hint: containers need the capability"));
        assert!(!refused(Errno::ESRCH).contains("hint"));
    }
}
