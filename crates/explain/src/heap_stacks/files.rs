//! Source files of frames, each once, with their owners.

use std::collections::HashMap;
use std::path::Path;

use super::HeapFile;
use symbols::SourceOwner;

/// The files that were met.
pub(super) struct HeapFileTable<'a> {
    workspace: &'a Path,
    files: Vec<HeapFile>,
    by_path: HashMap<Box<str>, u32>,
}

impl<'a> HeapFileTable<'a> {
    pub(super) fn new(workspace: &'a Path) -> Self {
        Self {
            workspace,
            files: Vec::new(),
            by_path: HashMap::new(),
        }
    }

    /// The number of a file with this path, as the compiler wrote it.
    pub(super) fn id(&mut self, path: &str) -> u32 {
        if let Some(id) = self.by_path.get(path) {
            return *id;
        }
        let id = self.files.len() as u32;
        let owner = SourceOwner::of(path, self.workspace, None);
        self.files.push(HeapFile {
            path: owner.path,
            origin: owner.origin,
            package: owner.package,
        });
        self.by_path.insert(path.into(), id);
        id
    }

    pub(super) fn finish(self) -> Vec<HeapFile> {
        self.files
    }
}
