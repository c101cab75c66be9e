//! The builder of the program that is measured.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use crate::config::into_protocol;
use crate::protocol::{self, EnvVar, ExitWith, Over, Stdin, Stdio};

/// The program that a binary benchmark measures: what the function below
/// [`#[binary_benchmark]`](crate::binary_benchmark) returns, or what a [`Bench`](crate::Bench) has.
///
/// The program runs once for each tool, with nothing in its environment but what is set here and in
/// the configurations. What is said here wins over all configurations.
///
/// # Examples
///
/// ```
/// use iai_callgrind::Command;
///
/// // In a benchmark: Command::new(env!("CARGO_BIN_EXE_my-program"))
/// fn command(path: &str) -> Command {
///     Command::new("/bin/cat").arg("--number").arg(path).build()
/// }
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Command(protocol::Command);

impl Command {
    /// A program without arguments: `env!("CARGO_BIN_EXE_name")` is the one that the package has
    /// under this name. A name without a separator is looked for in the `PATH` of `cargo bench`;
    /// a relative path starts at the directory in which the command runs. A program that is not
    /// found is an error of the benchmark.
    ///
    /// ```
    /// iai_callgrind::Command::new("/bin/true");
    /// ```
    #[must_use]
    pub fn new<T>(program: T) -> Self
    where
        T: AsRef<OsStr>,
    {
        Self(protocol::Command {
            program: program.as_ref().to_owned(),
            ..protocol::Command::default()
        })
    }

    /// Adds an argument. The program gets it as it is, no shell is between.
    ///
    /// ```
    /// use iai_callgrind::Command;
    ///
    /// Command::new("/bin/cat").arg("--number");
    /// ```
    pub fn arg<T>(&mut self, arg: T) -> &mut Self
    where
        T: Into<OsString>,
    {
        self.0.args.push(arg.into());
        self
    }

    /// Adds arguments.
    ///
    /// ```
    /// use iai_callgrind::Command;
    ///
    /// Command::new("/bin/cat").args(["--number", "Cargo.toml"]);
    /// ```
    pub fn args<I, T>(&mut self, args: I) -> &mut Self
    where
        I: IntoIterator<Item = T>,
        T: Into<OsString>,
    {
        self.0.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Adds an environment variable. The last one of a name wins, also over those of the
    /// configurations.
    ///
    /// ```
    /// iai_callgrind::Command::new("/bin/date").env("TZ", "UTC");
    /// ```
    pub fn env<K, V>(&mut self, name: K, value: V) -> &mut Self
    where
        K: Into<OsString>,
        V: Into<OsString>,
    {
        self.0.config.envs.push(EnvVar {
            name: name.into(),
            value: Some(value.into()),
        });
        self
    }

    /// Adds environment variables.
    ///
    /// ```
    /// use iai_callgrind::Command;
    ///
    /// Command::new("/bin/cat").envs([("LANG", "C"), ("TZ", "UTC")]);
    /// ```
    pub fn envs<I, K, V>(&mut self, variables: I) -> &mut Self
    where
        I: IntoIterator<Item = (K, V)>,
        K: Into<OsString>,
        V: Into<OsString>,
    {
        for (name, value) in variables {
            self.env(name, value);
        }
        self
    }

    /// Takes an environment variable over from the environment of `cargo bench`. One that does not
    /// exist is left out.
    ///
    /// ```
    /// use iai_callgrind::Command;
    ///
    /// Command::new("/bin/cat").pass_through_env("HOME");
    /// ```
    pub fn pass_through_env<K>(&mut self, name: K) -> &mut Self
    where
        K: Into<OsString>,
    {
        self.0.config.envs.push(EnvVar {
            name: name.into(),
            value: None,
        });
        self
    }

    /// Takes environment variables over from the environment of `cargo bench`. Those that do not
    /// exist are left out.
    ///
    /// ```
    /// use iai_callgrind::Command;
    ///
    /// Command::new("/bin/cat").pass_through_envs(["HOME", "USER"]);
    /// ```
    pub fn pass_through_envs<I, K>(&mut self, names: I) -> &mut Self
    where
        I: IntoIterator<Item = K>,
        K: Into<OsString>,
    {
        for name in names {
            self.pass_through_env(name);
        }
        self
    }

    /// Starts with an almost empty environment, as
    /// [`BinaryBenchmarkConfig::env_clear`](crate::BinaryBenchmarkConfig::env_clear) says. The
    /// default is that of the configurations, and in the end `true`.
    ///
    /// ```
    /// use iai_callgrind::Command;
    ///
    /// Command::new("/bin/cat").env_clear(false);
    /// ```
    pub fn env_clear(&mut self, clear: bool) -> &mut Self {
        self.0.config.env_clear = Some(clear);
        self
    }

    /// Runs the program, and only it, in this directory; `setup` and `teardown` stay where they
    /// are. By default it is the root of the sandbox or, without one, the directory of the package,
    /// and relative paths start there. A directory that does not exist is an error of the
    /// benchmark.
    ///
    /// ```
    /// use iai_callgrind::Command;
    ///
    /// Command::new("/bin/cat").current_dir("/tmp");
    /// ```
    pub fn current_dir<T>(&mut self, directory: T) -> &mut Self
    where
        T: Into<PathBuf>,
    {
        self.0.config.current_dir = Some(directory.into().into_os_string());
        self
    }

    /// Runs `setup`, program and `teardown` in a temporary directory. By default there is none.
    /// What is said here goes over what the configurations say, fixtures are added.
    ///
    /// ```
    /// use iai_callgrind::{Command, Sandbox};
    ///
    /// Command::new("cat")
    ///     .arg("input.txt")
    ///     .sandbox(Sandbox::new(true).fixtures(["benches/input.txt"]));
    /// ```
    pub fn sandbox<T>(&mut self, sandbox: T) -> &mut Self
    where
        T: Into<protocol::Sandbox>,
    {
        let below = self.0.config.sandbox.take();
        self.0.config.sandbox = Some(sandbox.into()).over(below);
        self
    }

    /// Says how the program has to end; otherwise the benchmark failed. The default is that of the
    /// configurations, and in the end [`ExitWith::Success`].
    ///
    /// ```
    /// use iai_callgrind::{Command, ExitWith};
    ///
    /// Command::new("/bin/false").exit_with(ExitWith::Code(1));
    /// ```
    pub fn exit_with<T>(&mut self, exit_with: T) -> &mut Self
    where
        T: Into<ExitWith>,
    {
        self.0.config.exit_with = Some(exit_with.into());
        self
    }

    /// Sets where the program reads. The default is [`Stdin::Pipe`], which has nothing to read.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// iai_callgrind::Command::new("wc").stdin(Path::new("Cargo.toml"));
    /// ```
    pub fn stdin<T>(&mut self, stdin: T) -> &mut Self
    where
        T: Into<Stdin>,
    {
        self.0.stdin = stdin.into();
        self
    }

    /// Sets where the program writes. The default is [`Stdio::Pipe`]: shown when the benchmark
    /// fails.
    ///
    /// ```
    /// use iai_callgrind::{Command, Stdio};
    ///
    /// Command::new("/bin/cat").stdout(Stdio::File("out.txt".into()));
    /// ```
    pub fn stdout<T>(&mut self, stdout: T) -> &mut Self
    where
        T: Into<Stdio>,
    {
        self.0.stdout = stdout.into();
        self
    }

    /// Sets where the program writes errors. The default is [`Stdio::Pipe`]: shown when the
    /// benchmark fails.
    ///
    /// ```
    /// use iai_callgrind::{Command, Stdio};
    ///
    /// Command::new("/bin/cat").stderr(Stdio::Null);
    /// ```
    pub fn stderr<T>(&mut self, stderr: T) -> &mut Self
    where
        T: Into<Stdio>,
    {
        self.0.stderr = stderr.into();
        self
    }

    /// Waits before the program starts: for some time, or until a condition holds. By default it
    /// starts at once. Without the condition at the end of the time for it, the benchmark failed.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use iai_callgrind::{Command, Delay};
    ///
    /// Command::new("my-client").setup_parallel(true).delay(
    ///     Delay::from_path("server.socket").timeout(Duration::from_secs(5)),
    /// );
    /// ```
    pub fn delay<T>(&mut self, delay: T) -> &mut Self
    where
        T: Into<crate::Delay>,
    {
        self.0.delay = Some(delay.into().into());
        self
    }

    /// Starts the program without waiting for the end of `setup`, which may be a server. The
    /// default is that of the configurations, and in the end `false`; [`Stdin::Setup`] implies
    /// `true`.
    ///
    /// ```
    /// use iai_callgrind::{Command, Delay};
    ///
    /// Command::new("/bin/cat").setup_parallel(true).delay(Delay::from_path("ready"));
    /// ```
    pub fn setup_parallel(&mut self, parallel: bool) -> &mut Self {
        self.0.config.setup_parallel = Some(parallel);
        self
    }

    /// A copy by value, to end a chain of calls with.
    ///
    /// ```
    /// use iai_callgrind::Command;
    ///
    /// let command: Command = Command::new("/bin/cat").arg("Cargo.toml").build();
    /// ```
    #[must_use]
    #[inline]
    pub fn build(&mut self) -> Self {
        self.clone()
    }
}

into_protocol!(Command => protocol::Command);

impl From<&Command> for Command {
    #[inline]
    fn from(command: &Command) -> Self {
        command.clone()
    }
}

impl From<&mut Command> for Command {
    #[inline]
    fn from(command: &mut Command) -> Self {
        command.clone()
    }
}
