//! A case in a process of its own, and the start of the benchmark executable under Valgrind.

use std::fs::OpenOptions;
use std::os::fd::AsFd;
use std::path::Path;
use std::process::Stdio;

use iai_callgrind::protocol::wire::DIRECT;
use iai_callgrind::protocol::{ROLE_ARGUMENT, SERVER_VARIABLE};

use super::{how, ValgrindLauncher};
use crate::error::{Error, FileContext, FileOperationError, Result};
use crate::execute::capture::Capture;
use crate::execute::packets::{self, Conversation, ConversationEnd, Listener, SOCKET};
use crate::execute::refusal::{self, StartOutput};
use crate::execute::returned::ReturnPipe;
use crate::execute::running::Running;
use crate::execute::server::{flags, PATIENCE};
use crate::execute::{working_directory, EndedProcess, ReturnFacts};
use crate::plan::{Job, PlannedCase};
use base::tool::Execution;
use cli::ShownStreams;
use records::summary::Mode;

/// A process with the runner's end of its socket, if the process has taken the other end.
pub(super) struct Process {
    pub(super) running: Running,
    pub(super) conversation: Result<Conversation, ConversationEnd>,
}

impl ValgrindLauncher<'_> {
    /// Runs a job in a process of its own.
    pub(super) fn direct(
        &self,
        job: &Job,
        case: &PlannedCase,
        directory: &Path,
        capture: &Capture,
    ) -> Result<EndedProcess> {
        let messages = directory.join("messages");
        // A tool runner prints messages about this benchmark, which belong to its output.
        let with_output = self.settings.tool_runner.is_some() && job.shown != ShownStreams::None;
        let streams = match with_output {
            true => capture.streams()?,
            false => to_file(&messages)?,
        };
        let place = working_directory::prepare(job.working_directory.as_ref(), directory)?;
        let returned = ReturnPipe::new()?;
        let Process {
            running,
            conversation,
        } = self.start(job, directory, streams, &[])?;
        let pid = running.pid();
        // The time of a benchmark does not include the start of Valgrind.
        let patience = job.timeout.map(|timeout| timeout + PATIENCE);
        let started = conversation.and_then(|mut conversation| {
            conversation.greeting(case, Execution::Simulated, patience)?;
            let pid = conversation.command(
                case,
                DIRECT | flags(job),
                place
                    .directory()
                    .map(|path| self.seen(job, directory).path(path))
                    .as_deref(),
                capture.streams.both(),
                returned.there.as_fd(),
            )?;
            // Behind a tool runner the benchmark has another id than the started process.
            Ok((conversation, pid))
        });
        let deadline = self.processes.deadline(pid, job.timeout)?;
        if started.is_err() {
            // The process may wait for a command for ever; if it has ended, this changes nothing.
            running.kill();
        }
        let status = running.wait()?;
        self.processes.check()?;
        let (how, pid, at_return) = match started {
            Err(lost) => {
                let said = match with_output {
                    true => capture.whole()?,
                    false => std::fs::read(&messages).context("read", &messages)?,
                };
                let said = String::from_utf8_lossy(&said);
                let text = packets::with_status(&lost, status);
                let said = match with_output {
                    true => StartOutput::InOutput(&said),
                    false => StartOutput::Alone(&said),
                };
                let how = refusal::not_started(job, self.valgrind(), directory, &text, said)?;
                (how, None, ReturnFacts::default())
            }
            Ok((conversation, pid)) => {
                let end = returned.judge(how(status), conversation.sequence());
                let how = deadline.map_or(end.how.clone(), |deadline| deadline.judge(end.how));
                (how, Some(pid), end.facts)
            }
        };
        Ok(EndedProcess {
            how,
            output: capture.read()?,
            mode: Mode::Direct,
            pid,
            cpu: None,
            at_return,
            hooks: Vec::new(),
        })
    }

    /// Starts the benchmark executable under Valgrind. `stdout` and `stderr` receive messages until
    /// the benchmark gets streams of its own; `further` are arguments for Valgrind that decide
    /// about no figure.
    pub(super) fn start(
        &self,
        job: &Job,
        directory: &Path,
        [stdout, stderr]: [Stdio; 2],
        further: &[String],
    ) -> Result<Process> {
        let no_socket = |source| {
            Error::File(FileOperationError {
                action: "make a socket for",
                path: job.target.program.to_path_buf(),
                source,
            })
        };
        let mut environment = job.environment.to_vec();
        if self.settings.tool_runner.is_none() {
            environment.push((SERVER_VARIABLE.into(), SOCKET.to_string().into()));
        }
        let mut command =
            self.command(job, directory, environment, &job.target.directory, further)?;
        command.stdin(Stdio::null()).stdout(stdout).stderr(stderr);
        if self.settings.tool_runner.is_none() {
            let conversation = Conversation::with(&mut command).map_err(no_socket)?;
            let running = self.begin(job, command, SOCKET + 1)?;
            // A program that is no Valgrind may start the benchmark, which then says so.
            self.await_beginning(job, &running, directory, || conversation.has_begun())?;
            return Ok(Process {
                running,
                conversation: Ok(conversation),
            });
        }
        // Neither descriptors nor variables may come through to the process.
        let listener = Listener::in_directory(directory).map_err(no_socket)?;
        let seen = self.seen(job, directory).path(listener.path());
        command.args([ROLE_ARGUMENT, "serve"]).arg(seen);
        let running = self.begin(job, command, SOCKET)?;
        let patience = job.timeout.unwrap_or_default() + PATIENCE;
        let conversation = Conversation::from(&listener, &running, patience);
        Ok(Process {
            running,
            conversation,
        })
    }
}

/// stdout and stderr for a process whose messages are wanted after a failure only.
pub(super) fn to_file(path: &Path) -> Result<[Stdio; 2]> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    let file = file.context("create", path)?;
    let copy = file.try_clone().context("open", path)?;
    Ok([file.into(), copy.into()])
}
