//! The command line of Valgrind with the environment around it, as it is started and as users can
//! type it.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use iai_callgrind::protocol::{Address, ROLE_ARGUMENT};

use super::{suppressions, ValgrindLauncher};
use crate::error::Result;
use crate::execute::{padding, tool_runner};
use crate::plan::{Job, Subject};
use base::tool::{self, ToolFile};

/// Variable with the directory of Valgrind's tools.
const VALGRIND_LIB: &str = "VALGRIND_LIB";

/// Lets Valgrind write into its log which signal handlers ran, and whether they returned: nothing
/// else shows what a handler kept from being counted. It changes no count.
const TRACE_HANDLERS: &str = "--trace-signals=yes";

impl ValgrindLauncher<'_> {
    /// The command line of Valgrind, up to the program. `environment` is padded to a fixed size;
    /// `further` are arguments that decide about no figure.
    #[expect(clippy::disallowed_methods, reason = "this stage starts processes")]
    pub(in crate::execute) fn command(
        &self,
        job: &Job,
        directory: &Path,
        environment: Vec<(OsString, OsString)>,
        working: &Path,
        further: &[String],
    ) -> Result<Command> {
        let mut environment = surrounded(environment, working);
        environment.extend(self.own_variable(&environment));
        let seen = self.seen(job, directory);
        let program = seen.path(&job.target.program);
        let mut command = match (&self.host.tool_runner, &self.settings.tool_runner) {
            (Some(path), Some(runner)) => {
                environment.extend(tool_runner::variables(
                    directory,
                    self.store.home(),
                    &job.target.workspace,
                    self.settings.allow_aslr,
                ));
                let outer = &self.settings.environment;
                let mut command = Command::new(path);
                command
                    .args(tool_runner::arguments(runner, &environment, outer)?)
                    .arg(&self.host.launcher);
                command
            }
            _ => Command::new(&self.host.launcher),
        };
        // After all other variables, whose size it compensates.
        padding::pad(&mut environment, &program);
        let words = job.args.command_line(self.measured.names(job));
        let suppressions = suppressions::write(job, directory)?;
        let suppressions = suppressions.map(|path| {
            let mut argument = OsString::from("--suppressions=");
            argument.push(seen.path(&path));
            argument
        });
        let files = tool::row(job.tool).files.iter();
        let files = files.map(|(option, file)| (*option, *file));
        let written = seen.path(directory);
        let files = files
            .chain([("--log-file", ToolFile::Log)])
            .map(|(option, file)| file_argument(option, &written, file));
        command
            .args(words.iter().map(|word| seen.argument(word)))
            .args(job.args.traces_handlers().then_some(TRACE_HANDLERS))
            .args(suppressions)
            .args(further)
            .args(files)
            .arg(program)
            .env_clear()
            .envs(environment);
        if let Some(path) = Some(working).filter(|path| path.is_dir()) {
            command.current_dir(path);
        }
        Ok(command)
    }

    /// The variable by which Valgrind finds its own files, unless the benchmark has it anyway. It
    /// is Valgrind's and not the benchmark's: other backends do not get it.
    fn own_variable(&self, environment: &[(OsString, OsString)]) -> Option<(OsString, OsString)> {
        let value = self.settings.environment.get(VALGRIND_LIB)?;
        let is_there = environment.iter().any(|(name, _)| name == VALGRIND_LIB);
        (!is_there).then(|| (VALGRIND_LIB.into(), value.to_owned()))
    }

    /// Command line for a user: the benchmark runs without the runner, and the tool chooses the
    /// names of its files.
    #[expect(clippy::disallowed_methods, reason = "is shown, not started")]
    pub(super) fn by_hand(&self, job: &Job) -> Command {
        let mut command = Command::new(&self.host.valgrind);
        command
            .args(job.args.command_line(self.measured.names(job)))
            .arg(&*job.target.program)
            .env_clear()
            .envs(self.own_variable(&job.environment))
            .envs(job.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(&job.target.directory);
        match &job.target.subject {
            Subject::Command(program) => command.args(&program.args),
            Subject::Case(_) => {
                let address = Address {
                    group: &job.benchmark_path.group,
                    function: &job.benchmark_path.function,
                    id: job.benchmark_path.id.as_deref(),
                };
                command.args([ROLE_ARGUMENT, "run", &address.to_string()])
            }
        };
        command
    }
}

/// The environment of a process that runs in this directory, before it is padded to a fixed size.
pub(in crate::execute) fn surrounded(
    mut environment: Vec<(OsString, OsString)>,
    working: &Path,
) -> Vec<(OsString, OsString)> {
    if working.is_dir() {
        // Wrappers of Valgrind in shell script add this variable; its length has to be known.
        environment.retain(|(name, _)| name != "PWD");
        environment.push(("PWD".into(), working.into()));
    }
    if !environment
        .iter()
        .any(|(name, _)| name == "LD_LIBRARY_PATH")
    {
        // The loader counts the variables that it looks at, so this one is always there. It ignores
        // an empty one.
        environment.push(("LD_LIBRARY_PATH".into(), OsString::new()));
    }
    environment
}

/// `--option=<directory>/<prefix>%p`; Valgrind takes `%` for the begin of a placeholder.
fn file_argument(option: &str, directory: &Path, file: ToolFile) -> OsString {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let mut argument = format!("{option}=").into_bytes();
    for byte in directory.as_os_str().as_bytes() {
        argument.push(*byte);
        if *byte == b'%' {
            argument.push(b'%');
        }
    }
    argument.extend(format!("/{}%p", file.prefix()).into_bytes());
    OsString::from_vec(argument)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_signs_of_directories_are_doubled() {
        #[track_caller]
        fn check(directory: &str, expected: &str) {
            let directory = Path::new(directory);
            let argument = file_argument("--log-file", directory, ToolFile::Log);
            assert_eq!(argument, expected);
        }
        check("/a b", "--log-file=/a b/log.%p");
        check("/100%p", "--log-file=/100%%p/log.%p");
        check("/%%", "--log-file=/%%%%/log.%p");
    }
}
