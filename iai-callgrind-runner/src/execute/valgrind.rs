//! Runs jobs under Valgrind, in a fork of a server or in a process of their own.
//!
//! In both modes the benchmark executable is started without arguments and gets its commands on a
//! socket, so nothing that differs between two benchmarks or two checkouts is in its memory before
//! the benchmark begins. The modes differ in one flag of the command.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::os::fd::RawFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

use iai_callgrind::protocol::wire::{DIRECT, RETURNED, RETURNED_WITH_REGIONS};
use iai_callgrind::protocol::{Address, ROLE_ARGUMENT, SERVER_VARIABLE};

use super::capture::Capture;
use super::hooks::SetUp;
use super::measured::MeasuredFunctions;
use super::packets::{self, Conversation, ConversationEnd, Listener, SOCKET};
use super::processes::{code_or_signal, Processes, Running, When};
use super::refusal::StartOutput;
use super::returned::ReturnPipe;
use super::server::{flags, Server, ServerKey, PATIENCE};
use super::tool_runner::{self, PathTranslation};
use super::{
    isolate, padding, refusal, working_directory, EndedProcess, Hook, Launch, OutputChannel,
    ProcessEnd,
};
use crate::error::{Error, FileContext, Result};
use crate::host::Host;
use crate::plan::{Case, Hooks, Job, Mode, Plan, Subject};
use crate::settings::Settings;
use crate::shell_line::{shell_line, Inherits};
use crate::store::Store;
use crate::tool::{self, Execution, Tool, ToolFile};

/// Servers that a benchmark may lose before it runs in a process of its own.
const ATTEMPTS: usize = 2;

/// Most servers that wait for the next benchmark with their key; each holds some 30 MB.
const MOST_IDLE: usize = 16;

/// Runs jobs under the Valgrind of the host.
#[derive(Debug)]
pub struct ValgrindLauncher<'a> {
    /// Programs of this machine: Valgrind, perf, tool runner.
    pub(super) host: Host,
    /// Starts processes, and kills them when the runner is asked to stop.
    pub(super) processes: Processes,
    /// Settings of the run.
    pub(super) settings: &'a Settings,
    /// Maker of the servers' directories.
    store: &'a Store,
    /// Functions at which Callgrind's count begins.
    measured: MeasuredFunctions,
    servers: Mutex<Servers>,
    /// Setups of levels with the processes that they left running.
    pub(super) set_up: SetUp,
    /// Lock that perf, which measures alone, holds for writing and everything else for reading.
    pub(super) alone: RwLock<()>,
    /// Number of processes that got a processor of their own.
    started: AtomicUsize,
}

#[derive(Debug, Default)]
struct Servers {
    /// Servers that are ready and run nothing.
    idle: Vec<Server>,
    /// Keys for which no server could be made ready.
    hopeless: Vec<ServerKey>,
}

/// A process with the runner's end of its socket, if the process has taken the other end.
struct Process {
    running: Running,
    conversation: Result<Conversation, ConversationEnd>,
}

impl Launch for ValgrindLauncher<'_> {
    fn launch(&self, job: &Job, directory: &Path, channel: &OutputChannel) -> Result<EndedProcess> {
        // A server is tried first, since a fork is cheaper than a start of Valgrind; a process of its own is
        // the fallback. perf comes before the read lock, which it takes for writing itself.
        if let Some(reason) = self.too_old(job) {
            return Ok(EndedProcess::not_started(job, reason));
        }
        let capture = Capture::new(job.shown, &directory.join("output"), channel)?;
        if let Some(perf) = job.backend.perf() {
            return self.under_perf(job, perf, directory, &capture);
        }
        let _beside_others = self.alone.read().unwrap_or_else(PoisonError::into_inner);
        if log::log_enabled!(log::Level::Debug) && self.settings.tool_runner.is_none() {
            let line = shell_line(&self.by_hand(job), Inherits::Nothing);
            log::debug!("{}: by hand {line}", job.benchmark_path);
        }
        let case = match &job.target.subject {
            Subject::Case(case) => case,
            Subject::Command(command) => {
                return self.around_command(job, command, directory, &capture, None);
            }
        };
        if job.mode == Mode::Fork {
            for _ in 0..ATTEMPTS {
                let Some(server) = self.server(job, case)? else {
                    break;
                };
                if let Some(ended) = self.forked(server, job, case, directory, &capture)? {
                    return Ok(ended);
                }
                log::warn!(
                    "{}: its process was lost and is replaced",
                    job.benchmark_path
                );
            }
        }
        self.direct(job, case, directory, &capture)
    }

    fn assist(&self, hooks: &Hooks, hook: Hook, channel: &OutputChannel) -> Result<EndedProcess> {
        self.level(hooks, hook, channel)
    }
}

impl<'a> ValgrindLauncher<'a> {
    /// Prepares to run the jobs of a plan. Starts no process.
    pub fn new(
        host: Host,
        processes: Processes,
        settings: &'a Settings,
        store: &'a Store,
        plan: &Plan,
    ) -> Self {
        #[cfg(target_os = "linux")]
        if !settings.allow_aslr {
            isolate::try_fixed_addresses();
        }
        Self {
            host,
            processes,
            settings,
            store,
            measured: MeasuredFunctions::of(plan),
            servers: Mutex::default(),
            set_up: SetUp::default(),
            alone: RwLock::default(),
            started: AtomicUsize::new(0),
        }
    }

    /// The path of Valgrind.
    pub(super) fn valgrind(&self) -> &Path {
        &self.host.valgrind
    }

    /// Reason why this version of Valgrind cannot run the job. Valgrind itself would only say that it does
    /// not know an option.
    fn too_old(&self, job: &Job) -> Option<String> {
        const LATER_SINCE: (u32, u32) = (3, 22);
        let (key, value, _) = tool::LATER;
        let begins_later = job.args.words.contains(&format!("{key}={value}"));
        if job.tool != Tool::Cachegrind || !begins_later {
            return None;
        }
        let version = self.host.version()?;
        (version.number < LATER_SINCE).then(|| {
            format!(
                "this is Valgrind {}, and to count a benchmark without its process Cachegrind needs \
                 Valgrind {}.{}\n  \
                 hint: install a newer Valgrind (`--valgrind-bin=<path>` chooses one), use Callgrind \
                 (`--default-tool=callgrind`), or count the whole process \
                 (`--cachegrind-args=--instr-at-start=yes`)",
                version.text, LATER_SINCE.0, LATER_SINCE.1
            )
        })
    }

    /// Runs a job in a process of its own.
    fn direct(
        &self,
        job: &Job,
        case: &Case,
        directory: &Path,
        capture: &Capture,
    ) -> Result<EndedProcess> {
        let messages = directory.join("messages");
        let place = working_directory::prepare(job.working_directory.as_ref(), directory)?;
        let returned = ReturnPipe::new()?;
        let Process {
            running,
            conversation,
        } = self.start(job, directory, &messages)?;
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
                &capture.descriptors,
                &returned.there,
            )?;
            // Behind a tool runner the benchmark has another id than the started process.
            Ok((conversation, pid))
        });
        let deadline = self.processes.deadline(pid, job.timeout);
        if started.is_err() {
            // The process may wait for a command for ever; if it has ended, this changes nothing.
            running.kill();
        }
        let status = running.wait()?;
        self.processes.check()?;
        let (how, pid) = match started {
            Err(lost) => {
                let said = std::fs::read(&messages).context("read", &messages)?;
                let said = String::from_utf8_lossy(&said);
                let text = packets::with_status(&lost, status);
                let said = StartOutput::Alone(&said);
                let how = refusal::not_started(job, self.valgrind(), &text, said)?;
                (how, None)
            }
            Ok((conversation, pid)) => {
                let how = returned.judge(how(status), conversation.sequence());
                let how = deadline.map_or(how.clone(), |deadline| deadline.judge(how));
                (how, Some(pid))
            }
        };
        Ok(EndedProcess {
            how,
            output: capture.read()?,
            mode: Mode::Direct,
            pid,
            hooks: Vec::new(),
        })
    }

    /// Runs a job in a fork of a server. `None`: the server was lost on the way.
    fn forked(
        &self,
        mut server: Server,
        job: &Job,
        case: &Case,
        directory: &Path,
        capture: &Capture,
    ) -> Result<Option<EndedProcess>> {
        let place = working_directory::prepare(job.working_directory.as_ref(), directory)?;
        let streams = &capture.descriptors;
        let returned = ReturnPipe::new()?;
        let Ok(started) = server.start(
            job,
            case,
            place.directory(),
            streams,
            &returned.there,
            &self.processes,
        ) else {
            self.processes.check()?;
            return Ok(None);
        };
        let deadline = self.processes.deadline(started.pid, job.timeout);
        let end = server.end();
        // Kills what the benchmark left running, before its files are moved.
        drop(started.group);
        self.processes.check()?;
        let Ok(status) = end else {
            return Ok(None);
        };
        server.hand_over(directory)?;
        let how = returned.judge(how(ExitStatus::from_raw(status)), server.sequence());
        let ended = EndedProcess {
            how: match deadline {
                Some(deadline) => deadline.judge(how),
                None => how,
            },
            output: capture.read()?,
            mode: Mode::Fork,
            pid: Some(started.pid),
            hooks: Vec::new(),
        };
        self.keep(server);
        Ok(Some(ended))
    }

    /// Keeps a server for the next benchmark with its key. If there are too many, the least recently used
    /// one ends.
    fn keep(&self, server: Server) {
        let mut servers = self.servers();
        servers.idle.push(server);
        let oldest = (servers.idle.len() > MOST_IDLE).then(|| servers.idle.remove(0));
        // The end of the oldest server takes a moment in which other threads may want the lock.
        drop(servers);
        drop(oldest);
    }

    /// A server for this job, an idle one or a new one. `None`: no server with its key becomes ready.
    fn server(&self, job: &Job, case: &Case) -> Result<Option<Server>> {
        let key = ServerKey::of(job, &self.measured);
        {
            let mut servers = self.servers();
            if servers.hopeless.contains(&key) {
                return Ok(None);
            }
            if let Some(index) = servers.idle.iter().position(|server| server.key == key) {
                return Ok(Some(servers.idle.remove(index)));
            }
        }
        let directory = self.store.work_directory()?;
        let messages = directory.path().join("messages");
        let Process {
            running,
            conversation,
        } = self.start(job, directory.path(), &messages)?;
        let ready = match conversation {
            Ok(conversation) => Server::ready(key.clone(), case, running, conversation, directory)?,
            Err(lost) => Err(lost),
        };
        match ready {
            Ok(server) => Ok(Some(server)),
            Err(lost) => {
                self.processes.check()?;
                log::debug!(
                    "{}: no server can be made ready: {lost}",
                    job.benchmark_path
                );
                self.servers().hopeless.push(key);
                Ok(None)
            }
        }
    }

    /// Starts the benchmark executable under Valgrind.
    fn start(&self, job: &Job, directory: &Path, messages: &Path) -> Result<Process> {
        let streams = OpenOptions::new()
            .create(true)
            .append(true)
            .open(messages)
            .context("create", messages)?;
        let no_socket = |source| Error::File {
            action: "make a socket for",
            path: job.target.program.clone(),
            source,
        };
        let mut environment = job.environment.clone();
        if self.settings.tool_runner.is_none() {
            environment.push((SERVER_VARIABLE.into(), SOCKET.to_string().into()));
        }
        let mut command = self.command(job, directory, environment, &job.target.directory)?;
        command
            .stdin(Stdio::null())
            .stdout(streams.try_clone().context("open", messages)?)
            .stderr(streams);
        if self.settings.tool_runner.is_none() {
            let conversation = Conversation::with(&mut command).map_err(no_socket)?;
            return Ok(Process {
                running: self.begin(job, command, SOCKET + 1)?,
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

    /// Translation of paths to those that Valgrind sees.
    fn seen<'b>(&'b self, job: &'b Job, directory: &'b Path) -> PathTranslation<'b> {
        PathTranslation {
            runner: self.settings.tool_runner.as_ref(),
            directory,
            workspace: &job.target.workspace,
        }
    }

    /// Starts a command of Valgrind, which inherits no descriptor from `first` on.
    pub(super) fn begin(&self, job: &Job, mut command: Command, first: RawFd) -> Result<Running> {
        self.prepare(job, &mut command, first)?;
        self.processes.start(command, When::NotStopped)
    }

    /// Prepares a command of a measured process: its processor, its addresses and its descriptors.
    pub(super) fn prepare(&self, job: &Job, command: &mut Command, first: RawFd) -> Result<()> {
        log::debug!(
            "{}: starts {}",
            job.benchmark_path,
            shell_line(command, Inherits::Nothing)
        );
        #[cfg(target_os = "linux")]
        if job.single_cpu {
            let number = self.started.fetch_add(1, Ordering::Relaxed);
            super::affinity::pin(command, number)
                .context("choose a processor for", &job.target.program)?;
        }
        isolate::isolate(command, first, self.settings.allow_aslr);
        Ok(())
    }

    /// The command line of Valgrind, up to the program. `environment` is padded to a fixed size.
    #[expect(clippy::disallowed_methods, reason = "this stage starts processes")]
    pub(super) fn command(
        &self,
        job: &Job,
        directory: &Path,
        environment: Vec<(OsString, OsString)>,
        working: &Path,
    ) -> Result<Command> {
        let mut environment = surrounded(environment, working);
        let seen = self.seen(job, directory);
        let program = seen.path(&job.target.program);
        let mut command = match (&self.host.tool_runner, &self.settings.tool_runner) {
            (Some(path), Some(runner)) => {
                environment.extend(tool_runner::variables(
                    directory,
                    self.store.home(),
                    &job.target.workspace,
                    self.settings.allow_aslr,
                ));
                let outer = &self.settings.environment;
                let mut command = Command::new(path);
                command
                    .args(tool_runner::arguments(runner, &environment, outer)?)
                    .arg(&self.host.valgrind);
                command
            }
            _ => Command::new(&self.host.valgrind),
        };
        // After all other variables, whose size it compensates.
        padding::pad(&mut environment, &program);
        let words = job.args.command_line(self.measured.names(job));
        let files = tool::row(job.tool).files.iter();
        let files = files.map(|(option, file)| (*option, *file));
        let written = seen.path(directory);
        let files = files
            .chain([("--log-file", ToolFile::Log)])
            .map(|(option, file)| file_argument(option, &written, file));
        command
            .args(words.iter().map(|word| seen.argument(word)))
            .args(files)
            .arg(program)
            .env_clear()
            .envs(environment);
        if let Some(path) = Some(working).filter(|path| path.is_dir()) {
            command.current_dir(path);
        }
        Ok(command)
    }

    /// Command line for a user: the benchmark runs without the runner, and the tool chooses the names of its
    /// files.
    #[expect(clippy::disallowed_methods, reason = "is shown, not started")]
    fn by_hand(&self, job: &Job) -> Command {
        let mut command = Command::new(&self.host.valgrind);
        command
            .args(job.args.command_line(self.measured.names(job)))
            .arg(&job.target.program)
            .env_clear()
            .envs(job.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(&job.target.directory);
        match &job.target.subject {
            Subject::Command(program) => command.args(&program.args),
            Subject::Case(_) => {
                let address = Address {
                    group: &job.benchmark_path.group,
                    function: &job.benchmark_path.function,
                    id: job.benchmark_path.id.as_deref(),
                };
                command.args([ROLE_ARGUMENT, "run", &address.to_string()])
            }
        };
        command
    }

    fn servers(&self) -> std::sync::MutexGuard<'_, Servers> {
        // Each change is complete in itself.
        self.servers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The environment of a process that runs in this directory, before it is padded to a fixed size.
pub(super) fn surrounded(
    mut environment: Vec<(OsString, OsString)>,
    working: &Path,
) -> Vec<(OsString, OsString)> {
    if working.is_dir() {
        // Wrappers of Valgrind in shell script add this variable; its length has to be known.
        environment.retain(|(name, _)| name != "PWD");
        environment.push(("PWD".into(), working.into()));
    }
    if !environment
        .iter()
        .any(|(name, _)| name == "LD_LIBRARY_PATH")
    {
        // Debian's wrapper of Valgrind adds this variable, or a few bytes to it; cargo sets it, shells do
        // not. The loader ignores an empty one.
        environment.push(("LD_LIBRARY_PATH".into(), OsString::new()));
    }
    environment
}

pub(super) fn how(status: ExitStatus) -> ProcessEnd {
    match code_or_signal(status) {
        Ok(RETURNED) => ProcessEnd::Returned,
        Ok(RETURNED_WITH_REGIONS) => ProcessEnd::ReturnedWithRegions,
        Ok(code) => ProcessEnd::Exited(code),
        Err(signal) => ProcessEnd::Signaled(signal),
    }
}

/// `--option=<directory>/<prefix>%p`; Valgrind takes `%` for the begin of a placeholder.
fn file_argument(option: &str, directory: &Path, file: ToolFile) -> OsString {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let mut argument = format!("{option}=").into_bytes();
    for byte in directory.as_os_str().as_bytes() {
        argument.push(*byte);
        if *byte == b'%' {
            argument.push(b'%');
        }
    }
    argument.extend(format!("/{}%p", file.prefix()).into_bytes());
    OsString::from_vec(argument)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_signs_of_directories_are_doubled() {
        #[track_caller]
        fn check(directory: &str, expected: &str) {
            let directory = Path::new(directory);
            let argument = file_argument("--log-file", directory, ToolFile::Log);
            assert_eq!(argument, expected);
        }
        check("/a b", "--log-file=/a b/log.%p");
        check("/100%p", "--log-file=/100%%p/log.%p");
        check("/%%", "--log-file=/%%%%/log.%p");
    }
}
