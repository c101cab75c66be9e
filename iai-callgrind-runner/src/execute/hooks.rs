//! Setups and teardowns: runs of the benchmark executable in the role `assist`, without a tool.
//!
//! Each of them has the whole environment of the runner, the environment variables of its level,
//! and an empty stdin. A process that a setup leaves running, such as a server, stays until the end
//! of the teardown.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use iai_callgrind::protocol::ROLE_ARGUMENT;

use super::capture::Capture;
use super::processes::When;
use super::running::Running;
use super::{EndedProcess, Hook, OutputChannel, ProcessEnd, ReturnFacts, ValgrindLauncher};
use crate::error::Result;
use crate::plan::LevelHooks;
use base::shell_line::{shell_line, Inherits};
use records::summary::Mode;
use store::private_directory;

/// Levels that were set up, with the processes of their setups, which are killed when dropped.
#[derive(Debug, Default)]
pub(super) struct SetUp(Mutex<Vec<(String, Running)>>);

impl SetUp {
    /// Ends the processes that the setup of a level left running.
    fn end(&self, level: &str) -> Result<()> {
        let mut levels = self.levels();
        let all = std::mem::take(&mut *levels).into_iter();
        let (of_level, others): (Vec<_>, Vec<_>) = all.partition(|(other, _)| other == level);
        *levels = others;
        // Released before the wait for the ends of the processes.
        drop(levels);
        of_level
            .into_iter()
            .try_for_each(|(_, running)| running.end())
    }

    fn levels(&self) -> std::sync::MutexGuard<'_, Vec<(String, Running)>> {
        // Each change is complete in itself, so a panic elsewhere leaves no half of one.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ValgrindLauncher<'_> {
    /// Runs a hook of the file or of a group. A setup's processes stay until the teardown of its
    /// level.
    pub(super) fn level(
        &self,
        hooks: &LevelHooks,
        hook: Hook,
        channel: &OutputChannel,
    ) -> Result<EndedProcess> {
        let folder = private_directory::temporary()?;
        let output = folder.path().join("output");
        let capture = Capture::new(self.settings.shown, &output, channel)?;
        let running = self.start_hook(hooks, hook, &hooks.directory, capture.streams()?)?;
        let pid = running.pid();
        let how = ProcessEnd::exited(running.ended()?);
        if how == ProcessEnd::Returned && hook == Hook::Setup {
            running.hold();
            self.set_up.levels().push((hooks.level.clone(), running));
        } else {
            running.end()?;
        }
        if hook == Hook::Teardown {
            self.set_up.end(&hooks.level)?;
        }
        Ok(EndedProcess {
            how,
            output: capture.read()?,
            mode: Mode::Direct,
            pid: Some(pid),
            cpu: None,
            at_return: ReturnFacts::default(),
            hooks: Vec::new(),
        })
    }

    /// Starts a hook, in this directory if that exists.
    #[expect(clippy::disallowed_methods, reason = "this stage starts processes")]
    pub(super) fn start_hook(
        &self,
        hooks: &LevelHooks,
        hook: Hook,
        directory: &Path,
        [stdout, stderr]: [Stdio; 2],
    ) -> Result<Running> {
        let mut command = Command::new(&self.settings.executable);
        command
            .args([ROLE_ARGUMENT, "assist", &hooks.level, hook.name()])
            .envs(hooks.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(stdout)
            .stderr(stderr);
        // The executable may be run where its package is not, such as on another machine.
        if directory.is_dir() {
            command.current_dir(directory);
        }
        log::debug!(
            "{} of {}: starts {}",
            hook.name(),
            hooks.level,
            shell_line(&command, Inherits::All)
        );
        let when = match hook {
            Hook::Setup => When::NotStopped,
            Hook::Teardown => When::Always,
        };
        let owner = format!("the {} of `{}`", hook.name(), hooks.level);
        self.processes.start(command, when, owner)
    }
}
