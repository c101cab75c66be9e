//! Runs the program of a binary benchmark once, without a tool: for the roles `run` and `test`.
//!
//! Around the program happens what the runner does around it under Valgrind: sandbox, setup, delay,
//! teardown. Nothing here needs the runner, so it works on every system. What would be kept until
//! something is wrong goes to the streams of this process.

mod sandbox;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{self, Child, ChildStdin, ExitStatus};
use std::thread;

use self::sandbox::Sandbox;
use super::benchmarks::Program;
use super::table::Suite;
use crate::protocol::{
    Command, Config, Delay, ExitWith, Over, Pipe, Stdin, Stdio, ROLE_ARGUMENT, WORKSPACE_VARIABLE,
};
use crate::shared::delay::{Stopped, Wait};
use crate::shared::exit::{self, End};
use crate::shared::find_program::{find_program, has_separator};

/// Variables that stay when the environment is cleared: without them programs may not load.
const KEPT: [&str; 3] = ["LD_LIBRARY_PATH", "LD_PRELOAD", "SYSTEMROOT"];

/// Output of the setup that the program reads.
type Stream = Box<dyn Read + Send>;

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
}

/// Runs the program of the benchmark with this address, whose outer levels have this configuration.
/// `Err`: the reason of the failure.
pub(super) fn run(
    suite: &Suite,
    address: &str,
    program: &Program,
    outer: Config,
) -> Result<(), String> {
    // The user's function comes first: the command that it returns decides on the sandbox.
    let mut command = super::run::in_package_directory(suite, || (program.command)());
    let config = std::mem::take(&mut command.config).over(outer);
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
    stream: Option<Stream>,
}

impl Run<'_> {
    /// Starts the setup, and waits for its end unless the program runs beside it.
    fn set_up(&self) -> Result<Setup, String> {
        if self.program.setup.is_none() {
            return Ok(Setup::default());
        }
        let mut setup = self.start_setup()?;
        let of_setup = matches!(self.command.stdin, Stdin::Setup(_));
        if !of_setup && self.config.setup_parallel != Some(true) {
            end_setup(setup.child.take())?;
        }
        Ok(setup)
    }

    /// Starts the program after its delay, and waits for the end of the program and of a setup beside
    /// it.
    fn start_after_delay(&self, setup: Setup) -> Result<(), String> {
        let Setup { mut child, stream } = setup;
        let started = self.delay().and_then(|()| self.start(stream));
        let program = match started {
            Ok(program) => program,
            Err(error) => {
                // Nobody needs it any more, and a server would not end by itself.
                if let Some(child) = &mut child {
                    let _ = child.kill();
                    let _ = child.wait();
                }
                return Err(error);
            }
        };
        let ended = self.wait_for(program);
        ended.and(end_setup(child))
    }

    /// Waits until the program may start.
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

    fn tear_down(&self) -> Result<(), String> {
        if self.program.teardown.is_none() {
            return Ok(());
        }
        let wrong = |error| format!("its teardown cannot be started: {error}");
        let status = self.hook("teardown").status().map_err(wrong)?;
        check("its teardown", status, ExitWith::Success)
    }

    fn start_setup(&self) -> Result<Setup, String> {
        let mut command = self.hook("setup");
        match self.command.stdin {
            Stdin::Setup(Pipe::Stdout) => command.stdout(process::Stdio::piped()),
            Stdin::Setup(Pipe::Stderr) => command.stderr(process::Stdio::piped()),
            _ => &mut command,
        };
        let wrong = |error| format!("its setup cannot be started: {error}");
        let mut child = command.spawn().map_err(wrong)?;
        let stdout = child.stdout.take().map(|stream| Box::new(stream) as Stream);
        let stderr = child.stderr.take().map(|stream| Box::new(stream) as Stream);
        Ok(Setup {
            child: Some(child),
            stream: stdout.or(stderr),
        })
    }

    /// This executable in the role `assist`, with all variables and nothing to read.
    fn hook(&self, name: &str) -> process::Command {
        // Without a path there is nothing to start, and the error says so.
        let executable = std::env::current_exe().unwrap_or_default();
        let mut command = process::Command::new(executable);
        command
            .args([ROLE_ARGUMENT, "assist", self.address, name])
            .envs(self.variables())
            .env(WORKSPACE_VARIABLE, &self.workspace)
            .current_dir(&self.root)
            .stdin(process::Stdio::null());
        command
    }

    /// Starts the program, which reads the stream if its setup writes one.
    fn start(&self, stream: Option<Stream>) -> Result<Child, String> {
        let wrong = |error| format!("{} cannot be started: {error}", self.name());
        let mut command = self.command(stream.is_some()).map_err(wrong)?;
        let mut child = command.spawn().map_err(wrong)?;
        if let (Some(from), Some(to)) = (stream, child.stdin.take()) {
            thread::spawn(move || pump(from, to));
        }
        Ok(child)
    }

    fn wait_for(&self, mut program: Child) -> Result<(), String> {
        let wrong = |error| format!("{} cannot be waited for: {error}", self.name());
        let status = program.wait().map_err(wrong)?;
        check(
            &self.name(),
            status,
            self.config.exit_with.unwrap_or_default(),
        )
    }

    fn name(&self) -> String {
        format!(
            "the program `{}`",
            Path::new(&self.command.program).display()
        )
    }

    fn command(&self, reads_setup: bool) -> io::Result<process::Command> {
        let mut command = process::Command::new(in_path(&self.command.program));
        if self.config.env_clear.unwrap_or(true) {
            let kept = |name: &str| Some((name.to_owned(), std::env::var_os(name)?));
            command.env_clear();
            command.envs(KEPT.into_iter().filter_map(kept));
        }
        let directory = self.config.current_dir.as_deref().unwrap_or_default();
        command
            .args(&self.command.args)
            .envs(self.variables())
            .current_dir(self.root.join(directory))
            .stdin(match &self.command.stdin {
                _ if reads_setup => process::Stdio::piped(),
                Stdin::Inherit => process::Stdio::inherit(),
                Stdin::File(path) => self.file(path, |path| File::open(path))?,
                Stdin::Setup(_) | Stdin::Null | Stdin::Pipe => process::Stdio::null(),
            })
            .stdout(self.stream(&self.command.stdout)?)
            .stderr(self.stream(&self.command.stderr)?);
        Ok(command)
    }

    fn stream(&self, stream: &Stdio) -> io::Result<process::Stdio> {
        Ok(match stream {
            Stdio::Inherit | Stdio::Pipe => process::Stdio::inherit(),
            Stdio::Null => process::Stdio::null(),
            Stdio::File(path) => self.file(path, |path| File::create(path))?,
        })
    }

    fn file(
        &self,
        path: &Path,
        open: impl FnOnce(&Path) -> io::Result<File>,
    ) -> io::Result<process::Stdio> {
        let path = self.root.join(path);
        let wrong = |error| io::Error::other(format!("`{}`: {error}", path.display()));
        Ok(open(&path).map_err(wrong)?.into())
    }

    /// The configured variables, and those of this process that are passed through.
    fn variables(&self) -> impl Iterator<Item = (&OsString, OsString)> {
        self.config.envs.iter().filter_map(|variable| {
            let value = match &variable.value {
                Some(value) => Some(value.clone()),
                None => std::env::var_os(&variable.name),
            };
            Some((&variable.name, value?))
        })
    }
}

fn end_setup(setup: Option<Child>) -> Result<(), String> {
    let Some(mut setup) = setup else {
        return Ok(());
    };
    let status = setup
        .wait()
        .map_err(|error| format!("its setup cannot be waited for: {error}"))?;
    check("its setup", status, ExitWith::Success)
}

/// Is this the end that was expected?
fn check(what: &str, status: ExitStatus, expected: ExitWith) -> Result<(), String> {
    match end(status).is_some_and(|end| end.is_expected(expected)) {
        true => Ok(()),
        false => Err(format!(
            "{what} ended with {status}, but was to {}",
            exit::wording(expected, |signal| format!("signal {signal}"))
        )),
    }
}

fn end(status: ExitStatus) -> Option<End> {
    match status.code() {
        Some(0) => Some(End::Returned),
        Some(code) => Some(End::Exited(code)),
        None => signal(status).map(End::Signaled),
    }
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt;
    status.signal()
}

#[cfg(not(unix))]
fn signal(_status: ExitStatus) -> Option<i32> {
    None
}

/// A name without separator is looked for in the `PATH` of this process, not in that of the program.
fn in_path(program: &OsString) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = (!has_separator(program)).then(|| find_program(&path, program));
    found.flatten().unwrap_or_else(|| program.into())
}

/// Passes on what the setup writes. It may write more than the program reads; that is no reason for it
/// to fail.
fn pump(mut from: impl Read, to: ChildStdin) {
    let mut to = Some(to);
    let mut buffer = [0; 4096];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        if let Some(stdin) = &mut to {
            if stdin.write_all(&buffer[..length]).is_err() {
                to = None;
            }
        }
    }
}
