//! The records beside kept results: the circumstances of a result that is compared with.

use std::io::ErrorKind;
use std::path::Path;

use serde::Deserialize;

use super::{read_record, Baselines, Environment, Files, Mode, System, VERSION};
use crate::compare::Circumstances;
use crate::store::{BenchmarkEntry, Slot, SUMMARY_OF_LAST};
use crate::tool::Tool;

/// The parts of a record about the result of one tool.
#[derive(Debug)]
pub(crate) struct KeptRecord {
    pub(crate) profile: KeptProfile,
    system: System,
    files: Files,
}

/// The parts of a profile about the way in which a tool measured. The figures are in the tool's own
/// file.
#[derive(Debug, Deserialize)]
pub(crate) struct KeptProfile {
    tool: String,
    pub(crate) mode: Mode,
    pub(crate) environment: Environment,
}

/// The parts of a [`Summary`](super::Summary) that are read here.
#[derive(Deserialize)]
struct Said {
    version: u32,
    baselines: Baselines,
    profiles: Vec<KeptProfile>,
    files: Files,
    system: System,
}

impl KeptRecord {
    /// `None`: no record speaks of this result, such as one that `--save-baseline` left alone.
    ///
    /// # Errors
    ///
    /// There is a record, but it cannot be read: its path and why.
    pub(crate) fn read(
        entry: &BenchmarkEntry,
        slot: &Slot,
        tool: Tool,
    ) -> Result<Option<Self>, String> {
        let path = entry.summary(slot);
        let Some(mut said) = in_file(&path)? else {
            return Ok(None);
        };
        // The file may be about a baseline, and another one keeps what was said about the last run.
        if said.baselines.new.as_deref() != slot.name() {
            let of_last = entry.directory().join(SUMMARY_OF_LAST);
            match in_file(&of_last)? {
                Some(last) if *slot == Slot::Last => said = last,
                _ => return Ok(None),
            }
        }
        let Said {
            profiles,
            system,
            files,
            ..
        } = said;
        let mut profiles = profiles.into_iter();
        let profile = profiles.find(|profile| profile.tool == tool.id());
        Ok(profile.map(|profile| Self {
            profile,
            system,
            files,
        }))
    }

    /// Facts that the result was made with.
    pub(crate) fn circumstances(&self) -> Circumstances {
        let KeptProfile {
            environment, mode, ..
        } = &self.profile;
        Circumstances::of(&self.system, &self.files, environment, *mode)
    }
}

/// Mode of the kept result of a tool, if its record tells it.
pub(crate) fn kept_mode(entry: &BenchmarkEntry, slot: &Slot, tool: Tool) -> Option<Mode> {
    let kept = KeptRecord::read(entry, slot, tool).ok()??;
    Some(kept.profile.mode)
}

/// Record in a file; `None`: there is no such file. `Err`: its path, and why it cannot be read.
fn in_file(path: &Path) -> Result<Option<Said>, String> {
    let damaged = |reason: String| format!("`{}` cannot be read: {reason}", path.display());
    let json = match read_record(path) {
        Ok(json) => json,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(damaged(error.to_string())),
    };
    let said: Said = serde_json::from_slice(&json).map_err(|error| damaged(error.to_string()))?;
    match said.version {
        VERSION => Ok(Some(said)),
        version => Err(damaged(format!("it has version {version} of the format"))),
    }
}
