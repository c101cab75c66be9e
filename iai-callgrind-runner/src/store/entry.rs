//! The results of one benchmark: `<home>/<package>/<file>/<group>/<function>[.<id>]`.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::commit;
use super::name::{FileName, Slot};
use super::SUMMARY;
use crate::error::Result;
use crate::tool::{Tool, ToolFile};

/// The results of one benchmark.
#[derive(Debug)]
pub struct BenchmarkEntry {
    pub(super) directory: PathBuf,
    pub(super) name: String,
    /// File names in the directory, listed once: nothing is replaced before all of the last result was
    /// read.
    pub(super) names: OnceLock<Vec<String>>,
    pub(super) warning: Option<String>,
}

impl BenchmarkEntry {
    /// Directory of the files.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The directory relative to the home: `<package>/<file>/<group>/<function>[.<id>]`.
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// Warning about a replacement that could not be finished.
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    /// Path of the record of a result.
    pub fn summary(&self, slot: &Slot) -> PathBuf {
        self.directory.join(slot.file(SUMMARY))
    }

    /// The files of this kind of a result of this tool, in the order of their names.
    ///
    /// # Errors
    ///
    /// The directory cannot be listed.
    pub fn files(&self, slot: &Slot, tool: Tool, file: ToolFile) -> Result<Vec<PathBuf>> {
        let names = match self.names.get() {
            Some(names) => names,
            None => {
                let listed = commit::list(&self.directory)?.into_iter();
                let names = listed.map(|listed| listed.name).collect();
                self.names.get_or_init(|| names)
            }
        };
        let files = names
            .iter()
            .filter(|name| FileName::is_file(name, slot, tool, file));
        Ok(files.map(|name| self.directory.join(name)).collect())
    }
}
