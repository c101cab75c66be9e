//! Renames and deletions of one replacement: old files of a benchmark's directory make room for new
//! ones.
//!
//! A rotation that is read from disk is untrusted data, which another run, a cache or another user
//! may have written. It is refused unless it names only files of this directory that the store
//! keeps there.

use serde::{Deserialize, Serialize};

use super::places::WORK_PREFIX;
use ::records::layout::SUMMARY_OF_LAST;
use ::records::layout::{FileName, Slot};
use base::listed_directory::Listed;
use base::tool::Tool;

/// Files that are deleted, renamed and moved in the directory of a benchmark.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Rotation {
    /// The directory, below that of the bench file.
    pub(super) directory: String,
    /// Old files whose place no current file takes.
    pub(super) delete: Vec<String>,
    /// Current files, which become old ones.
    pub(super) retire: Vec<String>,
    /// New files: their paths in private directories, below the directory of the bench file, and
    /// the names that they get.
    pub(super) take: Vec<(String, String)>,
}

impl Rotation {
    /// The rotation of the results of these tools in a slot, where files of these names are, for
    /// these new files.
    pub(super) fn of(
        directory: String,
        slot: &Slot,
        present: &[Listed],
        tools: &[Tool],
        take: Vec<(String, String)>,
    ) -> Self {
        let names = present.iter().map(|listed| &listed.name);
        // A file that is replaced needs no deletion. When the rotation is repeated, a deletion
        // would remove the new file.
        let is_replaced = |name: &&String| take.iter().any(|(_, new)| new == *name);
        if *slot != Slot::Last {
            let is_ours =
                |name: &&String| tools.iter().any(|tool| FileName::is_in(name, slot, *tool));
            let others = slot.file(SUMMARY_OF_LAST);
            let is_old = |name: &&String| is_ours(name) || **name == others;
            let delete = names.filter(|name| is_old(name) && !is_replaced(name));
            return Self {
                directory,
                delete: delete.cloned().collect(),
                retire: Vec::new(),
                take,
            };
        }
        let (old, retire): (Vec<String>, Vec<String>) = names
            .clone()
            .filter(|name| tools.iter().any(|tool| FileName::belongs(name, *tool)))
            .cloned()
            .partition(|name| tools.iter().any(|tool| FileName::is_old(name, *tool)));
        let replaced = |name: &String| retire.iter().any(|current| FileName::old(current) == *name);
        let mut delete: Vec<String> = old.into_iter().filter(|name| !replaced(name)).collect();
        // Nothing of it is left: `summary.json` is about all of the last run. A loaded baseline
        // replaces no tool's result.
        let obsolete = names.filter(|name| *name == SUMMARY_OF_LAST);
        delete.extend(obsolete.filter(|_| !tools.is_empty()).cloned());
        delete.retain(|name| !is_replaced(&name));
        Self {
            directory,
            delete,
            retire,
            take,
        }
    }

    /// Could a run have written this?
    ///
    /// # Errors
    ///
    /// The reason why not.
    pub(super) fn check(&self) -> Result<(), String> {
        let is_visible = |name: &str| is_name(name) && !name.starts_with('.');
        let directory = self.directory.split_once('/');
        if !directory.is_some_and(|(group, name)| is_visible(group) && is_visible(name)) {
            let directory = &self.directory;
            return Err(format!(
                "{directory:?}, which is no directory of a benchmark"
            ));
        }
        let names = self.take.iter().map(|(_, name)| name);
        let mut named = self.delete.iter().chain(&self.retire).chain(names);
        if let Some(other) = named.find(|name| !FileName::is_ours(name)) {
            return Err(format!("{other:?}, which is no file of a result"));
        }
        let is_private = |source: &str| {
            let parts = source.split_once('/');
            parts.is_some_and(|(work, name)| work.starts_with(WORK_PREFIX) && is_name(name))
        };
        match self.take.iter().find(|(source, _)| !is_private(source)) {
            Some((other, _)) => Err(format!("{other:?}, which is no file of a run")),
            None => Ok(()),
        }
    }
}

/// Is this a name in a directory, and no path?
fn is_name(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\0'])
}
