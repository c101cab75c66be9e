//! Kept results instead of a run, for `--load-baseline`.

use std::collections::BTreeSet;
use std::path::Path;

use iai_callgrind::protocol::ExitWith;

use super::{EndedProcess, Hook, Launch, OutputChannel, ProcessEnd};
use crate::error::{Error, FileContext, Result};
use crate::plan::{Job, LevelHooks};
use base::entry_functions::EVERYTHING;
use base::regular_file;
use base::tool::{self, CountedUnit, Tool, ToolFile};
use formats::callgrind::{self, TotalsOf};
use formats::log;
use records::layout::{BenchmarkEntry, FileName, Slot};
use records::summary::Mode;
use store::Store;

/// Copies the files of a baseline into the directory of the job as if the tool had just written
/// them. Starts no process.
pub struct LoadedBaseline<'a> {
    store: &'a Store,
    slot: &'a Slot,
    mode: &'a KeptMode<'a>,
}

/// Reads the mode of execution of a tool's kept result from its record.
pub type KeptMode<'a> = dyn Fn(&BenchmarkEntry, &Slot, Tool) -> Option<Mode> + Sync + 'a;

impl<'a> LoadedBaseline<'a> {
    /// Takes the results from `slot`. `mode` reads the records beside them.
    pub fn new(store: &'a Store, slot: &'a Slot, mode: &'a KeptMode<'a>) -> Self {
        Self { store, slot, mode }
    }
}

impl Launch for LoadedBaseline<'_> {
    fn launch(
        &self,
        job: &Job,
        directory: &Path,
        _channel: &OutputChannel,
    ) -> Result<EndedProcess> {
        let entry = self.store.entry(&job.benchmark_path)?;
        let logs = entry.files(self.slot, job.tool, ToolFile::Log);
        let pids = logs
            .iter()
            .filter_map(|path| log::read_file(path).ok()??.pid);
        let pids: BTreeSet<u32> = pids.collect();
        // File names contain the process id only if there were several processes.
        let only = pids.first().copied().filter(|_| pids.len() == 1);
        let mut number = 0;
        let mut how = as_expected(job.exit_with);
        for file in ToolFile::WRITTEN {
            let paths = entry.files(self.slot, job.tool, file);
            for (index, path) in paths.into_iter().enumerate() {
                let named = FileName::pid(&path, job.tool, &job.benchmark_path.stem());
                let unit = match tool::row(job.tool).counted_unit {
                    // The files are in the order of the event sets.
                    CountedUnit::EventSet => index as u32 + 1,
                    CountedUnit::Process => only.or(named).unwrap_or_default(),
                };
                number += 1;
                // The number tells the files of the threads and parts of one process apart. Files
                // are reduced in place later, so a baseline is copied.
                let copy = directory.join(format!("{}{unit}.{number}", file.prefix()));
                regular_file::copy(&path, &copy).context("copy", &path)?;
                let is_profile = file == ToolFile::Out && job.tool == Tool::Callgrind;
                if how == ProcessEnd::Returned && is_profile && has_regions(&copy) {
                    how = ProcessEnd::ReturnedWithRegions;
                }
            }
        }
        if number == 0 {
            return Err(Error::NoBaseline {
                name: self.slot.name().unwrap_or_default().to_owned(),
                tool: job.tool,
                directory: entry.directory().to_owned(),
            });
        }
        let mode = (self.mode)(&entry, self.slot, job.tool);
        Ok(EndedProcess::silently(how, mode.unwrap_or(job.mode)))
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

/// The end that a kept result must have had: benchmarks that end otherwise are not kept.
fn as_expected(exit_with: ExitWith) -> ProcessEnd {
    match exit_with {
        ExitWith::Success | ExitWith::Code(0) => ProcessEnd::Returned,
        ExitWith::Failure => ProcessEnd::Exited(1),
        ExitWith::Code(code) => ProcessEnd::Exited(code),
        ExitWith::Signal(signal) => ProcessEnd::Signaled(signal),
        ExitWith::OneOfSignals(signals) => {
            ProcessEnd::Signaled(signals.iter().next().unwrap_or_default())
        }
    }
}

/// Did the benchmark measure regions? Its exit code was not kept, but the profile has costs of
/// regions.
fn has_regions(out: &Path) -> bool {
    let read = callgrind::read_calls_of_file(out, TotalsOf::Regions, &EVERYTHING);
    let profile = read.ok().flatten();
    let parts = profile.into_iter().flat_map(|(profile, _)| profile.parts);
    parts.flat_map(|part| part.totals).any(|count| count > 0)
}
