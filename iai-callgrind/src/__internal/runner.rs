//! Finds the runner and becomes it.
//!
//! Places, in this order: `IAI_CALLGRIND_RUNNER` at run time, the same at compile time, `PATH`, the
//! copy that an automatic install left below the target directory. A runner of another version is
//! never used: a public runner of the same name and an older protocol may be in `PATH`.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use super::arguments::truth;
use super::exit;
use super::table::{Package, Suite};
use crate::protocol::VERSION;
use crate::shared::answer::{answer, PATIENCE};
use crate::shared::find_program::find_program;
use crate::shared::target_directory::target_directory;

const PROGRAM: &str = "iai-callgrind-runner";

/// Environment variable: is the runner to be installed where there is none?
const AUTO_INSTALL: &str = "IAI_CALLGRIND_AUTO_INSTALL";

/// Replaces this process by the runner, which measures.
pub(super) fn measure(suite: &Suite, words: &[OsString]) -> ExitCode {
    if cfg!(not(unix)) {
        let text = "measuring needs Valgrind, which does not exist on this system\n  \
                    hint: `--list` and `cargo test --benches` work everywhere";
        return exit::with_error(exit::ERROR, text);
    }
    let executable = match env::current_exe() {
        Ok(executable) => executable,
        Err(error) => {
            let text = format!("cannot find out the path of this executable: {error}");
            return exit::with_error(exit::ERROR, text);
        }
    };
    // An automatic install has its runner below the target directory.
    let given = variable("CARGO_TARGET_DIR");
    let target = target_directory(given.as_deref(), suite.package.target_tmpdir, &executable);
    match find(&suite.package, target.as_deref()) {
        Ok(runner) => {
            let mut command = Command::new(&runner);
            command
                .args(["bench", "--exe"])
                .arg(executable)
                .arg("--")
                .args(words);
            let error = replace_by(&mut command);
            let text = format!("cannot start `{}`: {error}", runner.display());
            exit::with_error(exit::ERROR, text)
        }
        Err(error @ Error::Variable(_)) => exit::with_error(exit::USAGE, error),
        Err(error) => exit::with_error(exit::ERROR, error),
    }
}

/// Becomes another program; returns only if that fails.
#[cfg(unix)]
fn replace_by(command: &mut Command) -> std::io::Error {
    use std::os::unix::process::CommandExt;
    command.exec()
}

#[cfg(not(unix))]
fn replace_by(_command: &mut Command) -> std::io::Error {
    std::io::ErrorKind::Unsupported.into()
}

/// A runner that cannot be used.
#[derive(Debug)]
struct Unusable {
    path: PathBuf,
    /// Origin of the path.
    source: &'static str,
    reason: String,
}

#[derive(Debug)]
enum Error {
    /// The environment variable names something that is no runner of this version.
    Named(Unusable),
    /// No runner of this version in any place; these were looked at.
    NotFound(Vec<Unusable>),
    /// A variable has another value than those it can have.
    Variable(String),
    /// The automatic install did not work.
    Install(String),
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` ({}) {}",
            self.path.display(),
            self.source,
            self.reason
        )
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(unusable) => {
                writeln!(f, "{unusable}")?;
                write!(
                    f,
                    "  hint: let IAI_CALLGRIND_RUNNER name an {PROGRAM} {VERSION}, or unset it"
                )
            }
            Self::NotFound(seen) => {
                writeln!(f, "{PROGRAM} {VERSION} was not found")?;
                for unusable in seen {
                    writeln!(f, "  {unusable}")?;
                }
                write!(
                    f,
                    "  hint: install it with one of these lines\n    \
                     cargo install {PROGRAM} --version {VERSION}\n    \
                     cargo binstall {PROGRAM}@{VERSION}\n  \
                     or set IAI_CALLGRIND_AUTO_INSTALL=yes to have it installed below the target \
                     directory"
                )
            }
            Self::Variable(text) | Self::Install(text) => f.write_str(text),
        }
    }
}

fn find(package: &Package, target: Option<&Path>) -> Result<PathBuf, Error> {
    if let Some(path) = variable("IAI_CALLGRIND_RUNNER") {
        let source = "from IAI_CALLGRIND_RUNNER";
        return check(path.into(), source).map_err(Error::Named);
    }
    let installed = target.map(install_root);
    let compiled = package
        .runner
        .filter(|path| !path.is_empty())
        .map(PathBuf::from);
    let candidates = [
        compiled.map(|path| (path, "from IAI_CALLGRIND_RUNNER when this was compiled")),
        env::var_os("PATH")
            .and_then(|path| find_program(&path, PROGRAM))
            .map(|path| (path, "from PATH")),
        installed
            .as_ref()
            .map(|root| (root.join("bin").join(PROGRAM), "from an automatic install")),
    ];
    let mut seen = Vec::new();
    for (path, source) in candidates
        .into_iter()
        .flatten()
        .filter(|(path, _)| path.exists())
    {
        match check(path, source) {
            Ok(path) => return Ok(path),
            Err(unusable) => seen.push(unusable),
        }
    }
    match installed {
        Some(root) if is_wanted(variable(AUTO_INSTALL)).map_err(Error::Variable)? => install(&root),
        _ => Err(Error::NotFound(seen)),
    }
}

/// Asks a runner for its version. Costs about a millisecond and saves a riddle: a runner that does
/// not know our protocol answers with a text about something else.
fn check(path: PathBuf, source: &'static str) -> Result<PathBuf, Unusable> {
    let reason = match answer(Command::new(&path).arg("--version"), PATIENCE) {
        Ok(text) => match text.trim().strip_prefix(PROGRAM).map(str::trim) {
            Some(version) if version == VERSION => return Ok(path),
            Some(version) => {
                format!("has version {version}, but this benchmark was built with {VERSION}")
            }
            None => format!("is not {PROGRAM} {VERSION}"),
        },
        Err(error) if error.kind() == ErrorKind::TimedOut => {
            format!("did not answer to `--version` within {PATIENCE:?}")
        }
        Err(error) => format!("cannot be started: {error}"),
    };
    Err(Unusable {
        path,
        source,
        reason,
    })
}

/// Installs the runner of our version. Cargo's output goes to stderr.
fn install(root: &Path) -> Result<PathBuf, Error> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    eprintln!("installing {PROGRAM} {VERSION} into `{}`", root.display());
    let mut command = Command::new(&cargo);
    command
        .args([
            "install",
            PROGRAM,
            "--locked",
            "--version",
            VERSION,
            "--root",
        ])
        .arg(root);
    // Standard output belongs to results.
    command.stdin(Stdio::null()).stdout(std::io::stderr());
    let line = format!("cargo install {PROGRAM} --version {VERSION}");
    match command.status() {
        Ok(status) if status.success() => {
            check(root.join("bin").join(PROGRAM), "from an automatic install").map_err(Error::Named)
        }
        Ok(status) => Err(Error::Install(format!(
            "the automatic install of {PROGRAM} {VERSION} failed ({status})\n  \
             hint: see cargo's output above, or install it yourself: {line}"
        ))),
        Err(error) => Err(Error::Install(format!(
            "the automatic install needs `{}`, which cannot be started: {error}\n  \
             hint: install the runner yourself: {line}",
            Path::new(&cargo).display()
        ))),
    }
}

/// Directory of the automatic install of this version.
fn install_root(target: &Path) -> PathBuf {
    target.join(PROGRAM).join(VERSION)
}

/// An environment variable; an empty one counts as unset.
fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

/// Does the value of [`AUTO_INSTALL`] say yes?
fn is_wanted(value: Option<OsString>) -> Result<bool, String> {
    let text = |value: OsString| truth(&value.to_string_lossy(), AUTO_INSTALL);
    value.map_or(Ok(false), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_automatic_install_takes_the_words_of_every_variable() {
        let is_wanted = |value: &str| is_wanted(Some(value.into()));
        assert_eq!(is_wanted("t"), Ok(true));
        assert_eq!(is_wanted("F"), Ok(false));
        assert_eq!(super::is_wanted(None), Ok(false));
        assert_eq!(
            is_wanted("treu").unwrap_err(),
            "invalid value 'treu' for 'IAI_CALLGRIND_AUTO_INSTALL': expected `yes` or `no`"
        );
    }
}
