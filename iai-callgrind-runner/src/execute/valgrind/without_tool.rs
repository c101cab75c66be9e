//! A benchmark once without its tool, to tell what fails below Valgrind alone.
//!
//! The executable runs it in the role `test`, as the test mode does, in the environment of the
//! measured process. Nothing of it is kept or shown.

use std::process::{Command, Stdio};
use std::time::Duration;

use iai_callgrind::protocol::{Address, ROLE_ARGUMENT, WORKSPACE_VARIABLE};

use super::{how, ValgrindLauncher};
use crate::error::Result;
use crate::execute::processes::When;
use crate::execute::{working_directory, ProcessEnd};
use crate::plan::{Backend, Job, Subject};
use base::shell_line::{shell_line, Inherits};

/// The most time for it: without Valgrind a benchmark is about fifty times as fast, and one that
/// waits for something may wait for ever.
const LIMIT: Duration = Duration::from_secs(10);

impl ValgrindLauncher<'_> {
    /// Does the benchmark pass without its tool? `None`: it was not run so, or not to its end.
    #[expect(clippy::disallowed_methods, reason = "this stage starts processes")]
    pub(super) fn passes_alone(&self, job: &Job) -> Result<Option<bool>> {
        // What a tool runner starts may be the only place where the benchmark can run.
        if !matches!(job.backend, Backend::Valgrind) || self.settings.tool_runner.is_some() {
            return Ok(None);
        }
        let address = Address {
            group: &job.benchmark_path.group,
            function: &job.benchmark_path.function,
            id: job.benchmark_path.id.as_deref(),
        };
        let work = self.store.work_directory()?;
        let mut command = Command::new(&self.settings.executable);
        command
            .args([ROLE_ARGUMENT, "test", &address.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut place = None;
        if let Subject::Case(_) = job.target.subject {
            let variables = job.environment.iter().map(|(name, value)| (name, value));
            command.env_clear().envs(variables);
            place = job.working_directory.as_ref();
        }
        command.env(WORKSPACE_VARIABLE, &*job.target.workspace);
        let place = working_directory::prepare(place, work.path())?;
        let directory = place.directory().unwrap_or(&job.target.directory);
        if directory.is_dir() {
            command.current_dir(directory);
        }
        log::debug!(
            "{}: without {} starts {}",
            job.benchmark_path,
            job.tool,
            shell_line(&command, Inherits::Nothing)
        );
        let owner = format!("`{}` without {}", job.benchmark_path, job.tool);
        let running = self.processes.start(command, When::NotStopped, owner)?;
        let limit = job.timeout.map_or(LIMIT, |limit| limit.min(LIMIT));
        let deadline = self.processes.deadline(running.pid(), Some(limit))?;
        let ended = how(running.wait()?);
        self.processes.check()?;
        let ended = match deadline {
            Some(deadline) => deadline.judge(ended),
            None => ended,
        };
        Ok(match ended {
            ProcessEnd::Returned | ProcessEnd::ReturnedWithRegions => Some(true),
            ProcessEnd::Exited(_) | ProcessEnd::Signaled(_) => Some(false),
            _ => None,
        })
    }
}
