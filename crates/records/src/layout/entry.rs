//! The results of one benchmark: `<home>/<package>/<file>/<group>/<function>[.<id>]`.

use std::path::{Path, PathBuf};

use super::name::{FileName, Slot};
use super::{RECORDS, SUMMARY, SUMMARY_OF_LAST};
use base::listed_directory::Listed;
use base::tool::{Tool, ToolFile};

/// The results of one benchmark.
#[derive(Debug)]
pub struct BenchmarkEntry {
    directory: PathBuf,
    name: String,
    /// The content of the directory, listed once: nothing is replaced before all of the last result
    /// was read.
    listed: Vec<Listed>,
}

impl BenchmarkEntry {
    /// The results in a directory, whose content was listed. `name`: the directory relative to the
    /// home.
    #[must_use]
    pub fn new(directory: PathBuf, name: String, listed: Vec<Listed>) -> Self {
        Self {
            directory,
            name,
            listed,
        }
    }

    /// Directory of the files.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The directory relative to the home: `<package>/<file>/<group>/<function>[.<id>]`.
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// The content of the directory.
    #[must_use]
    pub fn listed(&self) -> &[Listed] {
        &self.listed
    }

    /// Path of the record of a result.
    pub fn summary(&self, slot: &Slot) -> PathBuf {
        self.directory.join(slot.file(SUMMARY))
    }

    /// Path of the records of the bench file.
    #[must_use]
    pub fn records(&self, slot: &Slot) -> PathBuf {
        // The directory is that of a case, below group and bench file.
        let of_bench_file = self.directory.ancestors().nth(2);
        let directory = of_bench_file.unwrap_or(&self.directory);
        directory.join(slot.file(RECORDS))
    }

    /// Path of the records of a slot that the one of [`Self::summary`] is not about.
    #[must_use]
    pub fn other_records(&self, slot: &Slot) -> PathBuf {
        self.directory.join(slot.file(SUMMARY_OF_LAST))
    }

    /// The files of this kind of a result of this tool, in the order of their names.
    pub fn files(&self, slot: &Slot, tool: Tool, file: ToolFile) -> Vec<PathBuf> {
        let names = self.listed.iter().map(|listed| &listed.name);
        let files = names.filter(|name| FileName::is_file(name, slot, tool, file));
        files.map(|name| self.directory.join(name)).collect()
    }
}
