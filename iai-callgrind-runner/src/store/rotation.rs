//! The note of a replacement: what is deleted and what becomes the old result, before new files take their
//! names.
//!
//! A note that is read from disk is data, which another run, a cache or somebody else may have written. It names
//! files of the directory it lies in, and only such as we keep there, or it is refused as a whole.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::name::{FileName, Slot};
use super::SUMMARY_OF_LAST;
use crate::listed_directory::Listed;
use crate::regular_file;
use crate::tool::Tool;

/// The most bytes of a note, above that of a benchmark with a hundred thousand files.
const LONGEST: u64 = 16 << 20;

/// Files that are deleted or renamed before new files take their names.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Rotation {
    /// Old files whose place no current file takes.
    pub(super) delete: Vec<String>,
    /// Current files, which become old ones.
    pub(super) retire: Vec<String>,
    /// New files: their names beside the note, and the names that they get. `None`: the note is one of an earlier
    /// version, which moved files only after the note was deleted, and under the names that they had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) take: Option<Vec<(String, String)>>,
}

/// A note that cannot be carried out.
#[derive(Debug)]
pub(super) enum NoteError {
    /// The file could not be read, maybe only now.
    Io(io::Error),
    /// The note is not one that a run has written as a whole: the reason.
    Damaged(String),
}

impl Rotation {
    /// The rotation of the results of these tools in a slot, where files of these names are, for these new files.
    /// Files that stay are part of the new result as they are, and of the old one if that is kept.
    pub(super) fn of(
        slot: &Slot,
        present: &[Listed],
        tools: &[Tool],
        take: Vec<(String, String)>,
        stays: &[String],
    ) -> Self {
        let does_stay = |name: &&String| {
            let mut stays = stays.iter();
            stays.any(|stays| stays == *name || FileName::old(stays) == **name)
        };
        let names = present.iter().map(|listed| &listed.name);
        let names = names.filter(|name| !does_stay(name));
        // What a new file replaces needs not be deleted, and must not be when this is repeated.
        let is_replaced = |name: &&String| take.iter().any(|(_, new)| new == *name);
        if *slot != Slot::Last {
            let is_ours =
                |name: &&String| tools.iter().any(|tool| FileName::is_in(name, slot, *tool));
            let delete = names.filter(|name| is_ours(name) && !is_replaced(name));
            return Self {
                delete: delete.cloned().collect(),
                retire: Vec::new(),
                take: Some(take),
            };
        }
        let (old, retire): (Vec<String>, Vec<String>) = names
            .clone()
            .filter(|name| tools.iter().any(|tool| FileName::belongs(name, *tool)))
            .cloned()
            .partition(|name| tools.iter().any(|tool| FileName::is_old(name, *tool)));
        let replaced = |name: &String| retire.iter().any(|current| FileName::old(current) == *name);
        let mut delete: Vec<String> = old.into_iter().filter(|name| !replaced(name)).collect();
        // The last run is in `summary.json` again. A loaded baseline replaces no tool's result.
        let obsolete = names.filter(|name| *name == SUMMARY_OF_LAST);
        delete.extend(obsolete.filter(|_| !tools.is_empty()).cloned());
        delete.retain(|name| !is_replaced(&name));
        Self {
            delete,
            retire,
            take: Some(take),
        }
    }

    /// The note as it is written.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("lists of strings are JSON")
    }

    /// Reads a note. `None`: there is no such file.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, NoteError> {
        let bytes = match regular_file::read(path, LONGEST) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            // Something else than a file, which stays so.
            Err(error) if error.raw_os_error().is_none() => {
                return Err(NoteError::Damaged(format!(
                    "its note cannot be read, {error}"
                )));
            }
            Err(error) => return Err(NoteError::Io(error)),
        };
        let rotation: Self = serde_json::from_slice(&bytes)
            .map_err(|error| NoteError::Damaged(format!("its note cannot be read: {error}")))?;
        let taken = rotation.take.iter().flatten().map(|(_, name)| name);
        let named = rotation.delete.iter().chain(&rotation.retire).chain(taken);
        let mut others = named.filter(|name| !FileName::is_ours(name));
        match others.next() {
            None => Ok(Some(rotation)),
            Some(other) => Err(NoteError::Damaged(format!(
                "its note names {other:?}, which is no file of a result"
            ))),
        }
    }
}
