//! A case of the benchmark executable under perf.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use iai_callgrind::protocol::wire::{DIRECT, EMPTY, PERF, PERF_BRACKETS, PERF_MARKS};
use iai_callgrind::protocol::SERVER_VARIABLE;

use super::said::{indented, not_started, signal, spoken};
use super::{stop, PerfRun, Purpose};
use crate::error::{with_causes, Error, FileContext, FileOperationError, Result};
use crate::execute::deadline::Deadline;
use crate::execute::packets::{self, Conversation, ConversationEnd, SOCKET};
use crate::execute::running::Running;
use crate::execute::server::{flags, PATIENCE};
use crate::execute::valgrind::how;
use crate::execute::{working_directory, EndedProcess, ProcessEnd, ReturnFacts};
use crate::plan::{CountBegin, PlannedCase};
use base::tool::Execution;
use records::summary::Mode;

/// The conversation with the processes that perf started.
struct Told {
    /// Why it ended before the last benchmark did.
    lost: Option<ConversationEnd>,
    /// Number of commands that were sent.
    runs: u64,
    deadline: Option<Deadline>,
}

impl PerfRun<'_> {
    /// Runs a case once, or as long as perf repeats it.
    pub(super) fn of_case(&self, case: &PlannedCase) -> Result<EndedProcess> {
        // Signals and reasons are read from perf's output, which is complete only after its end.
        let place =
            working_directory::prepare(self.job.working_directory.as_ref(), self.directory)?;
        let (running, mut conversation) = self.start_case()?;
        let told = self.converse(case, place.directory(), &running, &mut conversation);
        let is_stopped = told.lost.is_none() && self.invocation.repeats().is_some();
        if is_stopped {
            stop(&running);
        } else if told.lost.is_some() {
            // The process may wait for a command for ever; if it has ended, this changes nothing.
            running.kill();
        }
        let status = running.wait()?;
        self.valgrind.processes.check()?;
        let said = self.said()?;
        let how = match (told.lost, is_stopped) {
            (None, true) => ProcessEnd::Returned,
            (None, false) => self.end_of_single_run(status, &conversation, &said),
            (Some(lost), _) => ProcessEnd::NotStarted(why_lost(&lost, told.runs, status, &said)),
        };
        let how = match told.deadline {
            Some(deadline) => deadline.judge(how),
            None => how,
        };
        Ok(EndedProcess {
            how: match how {
                // perf cannot tell functions apart.
                ProcessEnd::ReturnedWithRegions => ProcessEnd::Returned,
                how => how,
            },
            output: self.capture.read()?,
            mode: Mode::Direct,
            pid: None,
            cpu: None,
            at_return: ReturnFacts::default(),
            hooks: Vec::new(),
        })
    }

    /// Starts perf with the executable, which inherits a socket.
    fn start_case(&self) -> Result<(Running, Conversation)> {
        let target = &self.job.target;
        let messages = self.messages();
        let mut environment = self.job.environment.to_vec();
        environment.push((SERVER_VARIABLE.into(), SOCKET.to_string().into()));
        let streams = OpenOptions::new()
            .create(true)
            .write(true)
            .truncate(true)
            .open(&messages)
            .context("create", &messages)?;
        let mut command = self.command_line(environment, &target.directory);
        command
            .stdin(Stdio::null())
            .stdout(streams.try_clone().context("open", &messages)?)
            .stderr(streams);
        // The socket exists before perf starts, since the process inherits it.
        let conversation = Conversation::with(&mut command).map_err(|source| {
            Error::File(FileOperationError {
                action: "make a socket for",
                path: target.program.to_path_buf(),
                source,
            })
        })?;
        Ok((self.begin(command, SOCKET + 1)?, conversation))
    }

    /// Sends one command to each process that perf starts, all of which greet on the same socket.
    fn converse(
        &self,
        case: &PlannedCase,
        place: Option<&Path>,
        running: &Running,
        conversation: &mut Conversation,
    ) -> Told {
        let limit = self.limit();
        let patience = Some(limit.unwrap_or_default() + PATIENCE);
        let start = Instant::now();
        let mut told = Told {
            lost: None,
            runs: 0,
            deadline: None,
        };
        let mut talk = || -> std::result::Result<(), ConversationEnd> {
            loop {
                conversation.greeting(case, Execution::Native, patience)?;
                if told.deadline.is_none() {
                    let deadline = self.valgrind.processes.deadline(running.pid(), limit);
                    told.deadline = deadline.map_err(|error| with_causes(&error))?;
                }
                let repeats = self.invocation.repeats();
                // perf writes the counts of a repetition before it starts the next one.
                if told.runs > 0 && repeats.is_some_and(|time| start.elapsed() >= time) {
                    return Ok(());
                }
                let streams = self.capture.streams.both();
                // No pipe for the return: a repeated process tells its end on the socket.
                conversation.command(case, self.flags(), place, streams, streams[0])?;
                told.runs += 1;
                if repeats.is_none() {
                    return Ok(());
                }
                conversation.end()?;
            }
        };
        let lost = talk().err();
        Told { lost, ..told }
    }

    /// The time limit of the benchmark, with the time in which perf repeats it.
    fn limit(&self) -> Option<Duration> {
        let repeats = self.invocation.repeats().unwrap_or_default();
        self.job.timeout.map(|timeout| timeout + repeats)
    }

    fn flags(&self) -> u32 {
        let begin = match self.invocation.perf.begin {
            CountBegin::AtStart => 0,
            CountBegin::AtEntry => PERF_BRACKETS,
            CountBegin::AtMark => PERF_MARKS,
        };
        let empty = match self.invocation.purpose {
            Purpose::Calibrate(_) => EMPTY,
            _ => 0,
        };
        DIRECT | flags(self.job) | PERF | begin | empty
    }

    /// The end of a process that perf did not repeat.
    fn end_of_single_run(
        &self,
        status: ExitStatus,
        conversation: &Conversation,
        said: &str,
    ) -> ProcessEnd {
        match (signal(self.job, said), how(status)) {
            (Some(signal), _) => ProcessEnd::Signaled(signal),
            // An exit code alone is no proof.
            (None, ProcessEnd::Returned | ProcessEnd::ReturnedWithRegions)
                if conversation.end().is_err() =>
            {
                ProcessEnd::Exited(status.code().unwrap_or_default())
            }
            (None, how) => how,
        }
    }

    /// The file for the output of perf.
    fn messages(&self) -> PathBuf {
        self.directory.join("messages")
    }

    /// The output of perf, which the log gets as well.
    fn said(&self) -> Result<String> {
        let messages = self.messages();
        let said = fs::read(&messages).context("read", &messages)?;
        let said = String::from_utf8_lossy(&said).into_owned();
        let log = self.invocation.log(self.directory);
        let file = OpenOptions::new().append(true).create(true).open(&log);
        file.and_then(|mut file| file.write_all(spoken(&said).as_bytes()))
            .context("write", &log)?;
        Ok(said)
    }
}

/// The reason why a conversation ended.
fn why_lost(lost: &str, runs: u64, status: ExitStatus, said: &str) -> String {
    match runs {
        0 => not_started(&packets::with_status(lost, status), said),
        _ => format!(
            "run {runs} of those that perf repeats ended before the benchmark returned{}",
            indented(said)
        ),
    }
}
