//! Runs the program of a binary benchmark once, without a tool: for the roles `run` and `test`.
//!
//! Around the program happens what the runner does around it under Valgrind: sandbox, setup, delay,
//! teardown. Nothing here needs the runner, so it works on every system. What would be kept until
//! something is wrong goes to the streams of this process.

use std::cell::Cell;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{self, Child, ExitStatus};

use super::super::later::SharedConfig;
use super::super::run::PackageDirectory;
use super::super::table::Suite;
use super::sandbox::Sandbox;
use super::stream::SetupStream;
use super::Program;
use crate::protocol::{
    Command, Config, Delay, ExitWith, Pipe, Stdin, Stdio, ROLE_ARGUMENT, WORKSPACE_VARIABLE,
};
use crate::shared::delay::{Stopped, Wait};
use crate::shared::exit::{self, End};
use crate::shared::find_program::{find_program, has_separator};

/// Variables that stay when the environment is cleared: without them programs may not load.
const KEPT: [&str; 3] = ["LD_LIBRARY_PATH", "LD_PRELOAD", "SYSTEMROOT"];

/// One run of a program.
struct Run<'a> {
    address: &'a str,
    program: &'a Program,
    command: Command,
    /// Merged configuration of all levels.
    config: Config,
    /// The sandbox or the directory of the package: where hooks run and relative paths begin.
    root: PathBuf,
    workspace: PathBuf,
    /// Process group of the setup, once it was started.
    setup_group: Cell<Option<u32>>,
}

/// Kills processes that the setup left running, such as a server, after everything else. They hold
/// the output pipe open, so its reader would wait for ever.
#[cfg(unix)]
impl Drop for Run<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(group) = self.setup_group.get() {
            // SAFETY: a plain system call. The group has the number of a process that we started.
            unsafe { libc::killpg(group as libc::pid_t, libc::SIGKILL) };
        }
    }
}

/// Runs the program of the benchmark with this address, between these levels of configuration and
/// that of its command. `Err`: the reason of the failure.
#[inline]
pub(super) fn run(
    suite: &Suite,
    address: &str,
    program: &Program,
    levels: &[Option<SharedConfig>],
) -> Result<(), String> {
    // The user's function comes first: the command that it returns decides on the sandbox.
    let inside = PackageDirectory::enter(suite);
    let mut command = program.command.get();
    drop(inside);
    let mut outer = Config::default();
    for level in levels.iter().flatten() {
        let mut level = level.plain().clone();
        level.surround(&mut outer);
        outer = level;
    }
    let mut config = std::mem::take(&mut command.config);
    config.surround(&mut outer);
    let package = Path::new(suite.package.manifest_dir);
    let workspace = Path::new(suite.package.workspace);
    let sandbox = Sandbox::new(config.sandbox.as_ref(), workspace)?;
    let root = match &sandbox {
        Some(sandbox) => sandbox.path(),
        None if package.is_dir() => package,
        // On another machine.
        None => Path::new("."),
    };
    let run = Run {
        address,
        program,
        command,
        config,
        root: root.to_owned(),
        workspace: workspace.to_owned(),
        setup_group: Cell::new(None),
    };
    // Without a good setup there is nothing to tear down; after one the teardown runs, however the
    // program ended.
    let setup = run.set_up()?;
    let ended = run.start_after_delay(setup);
    match (ended, run.tear_down()) {
        (Err(first), Err(second)) => Err(format!("{first}\n{second}")),
        (ended, torn_down) => ended.and(torn_down),
    }
}

/// A setup that was started.
#[derive(Default)]
struct Setup {
    /// Process of a setup that still runs beside the program.
    child: Option<Child>,
    /// Output for the program to read.
    stream: Option<SetupStream>,
}

impl Run<'_> {
    /// Starts the setup, and waits for its end unless the program runs beside it.
    #[inline]
    fn set_up(&self) -> Result<Setup, String> {
        if self.program.setup.is_none() {
            return Ok(Setup::default());
        }
        let setup = self.start_setup()?;
        let of_setup = matches!(self.command.stdin, Stdin::Setup(_));
        if of_setup || self.config.setup_parallel == Some(true) {
            return Ok(setup);
        }
        end_setup(setup)?;
        Ok(Setup::default())
    }

    /// Starts the program after its delay, and waits for the end of the program and of a setup
    /// beside it.
    #[inline]
    fn start_after_delay(&self, setup: Setup) -> Result<(), String> {
        let mut setup = setup;
        let started = self.delay().and_then(|()| self.start(&setup));
        let program = match started {
            Ok(program) => program,
            Err(error) => {
                // Nobody needs it any more, and a server would not end by itself.
                if let Some(child) = &mut setup.child {
                    let _ = child.kill();
                    let _ = child.wait();
                }
                return Err(error);
            }
        };
        let ended = self.wait_for(program);
        ended.and(end_setup(setup))
    }

    /// Waits until the program may start.
    #[inline]
    fn delay(&self) -> Result<(), String> {
        let Some(delay) = &self.command.delay else {
            return Ok(());
        };
        let wait = Wait {
            kind: &delay.kind,
            poll: delay.poll.unwrap_or(Delay::POLL),
            timeout: delay
                .timeout
                .unwrap_or(Delay::TIMEOUT)
                .max(Delay::MIN_TIMEOUT),
            root: &self.root,
        };
        wait.wait(|| Ok(())).map_err(|stopped| match stopped {
            Stopped::Failed(text) | Stopped::Watched(text) => text,
        })
    }

    #[inline]
    fn tear_down(&self) -> Result<(), String> {
        if self.program.teardown.is_none() {
            return Ok(());
        }
        let wrong = |error| format!("its teardown cannot be started: {error}");
        let status = self.hook("teardown").status().map_err(wrong)?;
        check("its teardown", status, ExitWith::Success)
    }

    #[inline]
    fn start_setup(&self) -> Result<Setup, String> {
        let mut command = self.hook("setup");
        match self.command.stdin {
            Stdin::Setup(Pipe::Stdout) => command.stdout(process::Stdio::piped()),
            Stdin::Setup(Pipe::Stderr) => command.stderr(process::Stdio::piped()),
            _ => &mut command,
        };
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let wrong = |error| format!("its setup cannot be started: {error}");
        let mut child = command.spawn().map_err(wrong)?;
        self.setup_group.set(Some(child.id()));
        Ok(Setup {
            stream: SetupStream::of(&mut child),
            child: Some(child),
        })
    }

    /// Command that starts this executable in the role `assist`, with all variables and an empty
    /// stdin.
    #[inline]
    fn hook(&self, name: &str) -> process::Command {
        // Without a path there is nothing to start, and the error says so.
        let executable = std::env::current_exe().unwrap_or_default();
        let mut command = process::Command::new(executable);
        self.set_variables(&mut command);
        command
            .arg(ROLE_ARGUMENT)
            .arg("assist")
            .arg(self.address)
            .arg(name)
            .env(WORKSPACE_VARIABLE, &self.workspace)
            .current_dir(&self.root)
            .stdin(process::Stdio::null());
        command
    }

    /// Starts the program, which reads the stream if its setup writes one.
    #[inline]
    fn start(&self, setup: &Setup) -> Result<Child, String> {
        let started = self.command(setup.stream.as_ref());
        started
            .and_then(|mut command| command.spawn())
            .map_err(|error| format!("{} cannot be started: {error}", self.name()))
    }

    #[inline]
    fn wait_for(&self, mut program: Child) -> Result<(), String> {
        let wrong = |error| format!("{} cannot be waited for: {error}", self.name());
        let status = program.wait().map_err(wrong)?;
        check(
            &self.name(),
            status,
            self.config.exit_with.unwrap_or_default(),
        )
    }

    #[inline]
    fn name(&self) -> String {
        format!(
            "the program `{}`",
            Path::new(&self.command.program).display()
        )
    }

    #[inline]
    fn command(&self, of_setup: Option<&SetupStream>) -> io::Result<process::Command> {
        let mut command = process::Command::new(in_path(&self.command.program));
        if self.config.env_clear.unwrap_or(true) {
            command.env_clear();
            for name in KEPT {
                if let Some(value) = std::env::var_os(name) {
                    command.env(name, value);
                }
            }
        }
        self.set_variables(&mut command);
        let directory = self.config.current_dir.as_deref().unwrap_or_default();
        command
            .args(&self.command.args)
            .current_dir(self.root.join(directory))
            .stdin(match (of_setup, &self.command.stdin) {
                (Some(stream), _) => stream.stdin()?,
                (_, Stdin::Inherit) => process::Stdio::inherit(),
                (_, Stdin::File(path)) => self.file(path, File::options().read(true))?,
                (_, Stdin::Setup(_) | Stdin::Null | Stdin::Pipe) => process::Stdio::null(),
            })
            .stdout(self.stream(&self.command.stdout)?)
            .stderr(self.stream(&self.command.stderr)?);
        Ok(command)
    }

    #[inline]
    fn stream(&self, stream: &Stdio) -> io::Result<process::Stdio> {
        Ok(match stream {
            Stdio::Inherit | Stdio::Pipe => process::Stdio::inherit(),
            Stdio::Null => process::Stdio::null(),
            Stdio::File(path) => {
                let mut options = File::options();
                self.file(path, options.write(true).create(true).truncate(true))?
            }
        })
    }

    #[inline]
    fn file(&self, path: &Path, options: &OpenOptions) -> io::Result<process::Stdio> {
        let path = self.root.join(path);
        let wrong = |error| io::Error::other(format!("`{}`: {error}", path.display()));
        Ok(options.open(&path).map_err(wrong)?.into())
    }

    /// Sets the configured variables, and those of this process that are passed through.
    #[inline]
    fn set_variables(&self, command: &mut process::Command) {
        for variable in &self.config.envs {
            let inherited = || std::env::var_os(&variable.name);
            if let Some(value) = variable.value.clone().or_else(inherited) {
                command.env(&variable.name, value);
            }
        }
    }
}

#[inline]
fn end_setup(setup: Setup) -> Result<(), String> {
    let Some(mut child) = setup.child else {
        return Ok(());
    };
    // Before its end is waited for, which a full pipe would keep from coming.
    if let Some(stream) = setup.stream {
        stream.read_rest(&mut child);
    }
    let status = child
        .wait()
        .map_err(|error| format!("its setup cannot be waited for: {error}"))?;
    check("its setup", status, ExitWith::Success)
}

/// Is this the end that was expected?
#[inline]
fn check(what: &str, status: ExitStatus, expected: ExitWith) -> Result<(), String> {
    match end(status).is_some_and(|end| end.is_expected(expected)) {
        true => Ok(()),
        false => Err(format!(
            "{what} ended with {status}, but was to {}",
            exit::wording(expected, &|signal| format!("signal {signal}"))
        )),
    }
}

#[inline]
fn end(status: ExitStatus) -> Option<End> {
    match status.code() {
        Some(0) => Some(End::Returned),
        Some(code) => Some(End::Exited(code)),
        None => signal(status).map(End::Signaled),
    }
}

#[cfg(unix)]
#[inline]
fn signal(status: ExitStatus) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt;
    status.signal()
}

#[cfg(not(unix))]
#[inline]
fn signal(_status: ExitStatus) -> Option<i32> {
    None
}

/// A name without separator is looked for in the `PATH` of this process, not in that of the
/// program.
#[inline]
fn in_path(program: &OsString) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = (!has_separator(program)).then(|| find_program(&path, program));
    found.flatten().unwrap_or_else(|| program.into())
}
