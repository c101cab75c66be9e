//! Program of a job: a case of the benchmark executable, or a command.
//!
//! Library and binary benchmarks differ only here; later stages ask [`Target`] for the
//! consequences.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use iai_callgrind::protocol::{
    self, Config, DelayKind, EntryPoint, ExitWith, Kind, Package, Stdin, Stdio, Suite,
};
use iai_callgrind::shared::find_program::{find_program, has_separator};

use super::LevelHooks;
use crate::error::{Error, Result};
use crate::settings::Settings;
use base::shell_line::words_of;
use symbols::{is_instrumented, symbol_table};

/// Program of a job and its directories.
#[derive(Debug, Clone)]
pub struct Target {
    /// The program that runs under the tool. A relative path begins where the program runs; a name
    /// without separator was not found.
    pub program: Arc<Path>,
    /// The directory of the package, where cargo starts the benchmark executable.
    pub directory: Arc<Path>,
    /// The root of the workspace.
    pub workspace: Arc<Path>,
    /// Has the compiler added counters to the program, for profiles or coverage?
    pub is_instrumented: bool,
    /// Kind of the program, with the facts that depend on it.
    pub subject: Subject,
}

/// Kind of the program under a tool.
#[derive(Debug, Clone)]
pub enum Subject {
    /// The benchmark executable, which gets the case to run.
    Case(PlannedCase),
    /// Any program, with everything around it.
    Command(Box<PlannedCommand>),
}

/// One case of a benchmark executable.
#[derive(Debug, Clone)]
pub struct PlannedCase {
    /// Place of the case in the suite.
    pub index: CaseIndex,
    /// Does the executable bring its own source of random numbers?
    pub deterministic_random: bool,
    /// Does the executable switch Cachegrind on for the benchmark, and off after it?
    pub brackets: bool,
    /// Does the executable's global allocator take each block from `malloc`? Absent if that is not
    /// known.
    pub is_malloc: Option<bool>,
    /// Does a teardown run in the measured process, behind the benchmark function?
    pub tears_down: bool,
    /// Is it registered while the executable runs?
    pub at_run_time: bool,
    /// Number of the executable's benchmarks in the suite, to be compared with the number that it
    /// reports itself.
    pub benchmarks: u32,
}

/// The place of a case in the suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CaseIndex {
    /// Index of the group in the suite.
    pub group: u32,
    /// Index of the function in the executable's table.
    pub function: u32,
    /// Index of the case in the executable's table.
    pub case: u32,
    /// Index of the element in the case's iterator.
    pub element: u32,
    /// Number of elements of the iterator.
    pub elements: u32,
}

impl CaseIndex {
    /// The place of a case in the group of this number.
    pub(super) fn new(group: usize, function: &protocol::Function, case: &protocol::Case) -> Self {
        Self {
            group: group as u32,
            function: function.index,
            case: case.index,
            element: case.element,
            elements: case.elements,
        }
    }
}

/// A program that is not where it was built, such as that of `CARGO_BIN_EXE_name` on another
/// machine: the file of its name beside the benchmark executable, if there is one.
fn beside(executable: &Path, program: &Path) -> Option<PathBuf> {
    if !program.is_absolute() || program.exists() {
        return None;
    }
    let place = executable.parent()?.join(program.file_name()?);
    let place = std::path::absolute(place).ok()?;
    place.is_file().then_some(place)
}

/// Start of a program, and what happens before and after it.
#[derive(Debug, Clone)]
pub struct PlannedCommand {
    /// Arguments as the program gets them.
    pub args: Vec<OsString>,
    /// Redirect of stdin.
    pub stdin: Stdin,
    /// Redirect of stdout.
    pub stdout: Stdio,
    /// Redirect of stderr.
    pub stderr: Stdio,
    /// Condition that the program waits for.
    pub delay: Option<PlannedDelay>,
    /// Does the program start without waiting for the end of its setup?
    pub setup_parallel: bool,
    /// `setup` and `teardown` of the benchmark.
    pub hooks: LevelHooks,
}

/// Condition that a program waits for, with its times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedDelay {
    /// The condition.
    pub kind: DelayKind,
    /// Time between two looks at the condition.
    pub poll: Duration,
    /// Time limit of the wait.
    pub timeout: Duration,
}

impl Target {
    fn new(program: PathBuf, package: &Package, subject: Subject, settings: &Settings) -> Self {
        let directory = Path::new(&package.manifest_dir);
        Self {
            is_instrumented: is_instrumented(&directory.join(&program)),
            program: program.into(),
            directory: directory.into(),
            workspace: settings.workspace(package).into(),
            subject,
        }
    }

    /// A case of the benchmark executable.
    pub(super) fn of_case(
        suite: &Suite,
        case: &protocol::Case,
        index: CaseIndex,
        settings: &Settings,
    ) -> Self {
        let case = PlannedCase {
            index,
            deterministic_random: suite.deterministic_random,
            brackets: suite.brackets,
            is_malloc: suite.is_malloc,
            tears_down: case.hooks.teardown,
            at_run_time: suite.at_run_time,
            benchmarks: suite.entries,
        };
        let program = settings.executable.clone();
        Self::new(program, &suite.package, Subject::Case(case), settings)
    }

    /// A command. `config` is merged, with the command's own level. Also returns a warning.
    pub(super) fn of_command(
        package: &Package,
        command: &protocol::Command,
        hooks: LevelHooks,
        config: &Config,
        settings: &Settings,
    ) -> Result<(Self, Option<String>)> {
        let of_setup = matches!(command.stdin, Stdin::Setup(_));
        if of_setup && !hooks.exist.setup {
            return Err(Error::Configuration {
                place: format!("command of `{}`", hooks.level),
                reason: "`Stdin::Setup` reads what `setup` writes, but there is no `setup`"
                    .to_owned(),
            });
        }
        let delay = command.delay.as_ref().map(PlannedDelay::resolve);
        let warning = delay.as_ref().and_then(|(_, warning)| warning.as_ref());
        let warning = warning.map(|text| format!("the delay of `{}` {text}", hooks.level));
        let subject = PlannedCommand {
            args: command.args.clone(),
            stdin: command.stdin.clone(),
            stdout: command.stdout.clone(),
            stderr: command.stderr.clone(),
            delay: delay.map(|(delay, _)| delay),
            setup_parallel: of_setup || config.setup_parallel.unwrap_or(false),
            hooks,
        };
        let path = Path::new(&command.program);
        // Searched in the runner's `PATH`: the environment of a benchmark has none by default.
        let search = settings.environment.get("PATH").unwrap_or_default();
        let found = (!has_separator(path)).then(|| find_program(search, path));
        let found = found
            .flatten()
            .or_else(|| beside(&settings.executable, path));
        let program = found.unwrap_or_else(|| path.to_owned());
        let subject = Subject::Command(Box::new(subject));
        let mut target = Self::new(program, package, subject, settings);
        // An executable that was built elsewhere, where there is no checkout, runs its programs
        // here.
        let here = std::path::absolute(".").ok();
        if let Some(here) = here.filter(|_| !target.directory.is_dir()) {
            target.directory = here.into();
        }
        Ok((target, warning))
    }

    /// Can the program draw the same random numbers in every run?
    pub(super) fn has_deterministic_random(&self) -> bool {
        matches!(&self.subject, Subject::Case(case) if case.deterministic_random)
    }

    /// Does the program switch Cachegrind on for the benchmark, and off after it?
    pub(crate) fn has_brackets(&self) -> bool {
        matches!(&self.subject, Subject::Case(case) if case.brackets)
    }

    /// Is the program the benchmark executable? Only that can fork for a benchmark and
    /// distinguishes the measuring thread from others.
    pub(super) fn is_told(&self) -> bool {
        matches!(self.subject, Subject::Case(_))
    }

    /// Command of the benchmark executable, which is the same for all benchmarks; `None` for
    /// programs.
    pub(super) fn plain_command(&self) -> Option<String> {
        self.is_told()
            .then(|| self.program.to_string_lossy().into_owned())
    }

    /// Text for notes about threads that did not count: the setting that makes them count.
    pub(super) fn counting_threads(&self) -> &'static str {
        match self.subject {
            Subject::Case(_) => "`Callgrind::default().count_threads(true)` counts all threads",
            Subject::Command(_) => "without an entry point all threads and processes count",
        }
    }

    /// Expected end. Programs do not return, they exit.
    pub(super) fn exit_with(&self, configured: Option<ExitWith>) -> ExitWith {
        match (configured.unwrap_or_default(), &self.subject) {
            (ExitWith::Success, Subject::Command(_)) => ExitWith::Code(0),
            (expected, _) => expected,
        }
    }

    /// Entry point of the count. A program counts as a whole unless one is configured. `Err`:
    /// reason why the configured one is impossible.
    pub(super) fn entry_point(
        &self,
        configured: Option<&EntryPoint>,
    ) -> Result<EntryPoint, &'static str> {
        let configured = configured.unwrap_or(&EntryPoint::Default);
        Ok(match (configured, &self.subject) {
            (EntryPoint::Default, Subject::Command(_)) => EntryPoint::None,
            (EntryPoint::Main, Subject::Command(_)) => {
                EntryPoint::Custom(symbol_table::main_function(&self.program))
            }
            (EntryPoint::Main, Subject::Case(_)) => {
                return Err(
                    "`EntryPoint::Main` is for the programs of binary benchmarks; a library benchmark \
                     counts its function (`EntryPoint::Default`)",
                );
            }
            (other, _) => other.clone(),
        })
    }

    /// Lines for the message about a program that did not end as expected.
    pub(super) fn exit_notes(&self, config: &Config) -> Vec<String> {
        let Some(command) = self.command_line() else {
            return Vec::new();
        };
        let mut notes = vec![format!("command: {command}")];
        if config.env_clear.unwrap_or(true) {
            notes.push(
                "hint: its environment is cleared, PATH and HOME are not in it, nor what the loader needs for \
                 libraries that are opened while it runs (LD_LIBRARY_PATH, LD_PRELOAD); \
                 `pass_through_env(..)` keeps a variable, `env_clear(false)` all of them"
                    .to_owned(),
            );
        }
        notes
    }

    /// Kind of the benchmark: library or binary.
    pub fn kind(&self) -> Kind {
        match self.subject {
            Subject::Case(_) => Kind::Library,
            Subject::Command(_) => Kind::Binary,
        }
    }

    /// Does the global allocator of a benchmark executable take each block from `malloc`? Absent if
    /// that is not known.
    pub fn is_malloc(&self) -> Option<bool> {
        match &self.subject {
            Subject::Case(case) => case.is_malloc,
            Subject::Command(_) => None,
        }
    }

    /// The program for messages, relative to the workspace if it lies there.
    pub(super) fn shown_program(&self) -> std::path::Display<'_> {
        let program = self.program.strip_prefix(&self.workspace);
        program.unwrap_or(&self.program).display()
    }

    /// Command line of a program, for messages and headlines: the program, relative to the
    /// workspace if it lies there, and its arguments as a shell reads them. `None`: the benchmark
    /// path is enough.
    pub fn command_line(&self) -> Option<String> {
        let program = self.program.strip_prefix(&self.workspace);
        self.command_line_with(program.unwrap_or(&self.program).as_os_str())
    }

    /// The same for a terminal: of a program in the workspace the name is enough.
    pub fn short_command_line(&self) -> Option<String> {
        let is_own = self.program.starts_with(&self.workspace);
        let name = self.program.file_name().filter(|_| is_own);
        self.command_line_with(name.unwrap_or(self.program.as_os_str()))
    }

    fn command_line_with(&self, program: &OsStr) -> Option<String> {
        let Subject::Command(command) = &self.subject else {
            return None;
        };
        let arguments = command.args.iter().map(OsString::as_os_str);
        Some(words_of(program, arguments))
    }
}

impl PlannedDelay {
    /// Corrects times that leave no pause between two looks, or no look before the end. Also
    /// returns a warning.
    fn resolve(delay: &protocol::Delay) -> (Self, Option<String>) {
        use protocol::Delay as D;
        /// Time that is left for the last look.
        const LAST: Duration = Duration::from_millis(5);

        let kind = delay.kind.clone();
        let poll = delay.poll.unwrap_or(D::POLL);
        let timeout = delay.timeout.unwrap_or(D::TIMEOUT);
        if let DelayKind::DurationElapse(_) = kind {
            let warning = (delay.poll.is_some() || delay.timeout.is_some())
                .then(|| "is a duration: its `poll` and `timeout` have no effect".to_owned());
            let resolved = Self {
                kind,
                poll: D::POLL,
                timeout,
            };
            return (resolved, warning);
        }
        let mut said = Vec::new();
        let mut resolved = Self {
            kind,
            poll,
            timeout,
        };
        if timeout < D::MIN_TIMEOUT {
            resolved.timeout = D::MIN_TIMEOUT;
            said.push(format!(
                "has a `timeout` of {timeout:?}; {:?} is the least",
                D::MIN_TIMEOUT
            ));
        }
        if poll >= resolved.timeout {
            resolved.poll = resolved.timeout - LAST;
            // A user who sets only a short limit did not ask for this poll.
            if delay.poll.is_some() {
                said.push(format!(
                    "has a `poll` of {poll:?}, which is not less than its `timeout` of {:?}; it is {:?}",
                    resolved.timeout, resolved.poll
                ));
            }
        }
        (resolved, (!said.is_empty()).then(|| said.join(", and ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn delays_look_at_least_once_before_they_give_up() {
        #[track_caller]
        fn check(
            poll: Option<u64>,
            timeout: Option<u64>,
            expected: (u64, u64),
            said: Option<&str>,
        ) {
            let delay = protocol::Delay {
                kind: DelayKind::PathExists("x".into()),
                poll: poll.map(ms),
                timeout: timeout.map(ms),
            };
            let (resolved, warning) = PlannedDelay::resolve(&delay);
            assert_eq!(
                (resolved.poll, resolved.timeout),
                (ms(expected.0), ms(expected.1))
            );
            assert_eq!(warning.as_deref(), said);
        }
        check(None, None, (10, 600_000), None);
        check(Some(20), Some(50), (20, 50), None);
        check(None, Some(10), (5, 10), None);
        let text = "has a `timeout` of 3ms; 10ms is the least";
        check(None, Some(3), (5, 10), Some(text));
        let text = "has a `poll` of 50ms, which is not less than its `timeout` of 50ms; it is 45ms";
        check(Some(50), Some(50), (45, 50), Some(text));
    }

    #[test]
    fn a_duration_has_no_other_times() {
        let delay = protocol::Delay {
            kind: DelayKind::DurationElapse(ms(1)),
            poll: Some(ms(1)),
            timeout: None,
        };
        let (_, warning) = PlannedDelay::resolve(&delay);
        assert!(warning.is_some_and(|text| text.contains("have no effect")));
    }

    #[test]
    fn command_lines_are_short_and_quoted() {
        #[track_caller]
        fn check(program: &str, args: &[&str], expected: &str, short: &str) {
            let command = PlannedCommand {
                args: args.iter().map(OsString::from).collect(),
                stdin: Stdin::default(),
                stdout: Stdio::default(),
                stderr: Stdio::default(),
                delay: None,
                setup_parallel: false,
                hooks: LevelHooks::default(),
            };
            let target = Target {
                program: Path::new(program).into(),
                directory: Path::new("/space/package").into(),
                workspace: Path::new("/space").into(),
                is_instrumented: false,
                subject: Subject::Command(Box::new(command)),
            };
            assert_eq!(target.command_line().as_deref(), Some(expected));
            assert_eq!(target.short_command_line().as_deref(), Some(short));
        }
        check(
            "/space/target/release/tool",
            &["a"],
            "target/release/tool a",
            "tool a",
        );
        let elsewhere = "/usr/bin/cat 'x y' ''";
        check("/usr/bin/cat", &["x y", ""], elsewhere, elsewhere);
    }

    #[test]
    fn a_program_is_looked_for_beside_the_executable() {
        let root = tempfile::tempdir().unwrap();
        let here = |name: &str| root.path().join(name);
        std::fs::write(here("prog"), "").unwrap();
        let executable = here("good-1");
        let found = |program: &Path| beside(&executable, program);
        assert_eq!(found(Path::new("/no/such/prog")), Some(here("prog")));
        assert_eq!(found(Path::new("/no/such/other")), None);
        assert_eq!(found(Path::new("prog")), None, "it may be made by a setup");
        assert_eq!(found(&here("prog")), None, "it is where it was built");
    }
}
