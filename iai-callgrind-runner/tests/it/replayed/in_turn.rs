//! Recordings that are played in turn, as the runs of a benchmark that is not deterministic.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use iai_callgrind_runner::error::Result;
use iai_callgrind_runner::execute::{EndedProcess, Hook, Launch, OutputChannel, Replay};
use iai_callgrind_runner::plan::{Job, LevelHooks};

use crate::replayed::recordings;

/// Plays one recording after the other, and begins again. The code that was recorded is that of the
/// benchmark's program.
pub(crate) struct InTurn {
    pub(crate) recordings: Vec<Replay>,
    pub(crate) runs: AtomicUsize,
    /// A program that the benchmark starts: the recorded loader is code of it.
    pub(crate) started: Option<PathBuf>,
}

impl InTurn {
    pub(crate) fn new(names: &[&str]) -> Self {
        Self {
            recordings: names
                .iter()
                .map(|name| Replay::new(recordings(name)))
                .collect(),
            runs: AtomicUsize::new(0),
            started: None,
        }
    }
}

/// Puts the paths of files of this machine in place of those that were recorded.
fn rename_objects(profile: &Path, program: &Path, started: Option<&Path>) {
    let text = fs::read_to_string(profile).unwrap();
    let lines = text.lines().map(|line| match line.split_once("ob=") {
        Some((key, path)) if path.starts_with("/build/") => {
            format!("{key}ob={}\n", program.display())
        }
        Some((key, path)) if path.contains("/ld-linux") => {
            let started = started.unwrap_or(path.as_ref());
            format!("{key}ob={}\n", started.display())
        }
        _ => format!("{line}\n"),
    });
    fs::write(profile, lines.collect::<String>()).unwrap();
}

impl Launch for InTurn {
    fn launch(&self, job: &Job, directory: &Path, channel: &OutputChannel) -> Result<EndedProcess> {
        let run = self.runs.fetch_add(1, Ordering::Relaxed);
        let recording = &self.recordings[run % self.recordings.len()];
        let ended = recording.launch(job, directory, channel)?;
        let (program, started) = (&job.target.program, self.started.as_deref());
        rename_objects(&directory.join("out.1001"), program, started);
        Ok(ended)
    }

    fn assist(
        &self,
        hooks: &LevelHooks,
        hook: Hook,
        channel: &OutputChannel,
    ) -> Result<EndedProcess> {
        self.recordings[0].assist(hooks, hook, channel)
    }
}
