//! Finds the runner and becomes it.
//!
//! Places, in this order: `IAI_CALLGRIND_RUNNER` at run time, the same at compile time, `PATH`, the
//! copy that an automatic install left below the target directory. A runner of another version is
//! never used: a public runner of the same name and an older protocol may be in `PATH`.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use super::arguments::truth;
use super::exit;
use super::table::{Package, Suite};
use crate::protocol::VERSION;
use crate::shared::answer::{answer, PATIENCE};
use crate::shared::find_program::find_program;
use crate::shared::target_directory::target_directory;
use crate::shared::WHERE_IT_RUNS;

const PROGRAM: &str = "iai-callgrind-runner";

/// The runner that this library works with.
const RUNNER: &str = concat!("iai-callgrind-runner ", env!("CARGO_PKG_VERSION"));

/// Command that installs it.
const INSTALL: &str = concat!(
    "cargo install iai-callgrind-runner --version ",
    env!("CARGO_PKG_VERSION")
);

const HINT: &str = concat!(
    "  hint: install it with one of these lines\n",
    "    cargo install iai-callgrind-runner --version ",
    env!("CARGO_PKG_VERSION"),
    "\n    cargo binstall iai-callgrind-runner@",
    env!("CARGO_PKG_VERSION"),
    "\n  or set IAI_CALLGRIND_AUTO_INSTALL=yes to have it installed below the target directory"
);

const OF_INSTALL: &str = "from an automatic install";

/// Environment variable: is the runner to be installed where there is none?
const AUTO_INSTALL: &str = "IAI_CALLGRIND_AUTO_INSTALL";

/// Replaces this process by the runner, which measures.
pub(super) fn measure(suite: &Suite, words: &[OsString]) -> ExitCode {
    // There is a Valgrind for old versions of macOS; its kernel lacks the sockets that the runner
    // needs.
    if cfg!(any(not(unix), target_vendor = "apple")) {
        return exit::with_error(
            exit::ERROR,
            format_args!(
                "measuring needs Valgrind, which does not exist on this system\n  \
                 hint: `cargo test --benches` runs each benchmark once, on every system\n  \
                 hint: one command runs `cargo bench` in a Linux container, see {WHERE_IT_RUNS}"
            ),
        );
    }
    let executable = match env::current_exe() {
        Ok(executable) => executable,
        Err(error) => {
            return exit::with_error(
                exit::ERROR,
                format_args!(
                    "cannot find out the path of this executable: {error}\n  \
                     hint: in a container without `/proc`, mount it: Valgrind needs it as well"
                ),
            );
        }
    };
    // An automatic install has its runner below the target directory.
    let given = variable("CARGO_TARGET_DIR");
    let target = target_directory(given.as_deref(), suite.package.target_tmpdir, &executable);
    match find(&suite.package, target.as_deref()) {
        Ok(runner) => {
            let mut command = Command::new(&runner);
            command
                .arg("bench")
                .arg("--exe")
                .arg(executable)
                .arg("--")
                .args(words);
            let error = replace_by(&mut command);
            exit::with_error(
                exit::ERROR,
                format_args!("cannot start `{}`: {error}", runner.display()),
            )
        }
        Err(Missing { code, text }) => exit::with_error(code, format_args!("{text}")),
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

/// Reason why there is no runner.
struct Missing {
    code: u8,
    text: String,
}

fn missing(text: String) -> Missing {
    Missing {
        code: exit::ERROR,
        text,
    }
}

fn find(package: &Package, target: Option<&Path>) -> Result<PathBuf, Missing> {
    if let Some(path) = variable("IAI_CALLGRIND_RUNNER") {
        return only(path.into(), "from IAI_CALLGRIND_RUNNER");
    }
    let mut seen = String::new();
    for place in &[Place::Compiled, Place::Path, Place::Installed] {
        let Some(path) = place.path(package, target) else {
            continue;
        };
        if path.exists() {
            match check(&path, place.source()) {
                Ok(()) => return Ok(path),
                Err(unusable) => seen += &format!("  {unusable}\n"),
            }
        }
    }
    match target {
        Some(target) if is_wanted(variable(AUTO_INSTALL))? => install(&install_root(target)),
        _ => Err(missing(format!("{RUNNER} was not found\n{seen}{HINT}"))),
    }
}

/// Places in which a runner may be.
#[derive(Clone, Copy)]
enum Place {
    Compiled,
    Path,
    Installed,
}

impl Place {
    fn path(self, package: &Package, target: Option<&Path>) -> Option<PathBuf> {
        match self {
            Self::Compiled => Some(PathBuf::from(package.runner?)),
            Self::Path => find_program(&env::var_os("PATH")?, PROGRAM),
            Self::Installed => Some(program_in(&install_root(target?))),
        }
    }

    fn source(self) -> &'static str {
        match self {
            Self::Compiled => "from IAI_CALLGRIND_RUNNER when this was compiled",
            Self::Path => "from PATH",
            Self::Installed => OF_INSTALL,
        }
    }
}

/// The runner of the only place that counts, which has to be one of this version.
fn only(path: PathBuf, source: &str) -> Result<PathBuf, Missing> {
    match check(&path, source) {
        Ok(()) => Ok(path),
        Err(unusable) => Err(missing(format!(
            "{unusable}\n  hint: let IAI_CALLGRIND_RUNNER name an {RUNNER}, or unset it"
        ))),
    }
}

/// Asks a runner for its version. Costs about a millisecond and saves a riddle: a runner that does
/// not know our protocol answers with a text about something else.
fn check(path: &Path, source: &str) -> Result<(), String> {
    let reason = match answer(Command::new(path).arg("--version"), PATIENCE) {
        Ok(Some(text)) => match text.trim_ascii().strip_prefix(PROGRAM) {
            Some(version) => match version.trim_ascii() {
                VERSION => return Ok(()),
                version => {
                    format!("has version {version}, but this benchmark was built with {VERSION}")
                }
            },
            None => format!("is not {RUNNER}"),
        },
        Ok(None) => format!("did not answer to `--version` within {PATIENCE:?}"),
        Err(error) => format!("cannot be started: {error}"),
    };
    Err(format!("`{}` ({source}) {reason}", path.display()))
}

/// Installs the runner of our version. Cargo's output goes to stderr.
fn install(root: &Path) -> Result<PathBuf, Missing> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    eprintln!("installing {RUNNER} into `{}`", root.display());
    let mut command = Command::new(&cargo);
    command
        .arg("install")
        .arg(PROGRAM)
        // The dependencies with which the release was tested.
        .arg("--locked")
        .arg("--version")
        .arg(VERSION)
        .arg("--root")
        .arg(root);
    // Standard output belongs to results.
    command.stdin(Stdio::null()).stdout(std::io::stderr());
    let text = match command.status() {
        Ok(status) if status.success() => return only(program_in(root), OF_INSTALL),
        Ok(status) => format!(
            "the automatic install of {RUNNER} failed ({status})\n  \
             hint: see cargo's output above, or install it yourself: {INSTALL}"
        ),
        Err(error) => format!(
            "the automatic install needs `{}`, which cannot be started: {error}\n  \
             hint: install the runner yourself: {INSTALL}",
            Path::new(&cargo).display()
        ),
    };
    Err(missing(text))
}

/// Directory of the automatic install of this version.
fn install_root(target: &Path) -> PathBuf {
    target.join(PROGRAM).join(VERSION)
}

/// The runner of an automatic install.
fn program_in(root: &Path) -> PathBuf {
    root.join("bin").join(PROGRAM)
}

/// An environment variable; an empty one counts as unset.
fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

/// Does the value of [`AUTO_INSTALL`] say yes?
fn is_wanted(value: Option<OsString>) -> Result<bool, Missing> {
    let Some(value) = value else {
        return Ok(false);
    };
    truth(&value.to_string_lossy(), AUTO_INSTALL).map_err(|text| Missing {
        code: exit::USAGE,
        text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_automatic_install_takes_the_words_of_every_variable() {
        let is_wanted = |value: &str| is_wanted(Some(value.into())).map_err(|error| error.text);
        assert_eq!(is_wanted("t"), Ok(true));
        assert_eq!(is_wanted("F"), Ok(false));
        assert!(matches!(super::is_wanted(None), Ok(false)));
        assert_eq!(
            is_wanted("treu").unwrap_err(),
            "invalid value 'treu' for 'IAI_CALLGRIND_AUTO_INSTALL': expected `yes` or `no`"
        );
    }
}
