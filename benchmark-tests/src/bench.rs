//! Runs a benchmark executable and keeps what it printed.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{kill, killpg, Signal};
use nix::unistd::Pid;

use crate::{build, executables, Home};

/// The longest that anything here may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// A benchmark executable with its arguments and environment.
#[derive(Debug)]
pub struct Bench {
    command: Command,
}

impl Bench {
    /// A bench target of [`build::BENCHMARKS`].
    pub fn new(target: &str) -> Self {
        Self::at(&build::bench(target))
    }

    /// An executable, without arguments. Of the environment of the test, variables of ours are left
    /// out; the runner is known.
    pub fn at(executable: &Path) -> Self {
        let mut command = Command::new(executable);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("IAI_CALLGRIND") {
                command.env_remove(name);
            }
        }
        command
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("CARGO_TERM_COLOR")
            .env_remove("RUST_BACKTRACE")
            .env("IAI_CALLGRIND_RUNNER", build::runner())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Self { command }
    }

    /// Adds the arguments of a measurement, with results in this home.
    pub fn measure(self, home: &Home) -> Self {
        self.args(["--bench", "--home"]).arg(home.path())
    }

    /// Adds an argument.
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    /// Adds arguments.
    pub fn args<I: IntoIterator<Item: AsRef<OsStr>>>(mut self, arguments: I) -> Self {
        self.command.args(arguments);
        self
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Removes an environment variable.
    pub fn env_remove(mut self, name: impl AsRef<OsStr>) -> Self {
        self.command.env_remove(name);
        self
    }

    /// The command, to be started in another way than the usual ones.
    pub fn command(self) -> Command {
        self.command
    }

    /// Runs the executable to its end.
    pub fn run(mut self) -> Ended {
        let output = self.command.output().expect("the executable starts");
        Ended {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            status: output.status,
        }
    }

    /// Starts the executable in a process group of its own.
    pub fn start(mut self) -> Started {
        let output = tempfile::tempdir().expect("there is a place for temporary directories");
        let file = |name: &str| fs::File::create(output.path().join(name)).unwrap();
        self.command
            .process_group(0)
            .stdout(file("stdout"))
            .stderr(file("stderr"));
        Started {
            child: self.command.spawn().expect("the executable starts"),
            output,
        }
    }
}

/// A copy of a bench target in a folder of its own, so that its processes can be told from those of
/// other tests.
#[derive(Debug)]
pub struct Copied {
    folder: tempfile::TempDir,
    executable: PathBuf,
}

impl Copied {
    /// Copies a bench target.
    pub fn new(target: &str) -> Self {
        let folder = tempfile::tempdir().expect("there is a place for temporary directories");
        let executable = folder.path().join(target);
        executables::copy(build::bench(target), &executable);
        Self { folder, executable }
    }

    /// The copy.
    pub fn path(&self) -> &Path {
        &self.executable
    }

    /// Path of a file in the copy's folder.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The copy as a benchmark executable to be run.
    pub fn bench(&self) -> Bench {
        Bench::at(&self.executable)
    }
}

/// A run that goes on.
#[derive(Debug)]
pub struct Started {
    child: Child,
    output: tempfile::TempDir,
}

impl Started {
    /// The process that was started, which becomes the runner, and leads its process group.
    pub fn pid(&self) -> i32 {
        i32::try_from(self.child.id()).expect("process ids are small")
    }

    /// Sends the runner a signal.
    pub fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.pid()), signal).expect("the runner is there");
    }

    /// Sends everything in the runner's process group a signal, as a terminal does.
    pub fn signal_group(&self, signal: Signal) {
        killpg(Pid::from_raw(self.pid()), signal).expect("the group is there");
    }

    /// The results so far.
    pub fn stdout(&self) -> String {
        fs::read_to_string(self.output.path().join("stdout")).unwrap()
    }

    /// The messages so far.
    pub fn stderr(&self) -> String {
        fs::read_to_string(self.output.path().join("stderr")).unwrap()
    }

    /// Waits for the end.
    pub fn wait(mut self) -> Ended {
        let start = Instant::now();
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None if start.elapsed() > PATIENCE => panic!("still running: {}", self.stderr()),
                None => thread::sleep(Duration::from_millis(5)),
            }
        };
        Ended {
            stdout: self.stdout(),
            stderr: self.stderr(),
            status,
        }
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // After a failed test only; else there is nothing left.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A run that is over.
#[derive(Debug)]
pub struct Ended {
    /// Results.
    pub stdout: String,
    /// Messages.
    pub stderr: String,
    /// End of the process.
    pub status: ExitStatus,
}

impl Ended {
    /// Asserts the exit code; shows everything if it is another one.
    #[track_caller]
    pub fn code(self, expected: i32) -> Self {
        assert_eq!(self.status.code(), Some(expected), "{self}");
        self
    }

    /// Asserts that a signal ended the process.
    #[track_caller]
    pub fn signalled(self, expected: Signal) -> Self {
        assert_eq!(self.status.signal(), Some(expected as i32), "{self}");
        self
    }

    /// Asserts an empty stderr.
    #[track_caller]
    pub fn quiet(self) -> Self {
        assert_eq!(self.stderr, "", "{self}");
        self
    }

    /// Asserts that these texts are in stderr.
    #[track_caller]
    pub fn says(self, texts: &[&str]) -> Self {
        for text in texts {
            assert!(
                self.stderr.contains(text),
                "stderr does not say {text:?}\n{self}"
            );
        }
        self
    }

    /// Asserts that these texts are in stdout.
    #[track_caller]
    pub fn shows(self, texts: &[&str]) -> Self {
        for text in texts {
            assert!(
                self.stdout.contains(text),
                "stdout does not show {text:?}\n{self}"
            );
        }
        self
    }

    /// Asserts that this text is nowhere.
    #[track_caller]
    pub fn without(self, text: &str) -> Self {
        assert!(!self.stdout.contains(text), "{text:?} in stdout\n{self}");
        assert!(!self.stderr.contains(text), "{text:?} in stderr\n{self}");
        self
    }

    /// Asserts that every metric of every benchmark is as it was.
    #[track_caller]
    pub fn unchanged(self) -> Self {
        // Not the headlines of tools, nor what stands below the last line.
        let is_metric = |line: &&str| {
            line.starts_with("  ") && !line.starts_with("  =") && !line.starts_with("  Failed: ")
        };
        let metrics = || self.stdout.lines().filter(is_metric);
        assert!(metrics().count() > 0, "{self}");
        for line in metrics() {
            assert!(line.ends_with("(No change)"), "{line}\n{self}");
        }
        self
    }
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            stdout,
            stderr,
            status,
        } = self;
        write!(f, "--- stdout\n{stdout}--- stderr\n{stderr}--- {status}")
    }
}

/// Waits until something is the case.
#[track_caller]
pub fn wait_until(what: &str, is_the_case: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_the_case() {
        assert!(start.elapsed() < PATIENCE, "waited in vain until {what}");
        thread::sleep(Duration::from_millis(5));
    }
}
