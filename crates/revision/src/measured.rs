//! A run of all benchmarks in a checkout, by a runner of the version that the checkout needs.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use base::colors::without_colors;
use base::shell_line::{shell_line, Inherits};
use base::variables::EnvironmentVariables;
use iai_callgrind::protocol::options::variable;
use iai_callgrind::protocol::VERSION;
use records::layout::RECORDS;

use crate::repository::OF_HOOKS;
use crate::RevisionError;

/// The most of what a run says that is looked through for errors.
const MOST_SAID: usize = 4 << 20;

/// Beginnings of the names of variables that results depend on.
const OF_CONDITIONS: [&str; 7] = [
    "CARGO_",
    "RUST",
    "IAI_CALLGRIND_",
    "CC",
    "CFLAGS",
    "LD_",
    "VALGRIND_",
];

/// Variables that differ between runs although nothing else does.
const OF_NOTHING: [&str; 4] = [
    "CARGO_TERM_",
    "CARGO_TARGET_DIR",
    "IAI_CALLGRIND_COLOR",
    // Benchmarks that are measured do not get it.
    "RUST_BACKTRACE",
];

/// Variables of a run that are about the branch alone.
const OF_BRANCH: [&str; 2] = ["IAI_CALLGRIND_COMMIT", "IAI_CALLGRIND_RUN_RECORDS"];

/// A run of all benchmarks of a checkout.
#[derive(Debug, Clone, Copy)]
pub struct MeasuredRevision<'a> {
    /// The runner.
    pub runner: &'a Path,
    /// The directory in the checkout.
    pub directory: &'a Path,
    /// The directory of the results, which is made.
    pub home: &'a Path,
    /// The directory of builds of another revision than the one that is checked out. `None`: the
    /// user's own.
    pub builds: Option<&'a Path>,
    /// A command of the shell that measures, in place of the runner's `bench`. The words for
    /// the benchmarks are its `$@`.
    pub command: Option<&'a OsStr>,
    /// The words of the user for cargo.
    pub cargo: &'a [OsString],
    /// The words of the user for the benchmarks: options and filters.
    pub words: &'a [OsString],
    /// Is no wall time measured, whatever benchmarks ask for?
    pub is_untimed: bool,
    /// Has the user a terminal with colors?
    pub is_colored: bool,
}

/// Everything besides the commit that the results of a checkout depend on: the directory in it,
/// programs, variables and words.
#[must_use]
pub fn conditions(
    checkout: &Path,
    environment: &EnvironmentVariables,
    words: &[&[OsString]],
) -> Vec<Vec<u8>> {
    // Below the root it decides which packages cargo selects.
    let directory = checkout.as_os_str().as_encoded_bytes().to_vec();
    let mut all = vec![VERSION.as_bytes().to_vec(), directory];
    let rustc = environment.get("RUSTC").unwrap_or("rustc".as_ref());
    all.push(answer(rustc, &["-vV"], checkout));
    all.push(answer("valgrind".as_ref(), &["--version"], checkout));
    all.push(answer("getconf".as_ref(), &["GNU_LIBC_VERSION"], checkout));
    // Sorted: their order is that of whatever started the program.
    let mut variables = environment.variables().to_vec();
    variables.sort();
    for (name, value) in &variables {
        let text = name.to_string_lossy();
        let begins = |beginning: &&str| text.starts_with(*beginning);
        let is_left_out = OF_NOTHING.iter().chain(&OF_BRANCH).any(begins);
        if OF_CONDITIONS.iter().any(begins) && !is_left_out {
            all.push(name.as_encoded_bytes().to_vec());
            all.push(value.as_encoded_bytes().to_vec());
        }
    }
    for words in words {
        all.extend(words.iter().map(|word| word.as_encoded_bytes().to_vec()));
        // Where a list ends: a word of the next one is another condition.
        all.push(Vec::new());
    }
    all
}

/// Returns the information that a program prints about itself; nothing if it cannot be asked.
#[expect(
    clippy::disallowed_methods,
    reason = "asks programs for their versions"
)]
fn answer(program: &OsStr, words: &[&str], directory: &Path) -> Vec<u8> {
    let mut command = Command::new(program);
    command
        .args(words)
        .current_dir(directory)
        .stdin(Stdio::null());
    command
        .output()
        .map(|output| output.stdout)
        .unwrap_or_default()
}

/// Cargo.
#[expect(clippy::disallowed_methods, reason = "builds and installs")]
pub(crate) fn cargo(environment: &EnvironmentVariables) -> Command {
    Command::new(environment.get("CARGO").unwrap_or("cargo".as_ref()))
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevisionRun {
    /// It has left results, whatever single benchmarks did.
    pub has_results: bool,
    /// All went well: results may be kept.
    pub is_whole: bool,
    /// The first error that was said.
    pub error: Option<String>,
    /// Bench targets that cargo could not compile.
    pub not_compiled: Vec<String>,
}

impl RevisionRun {
    /// The end of a run that has nothing to measure.
    #[must_use]
    pub fn none(reason: String) -> Self {
        Self {
            has_results: false,
            is_whole: false,
            error: Some(reason),
            not_compiled: Vec::new(),
        }
    }

    /// Why there are no results.
    #[must_use]
    pub fn reason(&self) -> &str {
        match &self.error {
            Some(error) => error.trim_start_matches("command line: "),
            None => "it has no benchmarks",
        }
    }
}

impl MeasuredRevision<'_> {
    /// Builds and runs the benchmarks. Rows of results are not shown, since they say nothing before
    /// the comparison; what cargo and the runner say goes to `shown`, piece by piece.
    ///
    /// # Errors
    ///
    /// The runner cannot be started.
    pub fn run(&self, mut shown: impl FnMut(&[u8])) -> Result<RevisionRun, RevisionError> {
        let mut command = self.command();
        command
            .current_dir(self.directory)
            .env(variable("--home"), self.home)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        if let Some(builds) = self.builds {
            for name in OF_BRANCH.iter().chain(&OF_HOOKS) {
                command.env_remove(name);
            }
            for name in ["CARGO_TARGET_DIR", "CARGO_BUILD_BUILD_DIR"] {
                command.env(name, builds);
            }
        }
        if self.is_untimed {
            // A runner of an older version does not know the option, and ignores the variable.
            command.env(variable("--time"), "no");
        }
        // Cargo writes to a pipe here, and what it says is shown on a terminal.
        if self.is_colored {
            command.env("CARGO_TERM_COLOR", "always");
        }
        let line = || shell_line(&command, Inherits::All);
        let not_started = |line: String, source| RevisionError::NotStarted { line, source };
        let shown_line = line();
        let mut child = command
            .spawn()
            .map_err(|error| not_started(shown_line.clone(), error))?;
        let mut said = Vec::new();
        if let Some(mut stderr) = child.stderr.take() {
            let mut piece = [0; 8192];
            while let Ok(length @ 1..) = stderr.read(&mut piece) {
                shown(&piece[..length]);
                // Read to the end in any case: with a full pipe the run would wait for ever.
                let room = MOST_SAID.saturating_sub(said.len());
                said.extend_from_slice(&piece[..length.min(room)]);
            }
        }
        let status = child
            .wait()
            .map_err(|error| not_started(shown_line, error))?;
        let said = without_colors(&String::from_utf8_lossy(&said));
        Ok(RevisionRun {
            has_results: has_results(self.home),
            is_whole: status.success(),
            error: first_error(&said),
            not_compiled: not_compiled(&said),
        })
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "starts a runner; benchmarks start in its `execute`"
    )]
    fn command(&self) -> Command {
        if let Some(line) = self.command {
            let mut command = Command::new("sh");
            // The words for the benchmarks are the command's `$@`.
            command.arg("-c").arg(line).arg("sh").args(self.words);
            command.env("IAI_CALLGRIND_RUNNER", self.runner);
            return command;
        }
        let mut command = Command::new(self.runner);
        command
            .arg("bench")
            .args(self.cargo)
            .arg("--")
            .args(self.words)
            // Limits are judged between both sides.
            .arg("--exit-zero");
        command
    }
}

/// Is there a record in a directory of results, which has a directory for each package and, in it,
/// each bench file?
fn has_results(home: &Path) -> bool {
    let directories = |path: &Path| {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let mut files = directories(home)
        .into_iter()
        .flat_map(|it| directories(&it));
    files.any(|directory| directory.join(RECORDS).is_file())
}

/// The first error in what cargo and the runner said, on one line: its text, and the place that the
/// compiler names.
#[must_use]
pub fn first_error(said: &str) -> Option<String> {
    let begins = |line: &&str| line.starts_with("error: ") || line.starts_with("error[");
    let mut lines = said.lines().skip_while(|line| !begins(line));
    let text = lines.next()?.trim_start_matches("error: ").to_owned();
    let mut rest = lines.take_while(|line| !line.trim().is_empty());
    let place = rest.find_map(|line| line.trim_start().strip_prefix("--> "));
    Some(place.map_or_else(|| text.clone(), |place| format!("{text} ({place})")))
}

/// Names of bench targets in ``error: could not compile `app` (bench "sorting") due to …``.
fn not_compiled(said: &str) -> Vec<String> {
    let lines = said
        .lines()
        .filter(|line| line.starts_with("error: could not compile"));
    let names = lines.filter_map(|line| {
        let (_, name) = line.split_once("(bench \"")?;
        Some(name.split_once('"')?.0.to_owned())
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_of_the_compiler_is_found() {
        let said = "\u{1b}[1m\u{1b}[32m   Compiling\u{1b}[0m app v0.1.0\nwarning: unused\n --> src/lib.rs:1\n\n\
            \u{1b}[1m\u{1b}[91merror[E0425]\u{1b}[0m: cannot find value `x`\n --> src/lib.rs:3:5\n  |\n3 |     x\n\n\
            error: could not compile `app` (lib) due to 1 previous error\n";
        let plain = without_colors(said);
        let expected = "error[E0425]: cannot find value `x` (src/lib.rs:3:5)";
        assert_eq!(first_error(&plain).unwrap(), expected);
        assert_eq!(
            first_error("   Compiling app\nwarning: error: none\n"),
            None
        );
    }

    #[test]
    fn results_depend_on_variables_of_builds_and_not_on_the_commit_of_the_branch() {
        let of = |name: &str| {
            let environment: EnvironmentVariables = [(name, "x")].into_iter().collect();
            conditions(Path::new("/"), &environment, &[])
        };
        let none = of("PATH_OF_SOMETHING");
        for name in [
            "IAI_CALLGRIND_COMMIT",
            "CARGO_TERM_COLOR",
            "CARGO_TARGET_DIR",
        ] {
            assert_eq!(of(name), none, "{name}");
        }
        for name in ["RUSTFLAGS", "CARGO_PROFILE_BENCH_LTO", "IAI_CALLGRIND_FORK"] {
            assert_ne!(of(name), none, "{name}");
        }
        let below = conditions(Path::new("/crates"), &EnvironmentVariables::default(), &[]);
        assert_ne!(below, none, "another package is selected there");
    }

    #[test]
    fn bench_targets_that_do_not_compile_are_named() {
        let said = "error: could not compile `app` (bench \"sorting\") due to 2 previous errors; 1 warning emitted\n\
            error: could not compile `app` (lib) due to 1 previous error\n";
        assert_eq!(not_compiled(said), ["sorting"]);
    }
}
