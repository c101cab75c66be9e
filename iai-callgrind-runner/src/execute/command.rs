//! A command under a tool, with everything around it: sandbox, setup, delay, teardown.
//!
//! After every successful setup the teardown runs, whatever goes wrong, and no process remains. A
//! setup that runs beside its command is waited for.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::fd::{OwnedFd, RawFd};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{self, ExitStatus, Stdio};
use std::thread;

use iai_callgrind::protocol::{Pipe, Stdin};
use iai_callgrind::shared::delay::{Stopped, Wait};
use iai_callgrind::shared::find_program::{has_separator, is_program};
use signal_hook::consts::SIGINT;

use super::capture::Capture;
use super::running::Running;
use super::working_directory::Sandbox;
use super::{
    streams, working_directory, EndedProcess, Hook, ProcessEnd, ReturnFacts, ValgrindLauncher,
};
use crate::error::{cannot_start, FileContext, Result};
use crate::plan::{Job, PlannedCommand, WorkingDirectory};
use base::os::foreground::Foreground;
use formats::callgrind;

/// First descriptor that the process does not inherit, behind its three streams.
const AFTER_STREAMS: RawFd = 3;

/// The part of a run of a program that depends on the backend.
pub(super) trait RunUnderTool {
    /// The command line of the backend, up to the program.
    fn command(
        &self,
        environment: Vec<(OsString, OsString)>,
        working: &Path,
    ) -> Result<process::Command>;

    /// Starts the command, which inherits no descriptor from `first` on but those that the backend
    /// needs.
    fn start(&self, command: process::Command, first: RawFd) -> Result<Running>;

    /// Process id of the program. `None`: it is not that of the started process.
    fn pid_of_program(&self, running: &Running) -> Option<i32>;

    /// Waits for the end of the program, or until it was repeated long enough.
    fn wait(&self, running: Running) -> Result<(ProcessEnd, ExitStatus)>;

    /// The end of the program, completed by the tool's messages.
    fn judge(&self, how: ProcessEnd, status: ExitStatus, capture: &Capture) -> Result<ProcessEnd>;
}

/// Directories of a run.
struct Places {
    /// The sandbox, or the directory of the package. Hooks run in it, and relative paths begin
    /// there.
    root: PathBuf,
    /// Working directory of the command.
    directory: PathBuf,
    /// Removed when dropped.
    _sandbox: Option<Sandbox>,
}

impl Places {
    fn of(job: &Job, work: &Path) -> Result<Self> {
        let sandbox = working_directory::sandbox(job.working_directory.as_ref(), work)?;
        let root = match &sandbox {
            Some(sandbox) => sandbox.path().to_owned(),
            None => job.target.directory.to_path_buf(),
        };
        let directory = match &job.working_directory {
            Some(
                WorkingDirectory::Directory(directory)
                | WorkingDirectory::Sandbox { directory, .. },
            ) => root.join(directory),
            None => root.clone(),
        };
        Ok(Self {
            root,
            directory,
            _sandbox: sandbox,
        })
    }
}

/// A setup that is running or was run.
struct Setup {
    /// Process and group of the setup, which are killed when this is dropped.
    running: Running,
    /// Read end of the pipe from the setup to the command's stdin, if there is one.
    for_command: Option<OwnedFd>,
}

/// One run of a command, between its setup and its teardown.
struct CommandRun<'a> {
    valgrind: &'a ValgrindLauncher<'a>,
    job: &'a Job,
    command: &'a PlannedCommand,
    places: Places,
    capture: &'a Capture,
    /// The tool that the command runs under.
    tool: &'a dyn RunUnderTool,
    /// The process under the tool. `None`: its id is not known.
    pid: Option<i32>,
    /// Failed hooks, in their order.
    hooks: Vec<(Hook, ProcessEnd)>,
}

impl ValgrindLauncher<'_> {
    /// Runs a command between its setup and its teardown.
    pub(super) fn around_command(
        &self,
        job: &Job,
        command: &PlannedCommand,
        work: &Path,
        capture: &Capture,
        tool: &dyn RunUnderTool,
    ) -> Result<EndedProcess> {
        let mut run = CommandRun {
            valgrind: self,
            job,
            command,
            places: Places::of(job, work)?,
            capture,
            tool,
            pid: None,
            hooks: Vec::new(),
        };
        let how = run.set_up_and_run();
        // Before the outcome is looked at: a signal that stops the runner kills the command, too.
        self.processes.check()?;
        Ok(EndedProcess {
            how: how?,
            output: capture.read()?,
            mode: job.mode,
            pid: run.pid,
            cpu: None,
            at_return: ReturnFacts::default(),
            hooks: run.hooks,
        })
    }
}

impl CommandRun<'_> {
    /// Runs setup, command and teardown. A setup in parallel with the command is waited for
    /// afterwards, and after a setup that failed neither of the others runs.
    fn set_up_and_run(&mut self) -> Result<ProcessEnd> {
        let setup = match self.command.hooks.exist.setup {
            true => Some(self.start_setup()?),
            false => None,
        };
        if let Some(setup) = &setup {
            if !self.command.setup_parallel {
                let how = self.wait_for(&setup.running)?;
                if how != ProcessEnd::Returned {
                    return Ok(ProcessEnd::NotSetUp(Box::new(how)));
                }
                setup.running.hold();
            }
        }
        let (how, setup) = self.run_after_delay(setup);
        if matches!(how, Ok(ProcessEnd::NotSetUp(_))) {
            return how;
        }
        self.tear_down()?;
        // Processes of the setup, such as a server, run until here: the teardown may need them.
        setup.map_or(Ok(()), Running::end)?;
        how
    }

    /// Runs the command after its delay, and waits for a setup that runs beside it.
    fn run_after_delay(&mut self, setup: Option<Setup>) -> (Result<ProcessEnd>, Option<Running>) {
        let (running, for_command) = match setup {
            Some(setup) => (Some(setup.running), setup.for_command),
            None => (None, None),
        };
        let how = match self.delay(running.as_ref()) {
            Ok(()) => self.run(for_command),
            Err(how) => how,
        };
        let Some(setup) = running.as_ref().filter(|_| self.command.setup_parallel) else {
            return (how, running);
        };
        let how = match how {
            // Only the command needs the setup.
            Err(_) | Ok(ProcessEnd::NotStarted(_) | ProcessEnd::NotSetUp(_)) => {
                setup.kill();
                how
            }
            Ok(how) => self.end_setup(setup).map(|()| how),
        };
        (how, running)
    }

    /// Waits for the end of a setup that ran beside its command.
    fn end_setup(&mut self, setup: &Running) -> Result<()> {
        let how = self.wait_for(setup)?;
        setup.hold();
        if how != ProcessEnd::Returned {
            self.hooks.push((Hook::Setup, how));
        }
        Ok(())
    }

    fn start_setup(&self) -> Result<Setup> {
        let [mut stdout, mut stderr] = self.capture.streams()?;
        let mut for_command = None;
        if let Stdin::Setup(stream) = self.command.stdin {
            let pipe = streams::pipe();
            let (reader, writer) = pipe.context("make", Path::new("a pipe for stdin"))?;
            for_command = Some(reader);
            match stream {
                Pipe::Stdout => stdout = writer.into(),
                Pipe::Stderr => stderr = writer.into(),
            }
        }
        Ok(Setup {
            running: self.start_hook(Hook::Setup, [stdout, stderr])?,
            for_command,
        })
    }

    fn start_hook(&self, hook: Hook, streams: [Stdio; 2]) -> Result<Running> {
        let hooks = &self.command.hooks;
        self.valgrind
            .start_hook(hooks, hook, &self.places.root, streams)
    }

    /// Waits for the end of a hook, as long as a benchmark may take.
    fn wait_for(&self, running: &Running) -> Result<ProcessEnd> {
        let processes = &self.valgrind.processes;
        let deadline = processes.deadline(running.pid(), self.job.timeout)?;
        let how = ProcessEnd::exited(running.ended()?);
        Ok(match deadline {
            Some(deadline) => deadline.judge(how),
            None => how,
        })
    }

    /// Waits for the condition or time of the delay. `Err`: the command may not start.
    fn delay(&self, setup: Option<&Running>) -> Result<(), Result<ProcessEnd>> {
        let Some(delay) = &self.command.delay else {
            return Ok(());
        };
        // A failed setup will not make the condition true: waiting for the time limit would be
        // useless.
        let watch = || {
            self.valgrind.processes.check().map_err(Err)?;
            let Some(setup) = setup.filter(|_| self.command.setup_parallel) else {
                return Ok(());
            };
            match setup.has_ended().map_err(Err)?.map(ProcessEnd::exited) {
                None | Some(ProcessEnd::Returned) => Ok(()),
                Some(how) => Err(Ok(ProcessEnd::NotSetUp(Box::new(how)))),
            }
        };
        let wait = Wait {
            kind: &delay.kind,
            poll: delay.poll,
            timeout: delay.timeout,
            root: &self.places.root,
        };
        wait.wait(watch).map_err(|stopped| match stopped {
            Stopped::Failed(reason) => Ok(ProcessEnd::NotStarted(reason)),
            Stopped::Watched(how) => how,
        })
    }

    /// Runs the program under the tool.
    fn run(&mut self, of_setup: Option<OwnedFd>) -> Result<ProcessEnd> {
        // Missing directories, programs and files are found before the start: afterwards the tool
        // would complain, in the output of the program. A time limit overrules whatever the end
        // looks like.
        working_directory::check(&self.places.directory)?;
        if let Err(reason) = self.find_program() {
            return Ok(ProcessEnd::NotStarted(reason));
        }
        // Held until the command has ended: a setup that still writes would get SIGPIPE otherwise.
        let rest = of_setup.as_ref().map(OwnedFd::try_clone);
        let rest = rest.transpose();
        let rest = rest.context("copy", Path::new("the pipe for stdin"))?;
        let opened = streams::open(self.command, &self.places.root, of_setup, self.capture);
        let [stdin, stdout, stderr] = match opened {
            Ok(streams) => streams,
            Err(reason) => return Ok(ProcessEnd::NotStarted(reason)),
        };
        let environment = self.job.environment.to_vec();
        let mut command = self.tool.command(environment, &self.places.directory)?;
        command
            .args(&self.command.args)
            .stdin(stdin)
            .stdout(stdout)
            .stderr(stderr);
        let foreground = match self.command.stdin {
            // A terminal stops a process that reads from it outside of its foreground group, and
            // each process has a group of its own.
            Stdin::Inherit => Foreground::for_command(&mut command),
            _ => None,
        };
        let running = self.tool.start(command, AFTER_STREAMS)?;
        self.pid = self.tool.pid_of_program(&running);
        let processes = &self.valgrind.processes;
        let deadline = processes.deadline(running.pid(), self.job.timeout)?;
        let (how, status) = self.tool.wait(running)?;
        if foreground.is_some() && status.signal() == Some(SIGINT) {
            // Without the foreground process group the signal would have reached the runner.
            processes.interrupt(SIGINT);
        }
        drop(foreground);
        let how = match deadline {
            Some(deadline) => deadline.judge(how),
            None => how,
        };
        if let Some(rest) = rest {
            read_the_rest(rest);
        }
        match how {
            ProcessEnd::TimedOut(_) => Ok(how),
            how => self.tool.judge(how, status, self.capture),
        }
    }

    /// Checks that the program exists. Valgrind would complain in the output of the program, with
    /// an exit code that programs have as well.
    fn find_program(&self) -> Result<(), String> {
        let tool_runner = self.valgrind.settings.tool_runner.as_ref();
        if tool_runner.is_some_and(|runner| runner.root.is_some()) {
            // The program may exist only where the tool runner starts Valgrind, such as in a
            // container.
            return Ok(());
        }
        let program = &*self.job.target.program;
        if let Some(reason) = callgrind::unwritable(program) {
            return Err(format!(
                "`{}` {reason}\n  hint: rename the file or its directory",
                program.display()
            ));
        }
        if !has_separator(program) {
            let name = program.display();
            return Err(format!(
                "there is no program `{name}` in PATH\n  \
                 hint: a program of this package is `env!(\"CARGO_BIN_EXE_{name}\")`, and a file is \
                 `./{name}`"
            ));
        }
        let path = self.places.directory.join(program);
        if !path.exists() {
            let directory = self.places.directory.display();
            let hint = match program.is_absolute() {
                true => "is it built, or made by the setup?".to_owned(),
                false => format!("relative paths of programs begin in `{directory}`"),
            };
            return Err(format!(
                "there is no program `{}`\n  hint: {hint}",
                program.display()
            ));
        }
        if !is_program(&path) {
            return Err(format!(
                "`{}` is not executable\n  hint: `chmod +x` makes a file executable",
                path.display()
            ));
        }
        Ok(())
    }

    fn tear_down(&mut self) -> Result<()> {
        if !self.command.hooks.exist.teardown {
            return Ok(());
        }
        let running = self.start_hook(Hook::Teardown, self.capture.streams()?)?;
        let how = self.wait_for(&running)?;
        running.end()?;
        if how != ProcessEnd::Returned {
            self.hooks.push((Hook::Teardown, how));
        }
        Ok(())
    }
}

/// Reads the rest of a pipe, so that a setup that writes more than its command reads does not fail.
fn read_the_rest(pipe: OwnedFd) {
    let read = move || {
        // Ends at the latest when the setup and its child processes are killed.
        let _ = io::copy(&mut fs::File::from(pipe), &mut io::sink());
    };
    if let Err(error) = thread::Builder::new().spawn(read) {
        // The pipe is closed with the closure: the setup fails if it writes more.
        log::warn!(
            "the rest of what the setup writes is not read: {}",
            cannot_start(error)
        );
    }
}
