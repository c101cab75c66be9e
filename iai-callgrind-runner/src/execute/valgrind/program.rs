//! A program of a binary benchmark under Valgrind.

use std::ffi::OsString;
use std::os::fd::RawFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus};

use super::ValgrindLauncher;
use crate::error::Result;
use crate::execute::capture::Capture;
use crate::execute::command::RunUnderTool;
use crate::execute::refusal::{self, StartOutput};
use crate::execute::running::Running;
use crate::execute::ProcessEnd;
use crate::plan::Job;

/// A run of a program under Valgrind.
pub(super) struct ProgramRun<'a> {
    pub(super) valgrind: &'a ValgrindLauncher<'a>,
    pub(super) job: &'a Job,
    /// The private directory of the job, in which the tool writes.
    pub(super) directory: &'a Path,
}

impl RunUnderTool for ProgramRun<'_> {
    fn command(&self, environment: Vec<(OsString, OsString)>, working: &Path) -> Result<Command> {
        let (job, directory) = (self.job, self.directory);
        self.valgrind
            .command(job, directory, environment, working, &[])
    }

    fn start(&self, command: Command, first: RawFd) -> Result<Running> {
        self.valgrind.begin(self.job, command, first)
    }

    fn pid_of_program(&self, running: &Running) -> Option<i32> {
        // Behind a tool runner the measured process has another id than the started one.
        let tool_runner = &self.valgrind.settings.tool_runner;
        tool_runner.is_none().then(|| running.pid())
    }

    fn wait(&self, running: Running) -> Result<(ProcessEnd, ExitStatus)> {
        // A program gives no sign to the runner: only the log shows that Valgrind has begun.
        self.valgrind
            .await_beginning(self.job, &running, self.directory, || false)?;
        let status = running.wait()?;
        if status.signal().is_some() {
            // The time limit of the benchmark may be the shorter one.
            self.valgrind.check_beginning(self.job, self.directory)?;
        }
        Ok((ProcessEnd::exited(status), status))
    }

    fn judge(&self, how: ProcessEnd, status: ExitStatus, capture: &Capture) -> Result<ProcessEnd> {
        // Valgrind opens its log before it looks at the program: only without one was it not
        // started.
        if refusal::has_log(self.directory)? {
            return Ok(how);
        }
        let text = format!("Valgrind did not start it ({status})");
        let said = capture.read()?;
        let said = String::from_utf8_lossy(&said);
        let said = StartOutput::InOutput(&said);
        let valgrind = self.valgrind.valgrind();
        refusal::not_started(self.job, valgrind, self.directory, &text, said)
    }
}
