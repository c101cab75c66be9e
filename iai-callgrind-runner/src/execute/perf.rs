//! Runs jobs under Linux perf: each event set in runs of its own, without another process beside it.
//!
//! perf reads commands on a pipe and acknowledges them on another, so the measured process itself
//! switches the counters around the benchmark function. With `-r 0` perf repeats the process until
//! it is stopped. perf does not tell the end of one process among many: a case sends a message when it
//! returns, and a program runs once before, without repetition, so that its end is known.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::fd::{OwnedFd, RawFd};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::PoisonError;
use std::thread;
use std::time::{Duration, Instant};

use iai_callgrind::protocol::wire::{DIRECT, EMPTY, PERF_CONTROL, PERF_OWN_CONTROL};
use iai_callgrind::protocol::{PERF_VARIABLE, SERVER_VARIABLE};
use nix::sys::signal::{kill, Signal};
use nix::unistd::Pid;

use super::capture::Capture;
use super::descriptors::{out_of_the_way, pass_on};
use super::failure::how_text;
use super::packets::{self, Conversation, SOCKET};
use super::processes::{Running, When};
use super::server::{flags, PATIENCE};
use super::valgrind::{how, surrounded};
use super::{padding, working_directory, EndedProcess, ProcessEnd, ValgrindLauncher};
use crate::error::{Error, FileContext, Result};
use crate::parse;
use crate::plan::{Case, CountBegin, Job, Mode, PerfSettings, Subject};
use crate::shell_line::words_of;
use crate::tool::{Execution, ToolFile};

/// Interval of the looks at the out-file of perf.
const LOOK: Duration = Duration::from_millis(5);

/// Descriptor of the log in the measured process.
const LOG: RawFd = 104;

/// One run of perf.
#[derive(Debug, Clone, Copy)]
pub(super) struct Invocation<'a> {
    perf: &'a PerfSettings,
    purpose: Purpose,
    /// The number of the event set, from 1.
    part: usize,
    events: &'a str,
}

/// Purpose of a run of perf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Figures of the result, from one run.
    Count,
    /// Figures of the result, from as many runs as there are in this time.
    Sample(Duration),
    /// Costs of the measurement itself, from as many runs of an empty benchmark as there are in this time.
    Calibrate(Duration),
    /// End of the program, which perf does not tell when it repeats it.
    Check,
    /// Samples of `perf record`.
    Record,
}

/// Name of the file with the figures of an empty benchmark.
pub(crate) fn calibration(part: usize) -> String {
    format!("calibration.{part:03}")
}

impl Invocation<'_> {
    /// Out-file of perf.
    fn output(&self, directory: &Path) -> PathBuf {
        let part = self.part;
        let name = match self.purpose {
            Purpose::Count | Purpose::Sample(_) => format!("{}{part:03}", ToolFile::Out.prefix()),
            Purpose::Calibrate(_) => calibration(part),
            Purpose::Check => format!("check.{part:03}"),
            Purpose::Record => format!("{}{part:03}", ToolFile::Data.prefix()),
        };
        directory.join(name)
    }

    /// Log of the run: command and process id, what the measured process writes, and perf's messages.
    fn log(&self, directory: &Path) -> PathBuf {
        let prefix = match self.purpose {
            Purpose::Count | Purpose::Sample(_) => ToolFile::Log.prefix(),
            Purpose::Calibrate(_) | Purpose::Check => "other.",
            Purpose::Record => ToolFile::RecordLog.prefix(),
        };
        directory.join(format!("{prefix}{:03}", self.part))
    }

    /// Time in which perf repeats the command. `None`: it does not.
    fn repeats(&self) -> Option<Duration> {
        match self.purpose {
            Purpose::Sample(duration) | Purpose::Calibrate(duration) => Some(duration),
            Purpose::Count | Purpose::Check | Purpose::Record => None,
        }
    }

    /// The arguments of perf, up to the program.
    fn arguments(&self, job: &Job, directory: &Path) -> Vec<OsString> {
        let mut words: Vec<OsString> = Vec::new();
        let [control, answer] = PERF_OWN_CONTROL;
        let record = self.purpose == Purpose::Record;
        words.push(if record { "record" } else { "stat" }.into());
        // Without the pipes, also if unused, perf may lose the exit code of a command that ends early.
        words.push(format!("--control=fd:{control},{answer}").into());
        if self.perf.begin != CountBegin::AtStart {
            words.push("--delay=-1".into());
        }
        words.push(format!("--event={}", self.events).into());
        let of_record = self.perf.record.as_deref().unwrap_or_default();
        let user = if record { of_record } else { &job.args.words };
        words.extend(user.iter().map(OsString::from));
        if !record {
            words.extend(["--no-big-num", "-j"].map(OsString::from));
            if self.repeats().is_some() {
                words.extend(["-r", "0"].map(OsString::from));
            }
        }
        let mut output = OsString::from("--output=");
        output.push(self.output(directory));
        words.push(output);
        words
    }
}

impl ValgrindLauncher<'_> {
    /// Runs a job under perf, once for each event set and purpose.
    pub(super) fn under_perf(
        &self,
        job: &Job,
        perf: &PerfSettings,
        directory: &Path,
        capture: &Capture,
    ) -> Result<EndedProcess> {
        let program = match &self.host.perf {
            Ok(program) => program,
            Err(reason) => return Ok(EndedProcess::not_started(job, reason.clone())),
        };
        if self.settings.tool_runner.is_some() {
            let reason = "perf does not run behind `--tool-runner`, which passes no descriptors on";
            return Ok(EndedProcess::not_started(job, reason.to_owned()));
        }
        // perf measures alone. Of each event set the runs follow in the order of `purposes`: the check of a
        // program comes before its repetition, which cannot tell how the program ended, and the recording
        // comes last, since the figures do not need it.
        let _alone = self.alone.write().unwrap_or_else(PoisonError::into_inner);
        let mut outcome = EndedProcess::not_started(job, "there is no event set".to_owned());
        for (index, events) in perf.event_sets.iter().enumerate() {
            let mut of_result = None;
            for purpose in purposes(perf, &job.target.subject) {
                let invocation = Invocation {
                    perf,
                    purpose,
                    part: index + 1,
                    events,
                };
                let ended = match &job.target.subject {
                    Subject::Case(case) => {
                        self.perf_of_case(program, job, case, &invocation, directory, capture)?
                    }
                    Subject::Command(command) => {
                        self.around_command(job, command, directory, capture, Some(&invocation))?
                    }
                };
                let is_repeated = invocation.repeats().is_some();
                let once = Invocation {
                    purpose: Purpose::Check,
                    ..invocation
                };
                let once = once.output(directory);
                if matches!(ended.how, ProcessEnd::NotStarted(_)) && is_repeated && once.is_file() {
                    // perf 7 does not repeat a program that ends by a signal.
                    log::warn!(
                        "{}: perf does not repeat it: {}",
                        job.benchmark_path,
                        how_text(&ended.how)
                    );
                    fs::copy(&once, invocation.output(directory)).context("copy", &once)?;
                    continue;
                }
                if !ended.hooks.is_empty() || (is_repeated && ended.how != ProcessEnd::Returned) {
                    return self.alone_or(program, job, invocation, directory, capture, ended);
                }
                let is_end = matches!(
                    ended.how,
                    ProcessEnd::Returned | ProcessEnd::Exited(_) | ProcessEnd::Signaled(_)
                );
                match (purpose, &job.target.subject) {
                    // Repeated processes do not tell their end; the run of `Purpose::Check` before did.
                    (Purpose::Sample(_), Subject::Command(_)) | (Purpose::Calibrate(_), _) => {}
                    // The figures are there; a failed recording is no failure of the benchmark.
                    (Purpose::Record, _) if !is_end => {
                        log::warn!(
                            "{}: `perf record` {}",
                            job.benchmark_path,
                            how_text(&ended.how)
                        );
                    }
                    _ => {
                        let differs = of_result.as_ref().is_some_and(|how| *how != ended.how);
                        of_result = Some(ended.how.clone());
                        outcome = ended;
                        if !is_end || differs {
                            return Ok(outcome);
                        }
                    }
                }
            }
        }
        Ok(outcome)
    }

    /// Runs a case once, to find out the end of a repeated process that failed. If the case returns now,
    /// the outcome remains `unknown`.
    fn alone_or(
        &self,
        program: &Path,
        job: &Job,
        invocation: Invocation<'_>,
        directory: &Path,
        capture: &Capture,
        unknown: EndedProcess,
    ) -> Result<EndedProcess> {
        let once = Invocation {
            purpose: Purpose::Check,
            ..invocation
        };
        match (&job.target.subject, &unknown.how) {
            (Subject::Case(case), ProcessEnd::NotStarted(_)) => {
                let ended = self.perf_of_case(program, job, case, &once, directory, capture)?;
                Ok(match ended.how {
                    ProcessEnd::Returned => unknown,
                    _ => ended,
                })
            }
            _ => Ok(unknown),
        }
    }

    /// The command line of perf, up to the program.
    #[expect(clippy::disallowed_methods, reason = "this stage starts processes")]
    pub(super) fn perf_command(
        &self,
        program: &Path,
        job: &Job,
        invocation: &Invocation<'_>,
        directory: &Path,
        mut environment: Vec<(OsString, OsString)>,
        working: &Path,
    ) -> Command {
        if invocation.perf.begin == CountBegin::AtMark {
            environment.push((PERF_VARIABLE.into(), "1".into()));
        }
        let mut command = Command::new(program);
        command
            .args(invocation.arguments(job, directory))
            .arg(&job.target.program);
        let mut environment = surrounded(environment, working);
        padding::pad(&mut environment, &job.target.program);
        command.env_clear().envs(environment);
        if let Some(path) = Some(working).filter(|path| path.is_dir()) {
            command.current_dir(path);
        }
        command
    }

    /// Starts a command of perf. Of the descriptors from `first` on it inherits its pipes and its log only.
    pub(super) fn begin_perf(
        &self,
        job: &Job,
        invocation: &Invocation<'_>,
        directory: &Path,
        mut command: Command,
        first: RawFd,
    ) -> Result<Running> {
        let log = invocation.log(directory);
        let line = words_of(command.get_program(), command.get_args());
        let text = format!("Command: {line}\n");
        #[cfg(target_os = "linux")]
        if !job.single_cpu {
            super::affinity::on_fast_processors(&mut command)
                .context("choose processors for", &job.target.program)?;
        }
        self.prepare(job, &mut command, first)?;
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&log)
            .context("create", &log)?;
        file.write_all(text.as_bytes()).context("write", &log)?;
        let copy = file.try_clone().context("open", &log)?;
        let passed = passed(copy.into());
        let passed = passed.context("make", Path::new("the pipes for perf"))?;
        pass_on(&mut command, passed);
        let running = self.processes.start(command, When::NotStopped)?;
        let text = format!("Pid: {}\nPart: {}\n\n", running.pid(), invocation.part);
        file.write_all(text.as_bytes()).context("write", &log)?;
        Ok(running)
    }

    /// Runs a case of the benchmark executable.
    fn perf_of_case(
        &self,
        program: &Path,
        job: &Job,
        case: &Case,
        invocation: &Invocation<'_>,
        directory: &Path,
        capture: &Capture,
    ) -> Result<EndedProcess> {
        // The socket exists before perf starts, since the process inherits it. The loop sends one command
        // for each repetition, all of which greet on this socket. Signals and reasons are read from perf's
        // output, which is complete only after its end.
        let messages = directory.join("messages");
        let place = working_directory::prepare(job.working_directory.as_ref(), directory)?;
        let mut environment = job.environment.clone();
        environment.push((SERVER_VARIABLE.into(), SOCKET.to_string().into()));
        let streams = OpenOptions::new()
            .create(true)
            .write(true)
            .truncate(true)
            .open(&messages)
            .context("create", &messages)?;
        let working = &job.target.directory;
        let mut command =
            self.perf_command(program, job, invocation, directory, environment, working);
        command
            .stdin(Stdio::null())
            .stdout(streams.try_clone().context("open", &messages)?)
            .stderr(streams);
        let mut conversation = Conversation::with(&mut command).map_err(|source| Error::File {
            action: "make a socket for",
            path: job.target.program.clone(),
            source,
        })?;
        let running = self.begin_perf(job, invocation, directory, command, SOCKET + 1)?;
        let pid = running.pid();
        let limit = job
            .timeout
            .map(|timeout| timeout + invocation.repeats().unwrap_or_default());
        let mut flags = DIRECT | flags(job);
        if matches!(invocation.purpose, Purpose::Calibrate(_)) {
            flags |= EMPTY;
        }
        let patience = Some(limit.unwrap_or_default() + PATIENCE);
        let mut deadline = None;
        let start = Instant::now();
        let mut runs = 0_u64;
        let told = loop {
            if let Err(lost) = conversation.greeting(case, Execution::Native, patience) {
                break Err(lost);
            }
            deadline = deadline.or_else(|| self.processes.deadline(pid, limit));
            if let Some(duration) = invocation.repeats() {
                // perf writes the counts of a repetition before it starts the next one.
                if runs > 0 && start.elapsed() >= duration {
                    break Ok(());
                }
            }
            let streams = &capture.descriptors;
            // No pipe for the return: a repeated process tells its end on the socket.
            let given = conversation.command(case, flags, place.directory(), streams, &streams[0]);
            if let Err(lost) = given {
                break Err(lost);
            }
            runs += 1;
            if invocation.repeats().is_none() {
                break Ok(());
            }
            if let Err(lost) = conversation.end() {
                break Err(lost);
            }
        };
        let ended = match (&told, invocation.repeats()) {
            (Ok(()), None) => None,
            (Ok(()), Some(_)) => {
                stop(&running);
                Some(ProcessEnd::Returned)
            }
            (Err(_), _) => {
                // The process may wait for a command for ever; if it has ended, this changes nothing.
                running.kill();
                None
            }
        };
        let status = running.wait()?;
        self.processes.check()?;
        let said = fs::read(&messages).context("read", &messages)?;
        let said = String::from_utf8_lossy(&said).into_owned();
        append(&invocation.log(directory), &spoken(&said))?;
        let how = match (told, ended) {
            (_, Some(how)) => how,
            (Err(lost), None) if runs == 0 => {
                let text = packets::with_status(&lost, status);
                ProcessEnd::NotStarted(not_started(&text, &said))
            }
            (Err(_), None) => ProcessEnd::NotStarted(format!(
                "run {runs} of those that perf repeats ended before the benchmark returned{}",
                indented(&said)
            )),
            (Ok(()), None) => match (signal(job, &said), how(status)) {
                (Some(signal), _) => ProcessEnd::Signaled(signal),
                // An exit code alone is no proof.
                (None, ProcessEnd::Returned | ProcessEnd::ReturnedWithRegions)
                    if conversation.end().is_err() =>
                {
                    ProcessEnd::Exited(status.code().unwrap_or_default())
                }
                (None, how) => how,
            },
        };
        let how = match deadline {
            Some(deadline) => deadline.judge(how),
            None => how,
        };
        Ok(EndedProcess {
            how: match how {
                // perf cannot tell functions apart.
                ProcessEnd::ReturnedWithRegions => ProcessEnd::Returned,
                how => how,
            },
            output: capture.read()?,
            mode: Mode::Direct,
            pid: None,
            hooks: Vec::new(),
        })
    }

    /// Waits for the end of a program under perf, or of the time in which perf repeats it.
    pub(super) fn end_of_program(
        &self,
        invocation: &Invocation<'_>,
        directory: &Path,
        running: Running,
    ) -> Result<(ProcessEnd, ExitStatus)> {
        let Some(duration) = invocation.repeats() else {
            let status = running.wait()?;
            return Ok((ProcessEnd::exited(status), status));
        };
        let output = invocation.output(directory);
        let length = || fs::metadata(&output).map_or(0, |data| data.len());
        let start = Instant::now();
        let mut last = length();
        while running.has_ended()?.is_none() {
            thread::sleep(LOOK);
            let now = length();
            // The first record has to be whole: perf writes it in one piece with the comment before it.
            if start.elapsed() >= duration && now > 0 && (now == last || has_two_runs(&output)) {
                stop(&running);
                return Ok((ProcessEnd::Returned, running.wait()?));
            }
            last = now;
        }
        let status = running.wait()?;
        Ok((ProcessEnd::exited(status), status))
    }

    /// The end of a program under perf. `output`: output of perf and of the program.
    pub(super) fn judge_program(
        job: &Job,
        invocation: &Invocation<'_>,
        directory: &Path,
        (how, status): (ProcessEnd, ExitStatus),
        output: &[u8],
    ) -> ProcessEnd {
        let said = String::from_utf8_lossy(output);
        let written = fs::read(invocation.output(directory)).unwrap_or_default();
        // perf opens its file only when it knows all events, and may run the program all the same.
        if !written.contains(&b'{') && invocation.purpose != Purpose::Record {
            let text = format!("perf did not run it ({status})");
            return ProcessEnd::NotStarted(not_started(&text, &said));
        }
        signal(job, &said).map_or(how, ProcessEnd::Signaled)
    }
}

/// The runs of perf for one event set, in their order.
fn purposes(perf: &PerfSettings, subject: &Subject) -> Vec<Purpose> {
    let mut purposes = Vec::new();
    purposes.extend(perf.calibration.map(Purpose::Calibrate));
    match (perf.sampling, subject) {
        (Some(duration), Subject::Case(_)) => purposes.push(Purpose::Sample(duration)),
        (Some(duration), Subject::Command(_)) => {
            purposes.extend([Purpose::Check, Purpose::Sample(duration)]);
        }
        (None, _) => purposes.push(Purpose::Count),
    }
    if perf.record.is_some() {
        purposes.push(Purpose::Record);
    }
    purposes
}

/// Has perf written more than the first run, so that this is whole? A run at the end that is cut does not
/// count. Programs may be so short that perf never stops writing.
fn has_two_runs(output: &Path) -> bool {
    let written = parse::perf::read_file(output);
    written.is_ok_and(|profile| profile.is_some_and(|profile| profile.groups().len() > 1))
}

/// Ends perf after it has written its counts. The process that it started is killed with its group.
fn stop(running: &Running) {
    // perf may have ended in this moment.
    let _ = kill(Pid::from_raw(running.pid()), Signal::SIGTERM);
}

/// The signal that ended the program. perf prints its name in the words of the C library behind the name
/// of the program; its exit code does not tell.
fn signal(job: &Job, said: &str) -> Option<i32> {
    signal_of(&job.target.program.to_string_lossy(), said)
}

fn signal_of(program: &str, said: &str) -> Option<i32> {
    let last = said.lines().rev().find(|line| !line.trim().is_empty())?;
    let text = last.strip_prefix(program)?.strip_prefix(": ")?;
    (1..=64).find(|number| {
        // SAFETY: returns a text that ends with a NUL. perf's jobs run one at a time, so no other thread
        // calls it.
        let known = unsafe {
            let text = libc::strsignal(*number);
            (!text.is_null()).then(|| std::ffi::CStr::from_ptr(text).to_bytes())
        };
        known == Some(text.trim_end().as_bytes())
    })
}

/// Message for a benchmark that perf did not run: the end of perf (`how`), its output, and a hint.
fn not_started(how: &str, said: &str) -> String {
    let mut text = format!("{how}{}", indented(said));
    if said.contains("perf_event_paranoid")
        || said.contains("Permission")
        || said.contains("permission")
    {
        text += "\n  hint: the kernel allows more with `sudo sysctl kernel.perf_event_paranoid=1`, and \
                 in containers with the capability CAP_PERFMON; events with `:u` need least";
    }
    if said.contains("event syntax error") || said.contains("perf list") {
        text += "\n  hint: `perf list` names the events of this machine";
    }
    text
}

fn indented(said: &str) -> String {
    let said = spoken(said);
    let lines = said.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| format!("\n  {line}")).collect()
}

/// Output of perf without the lines that it prints whenever its counters are switched.
fn spoken(said: &str) -> String {
    let lines = said.lines();
    let lines = lines.filter(|line| !matches!(*line, "Events disabled" | "Events enabled"));
    lines.map(|line| format!("{line}\n")).collect()
}

fn append(path: &Path, text: &str) -> Result<()> {
    let file = OpenOptions::new().append(true).create(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .context("write", path)
}

/// Descriptors for perf and the process, with their numbers: two pipes, and the log.
fn passed(log: OwnedFd) -> io::Result<Vec<(OwnedFd, RawFd)>> {
    let [own_control, own_answer] = PERF_OWN_CONTROL;
    let [control, answer] = PERF_CONTROL;
    let (read_control, write_control) = super::streams::pipe()?;
    let (read_answer, write_answer) = super::streams::pipe()?;
    let all = [
        (read_control, own_control),
        (write_answer, own_answer),
        (write_control, control),
        (read_answer, answer),
        (log, LOG),
    ];
    all.into_iter()
        .map(|(from, to)| Ok((out_of_the_way(from)?, to)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_are_known_by_what_perf_says() {
        for (program, said, expected) in [
            (
                "/bin/sh",
                "Events disabled\n/bin/sh: Segmentation fault\n",
                Some(11),
            ),
            ("/a: b/c", "/a: b/c: Killed", Some(9)),
            ("/bin/sh", "/bin/sh: Terminated\n\n", Some(15)),
            ("/bin/sh", "other: Killed", None),
            ("/bin/sh", "/bin/sh: no signal", None),
            ("/bin/sh", "", None),
        ] {
            assert_eq!(signal_of(program, said), expected, "{said}");
        }
    }

    #[test]
    fn a_run_at_the_end_that_is_cut_does_not_count() {
        let line =
            |event: &str| format!("{{\"counter-value\" : \"1\", \"event\" : \"{event}\"}}\n");
        let (a, b) = (line("a"), line("b"));
        for (text, expected) in [
            (String::new(), false),
            (a.clone(), false),
            (format!("{a}{b}"), false),
            (format!("{a}{b}{a}"), false),
            (format!("{a}{b}{a}{}", &b[..20]), false),
            (format!("{a}{b}{a}{b}"), true),
            (format!("{a}{b}{a}{b}{}", &a[..20]), true),
        ] {
            let file = tempfile::NamedTempFile::new().unwrap();
            fs::write(file.path(), &text).unwrap();
            assert_eq!(has_two_runs(file.path()), expected, "{text}");
        }
    }

    #[test]
    fn what_perf_said_is_shown_with_what_to_do() {
        let said = "Events disabled\nError:\nAccess is limited. perf_event_paranoid is 4\n";
        let text = not_started("it ended unexpectedly (exit status: 255)", said);
        assert!(text.starts_with("it ended unexpectedly (exit status: 255)\n  Error:\n  Access "));
        assert!(text.contains("hint: the kernel allows more"), "{text}");
    }
}
