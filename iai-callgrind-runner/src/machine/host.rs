//! Programs of the machine: Valgrind and perf.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use iai_callgrind::protocol::options::variable;
use iai_callgrind::shared::answer::{answer, PATIENCE};
use iai_callgrind::shared::find_program::{find_program, has_separator, is_program};

use crate::error::{Error, Result};
use crate::settings::{Settings, ToolRunner};
use base::shell_line::{shell_line, Inherits};
use cli::env::RunnerEnvironment;

/// Programs that run the benchmarks.
#[derive(Debug)]
pub struct Host {
    /// Absolute path of Valgrind; with a tool runner, the path or name that this starts.
    pub valgrind: PathBuf,
    /// The program that is started as Valgrind: the same, or what Debian's script of this name
    /// starts.
    pub launcher: PathBuf,
    /// Absolute path of the program that starts Valgrind.
    pub tool_runner: Option<PathBuf>,
    /// Absolute path of perf, or the reason why there is none.
    pub perf: Result<PathBuf, String>,
    /// Time limit for the answer of `valgrind --version`.
    pub patience: Duration,
    version: OnceLock<VersionAnswer>,
}

/// Answer of Valgrind to the question for its version.
#[derive(Debug)]
enum VersionAnswer {
    Version(ValgrindVersion),
    /// Something else, or the question was not asked.
    Unknown,
    /// No answer in time.
    Late,
}

/// A version of Valgrind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValgrindVersion {
    /// The text after `valgrind-`: `3.22.0`.
    pub text: String,
    /// The first two numbers.
    pub number: (u32, u32),
}

impl ValgrindVersion {
    /// Reads `valgrind-3.22.0`, also with something after it (`valgrind-3.23.0.GIT`).
    fn parse(said: &str) -> Option<Self> {
        let text = said.trim().strip_prefix("valgrind-")?;
        let mut numbers = text.split('.').map(|number| number.parse().ok());
        Some(Self {
            text: text.to_owned(),
            number: (numbers.next()??, numbers.next()??),
        })
    }
}

impl Host {
    /// Looks for Valgrind and perf. Valgrind is not started: every log of it has its version, which
    /// is asked for only where a decision depends on it.
    ///
    /// # Errors
    ///
    /// Valgrind or the tool runner is not found, or a named path is no program.
    pub fn detect(settings: &Settings) -> Result<Self> {
        if let Some(runner) = &settings.tool_runner {
            return Self::behind(runner, settings);
        }
        let valgrind = match &settings.valgrind {
            Some(path) if has_separator(path) => named(path)?,
            Some(name) => {
                in_path(&settings.environment, name).ok_or_else(|| Error::BadValgrind {
                    path: name.clone(),
                    reason: "was not found in PATH",
                })?
            }
            None => in_path(&settings.environment, Path::new("valgrind")).ok_or_else(|| {
                Error::NoValgrind {
                    path: search_path(&settings.environment)
                        .to_string_lossy()
                        .into_owned(),
                }
            })?,
        };
        log::debug!("valgrind is `{}`", valgrind.display());
        Ok(Self {
            launcher: behind_script(&valgrind),
            valgrind,
            perf: perf(settings),
            tool_runner: None,
            patience: PATIENCE,
            version: OnceLock::new(),
        })
    }

    /// Looks for the tool runner. Valgrind may exist only where the tool runner starts it. Without
    /// `--valgrind-bin`, the Valgrind of this machine is taken if paths are the same there.
    fn behind(runner: &ToolRunner, settings: &Settings) -> Result<Self> {
        let bad = |reason: &str| {
            let reason = format!("`{}` {reason}", runner.program.display());
            Error::option("--tool-runner", reason)
        };
        let program = if has_separator(&runner.program) {
            let absolute = std::path::absolute(&runner.program);
            absolute
                .ok()
                .filter(|path| is_program(path))
                .ok_or_else(|| bad("is not a program"))?
        } else {
            in_path(&settings.environment, &runner.program)
                .ok_or_else(|| bad("was not found in PATH"))?
        };
        let name = Path::new("valgrind");
        let is_elsewhere = runner.dest.is_some() || runner.root.is_some();
        let found = || in_path(&settings.environment, name).filter(|_| !is_elsewhere);
        let valgrind = settings.valgrind.clone().or_else(found);
        let valgrind = valgrind.unwrap_or_else(|| name.to_owned());
        Ok(Self {
            launcher: valgrind.clone(),
            valgrind,
            perf: perf(settings),
            tool_runner: Some(program),
            patience: PATIENCE,
            version: OnceLock::new(),
        })
    }

    /// Looks for perf only: nothing runs under Valgrind.
    pub fn without_valgrind(settings: &Settings) -> Self {
        Self {
            valgrind: "valgrind".into(),
            launcher: "valgrind".into(),
            perf: perf(settings),
            tool_runner: None,
            patience: PATIENCE,
            version: OnceLock::new(),
        }
    }

    /// The version of Valgrind, asked for once. `None`: Valgrind's answer cannot be read, or a tool
    /// runner starts it.
    pub fn version(&self) -> Option<&ValgrindVersion> {
        match self.version_answer() {
            VersionAnswer::Version(version) => Some(version),
            VersionAnswer::Unknown | VersionAnswer::Late => None,
        }
    }

    /// Does Valgrind not even tell its version? No program does, that is Valgrind.
    pub fn is_silent(&self) -> bool {
        matches!(self.version_answer(), VersionAnswer::Late)
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "asks a question; benchmarks start in `execute`"
    )]
    fn version_answer(&self) -> &VersionAnswer {
        let ask = || {
            // The tool runner may start another Valgrind than the one of this machine.
            if self.tool_runner.is_some() {
                return VersionAnswer::Unknown;
            }
            let mut command = Command::new(&self.valgrind);
            command.arg("--version");
            let line = shell_line(&command, Inherits::All);
            log::debug!("starts {line}");
            let patience = self.patience;
            match answer(&mut command, patience) {
                Ok(Some(said)) => ValgrindVersion::parse(&said)
                    .map_or(VersionAnswer::Unknown, VersionAnswer::Version),
                Ok(None) => {
                    log::warn!(
                        "`{line}` did not answer within {patience:?}: is it really Valgrind? \
                         `--valgrind-bin=<path>` names another one"
                    );
                    VersionAnswer::Late
                }
                Err(_) => VersionAnswer::Unknown,
            }
        };
        self.version.get_or_init(ask)
    }
}

/// Looks for perf. A failure matters only to the jobs under perf.
fn perf(settings: &Settings) -> Result<PathBuf, String> {
    if !cfg!(target_os = "linux") {
        return Err("perf is a part of Linux, and this is another system".to_owned());
    }
    let of_option = |path: &Path, reason: &str| {
        format!(
            "`{}`, given by `--perf-bin` or {}, {reason}",
            path.display(),
            variable("--perf-bin")
        )
    };
    match &settings.perf {
        Some(path) if has_separator(path) => {
            let found = std::path::absolute(path)
                .ok()
                .filter(|path| is_program(path));
            found.ok_or_else(|| of_option(path, "is no program"))
        }
        Some(name) => in_path(&settings.environment, name)
            .ok_or_else(|| of_option(name, "was not found in PATH")),
        None => in_path(&settings.environment, Path::new("perf")).ok_or_else(|| {
            format!(
                "perf was not found in PATH (`{}`)\n  \
                 hint: install it (on Debian `apt install linux-perf`, on Ubuntu `apt install \
                 linux-tools-generic`, on Fedora `dnf install perf`), or name the program with \
                 `--perf-bin=<path>` or {}",
                search_path(&settings.environment).to_string_lossy(),
                variable("--perf-bin")
            )
        }),
    }
}

/// The program that Debian's script starts. The script only adds variables to the environment
/// (`/usr/lib/debug` to `LD_LIBRARY_PATH`), which the loader of every measured program would look
/// at.
fn behind_script(valgrind: &Path) -> PathBuf {
    /// The script has a kilobyte.
    const MOST: u64 = 8 * 1024;
    let mut name = valgrind.as_os_str().to_owned();
    name.push(".bin");
    let program = PathBuf::from(name);
    let text = || {
        let mut text = String::new();
        let file = File::open(valgrind).ok()?;
        file.take(MOST).read_to_string(&mut text).ok()?;
        Some(text)
    };
    let starts = |text: String| text.lines().any(|line| line == "exec $0.bin \"$@\"");
    match is_program(&program) && text().is_some_and(starts) {
        true => program,
        false => valgrind.to_owned(),
    }
}

fn named(path: &Path) -> Result<PathBuf> {
    let bad = |reason| Error::BadValgrind {
        path: path.to_owned(),
        reason,
    };
    let absolute = path.canonicalize().map_err(|_| bad("does not exist"))?;
    if is_program(&absolute) {
        // Not the resolved path: Debian's wrapper finds its program beside its own name.
        std::path::absolute(path).map_err(|_| bad("does not exist"))
    } else {
        Err(bad("is not a program"))
    }
}

/// Looks for a program in `PATH`.
fn in_path(environment: &RunnerEnvironment, name: &Path) -> Option<PathBuf> {
    find_program(search_path(environment), name)
}

fn search_path(environment: &RunnerEnvironment) -> &std::ffi::OsStr {
    environment.get("PATH").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_of_debian_is_not_started() {
        use std::os::unix::fs::PermissionsExt;
        #[track_caller]
        fn check(script: &str, has_program: bool, expected: &str) {
            let directory = tempfile::tempdir().unwrap();
            let write = |name: &str, text: &str| {
                let path = directory.path().join(name);
                std::fs::write(&path, text).unwrap();
                std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
            };
            write("valgrind", script);
            if has_program {
                write("valgrind.bin", "");
            }
            let started = behind_script(&directory.path().join("valgrind"));
            assert_eq!(started, directory.path().join(expected));
        }
        let script = "#!/bin/sh\nexport GLIBCXX_FORCE_NEW=1\nexec $0.bin \"$@\"\n";
        check(script, true, "valgrind.bin");
        check(script, false, "valgrind");
        // A script of somebody's own, and Valgrind itself.
        let own = "#!/bin/sh\nexec nice $0.bin \"$@\"\n";
        check(own, true, "valgrind");
        check("\u{7f}ELF", true, "valgrind");
    }

    #[test]
    fn versions() {
        #[track_caller]
        fn check(said: &str, expected: Option<(u32, u32)>) {
            let version = ValgrindVersion::parse(said).map(|version| version.number);
            assert_eq!(version, expected, "{said}");
        }
        check("valgrind-3.19.0\n", Some((3, 19)));
        check("valgrind-3.23.0.GIT", Some((3, 23)));
        check("valgrind-4", None);
        check("valgrind: bad", None);
        check("", None);
    }
}
