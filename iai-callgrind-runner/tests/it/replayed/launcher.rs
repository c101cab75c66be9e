//! A launcher that replays, and does something around each job.

use std::path::Path;

use iai_callgrind_runner::error::Result;
use iai_callgrind_runner::execute::{EndedProcess, Hook, Launch, OutputChannel, Replay};
use iai_callgrind_runner::plan::{Job, LevelHooks};

/// The run of the job by a replay.
pub(crate) type ReplayedJob<'a> = &'a dyn Fn() -> Result<EndedProcess>;

/// Replays where its function lets it.
pub(crate) struct AroundReplay<F> {
    replay: Replay,
    around: F,
}

impl<F> AroundReplay<F>
where
    F: Fn(&Job, &Path, ReplayedJob<'_>) -> Result<EndedProcess> + Sync,
{
    /// The function gets each job, its directory, and its run.
    pub(crate) fn new(recordings: &Path, around: F) -> Self {
        Self {
            replay: Replay::new(recordings),
            around,
        }
    }
}

impl<F> Launch for AroundReplay<F>
where
    F: Fn(&Job, &Path, ReplayedJob<'_>) -> Result<EndedProcess> + Sync,
{
    fn launch(&self, job: &Job, directory: &Path, channel: &OutputChannel) -> Result<EndedProcess> {
        let replayed = || self.replay.launch(job, directory, channel);
        (self.around)(job, directory, &replayed)
    }

    fn assist(
        &self,
        hooks: &LevelHooks,
        hook: Hook,
        channel: &OutputChannel,
    ) -> Result<EndedProcess> {
        self.replay.assist(hooks, hook, channel)
    }
}
