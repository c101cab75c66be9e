//! Recorded files instead of Valgrind, for tests of everything else.

use std::fs;
use std::path::{Path, PathBuf};

use super::{EndedProcess, Hook, Launch, OutputChannel, ProcessEnd};
use crate::error::{FileContext, Result};
use crate::plan::{Job, LevelHooks};
use base::tool::Tool;
use cli::Stream;
use records::summary::Mode;

/// Copies recorded files into the directory of the job as if the tool had just written them.
///
/// The recording of a benchmark is the folder `<group>/<function>[.<id>]`, for other tools than
/// Callgrind the folder in it with the tool's name. Its files have names as
/// [`file_of_process`](super::file_of_process) reads them. A file `exit` in it holds the exit code
/// of a benchmark that did not return; a file `output` holds its output to stdout.
#[derive(Debug)]
pub struct Replay {
    recordings: PathBuf,
}

impl Replay {
    /// Replays the recordings below this directory.
    pub fn new(recordings: impl Into<PathBuf>) -> Self {
        Self {
            recordings: recordings.into(),
        }
    }
}

impl Launch for Replay {
    fn launch(&self, job: &Job, directory: &Path, channel: &OutputChannel) -> Result<EndedProcess> {
        let mut recording = self
            .recordings
            .join(&job.benchmark_path.group)
            .join(job.benchmark_path.stem());
        if job.tool != Tool::Callgrind {
            recording.push(job.tool.id());
        }
        let mut ended = EndedProcess::silently(ProcessEnd::Returned, job.mode);
        for entry in fs::read_dir(&recording).context("list", &recording)? {
            let path = entry.context("list", &recording)?.path();
            match path.file_name().and_then(|name| name.to_str()) {
                Some("exit") => {
                    let text = fs::read_to_string(&path).context("read", &path)?;
                    let code = text.trim().parse().map_err(std::io::Error::other);
                    ended.how = ProcessEnd::Exited(code.context("understand", &path)?);
                }
                Some(_) if path.is_dir() => {}
                Some("output") => {
                    let output = fs::read(&path).context("read", &path)?;
                    match job.shown.shows(Stream::Stdout) {
                        true => channel.printed(Stream::Stdout, &output),
                        false => ended.output = output,
                    }
                }
                Some(name) => {
                    fs::copy(&path, directory.join(name)).context("copy", &path)?;
                }
                None => {}
            }
        }
        Ok(ended)
    }

    fn assist(
        &self,
        _hooks: &LevelHooks,
        _hook: Hook,
        _channel: &OutputChannel,
    ) -> Result<EndedProcess> {
        Ok(EndedProcess::silently(ProcessEnd::Returned, Mode::Direct))
    }
}
