//! Functions and files of debug information, each kept once.
//!
//! A mangled name stands for one function wherever it is, so its place in the table of texts is
//! enough to know it again. Other names do not (`new`, static functions of C): there the entry
//! tells that describes the function. Both ways an entry is read only once.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::entries::{DebugEntries, EntryFacts, EntryPlace};
use super::names;

/// Function of the debug information of one file;
/// [`FrameReader::function`](crate::FrameReader::function) has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceFunctionId(pub(crate) u32);

/// Source file of the debug information of one file;
/// [`FrameReader::file`](crate::FrameReader::file) has its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceFileId(pub(crate) u32);

/// A function as debug information describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFunction {
    /// Canonical name; without path where only lines were compiled in.
    pub name: String,
    /// Name with generic arguments but without path, as the compiler wrote it (`DW_AT_name`).
    pub instance: Option<String>,
    /// File of the declaration, otherwise of the first code of the function that has a line.
    pub file: Option<SourceFileId>,
    /// Line of the declaration, counted from 1.
    pub line: Option<u32>,
}

/// Functions and files by their identity in the debug information.
#[derive(Debug, Default)]
pub(super) struct SourceNames {
    functions: Vec<SourceFunction>,
    /// Functions by address and length of a mangled name in the string table.
    by_name: FxHashMap<(usize, usize), SourceFunctionId>,
    /// Functions by the entries that describe them.
    by_entry: FxHashMap<EntryPlace, SourceFunctionId>,
    files: Vec<Arc<str>>,
    /// Files by address and length of a path in the string table.
    file_by_place: FxHashMap<(usize, usize), SourceFileId>,
    file_by_path: FxHashMap<Arc<str>, SourceFileId>,
}

impl SourceNames {
    pub(super) fn function(&self, id: SourceFunctionId) -> &SourceFunction {
        &self.functions[id.0 as usize]
    }

    pub(super) fn path(&self, id: SourceFileId) -> &str {
        &self.files[id.0 as usize]
    }

    /// The number of a file. Its path is in memory as long as the debug information.
    pub(super) fn file(&mut self, path: &str) -> SourceFileId {
        let place = place(path.as_bytes());
        if let Some(id) = self.file_by_place.get(&place) {
            return *id;
        }
        let id = self.file_with(path);
        self.file_by_place.insert(place, id);
        id
    }

    /// Each unit has its own texts of the same paths.
    fn file_with(&mut self, path: &str) -> SourceFileId {
        if let Some(id) = self.file_by_path.get(path) {
            return *id;
        }
        let id = SourceFileId(self.files.len() as u32);
        let path: Arc<str> = path.into();
        self.files.push(Arc::clone(&path));
        self.file_by_path.insert(path, id);
        id
    }

    /// The function with a name that no other has, in a table of texts that stays.
    pub(super) fn named(
        &mut self,
        name: &[u8],
        entry: impl FnOnce() -> Option<EntryPlace>,
        entries: &mut DebugEntries,
    ) -> SourceFunctionId {
        let place = place(name);
        if let Some(id) = self.by_name.get(&place) {
            return *id;
        }
        let facts = entry().map(|entry| entries.facts(entry));
        let id = self.described(name, facts);
        self.by_name.insert(place, id);
        id
    }

    /// The function that an entry describes, with a name that others may have. All entries with the
    /// same origin are the same function.
    pub(super) fn of_entry(
        &mut self,
        name: &[u8],
        entry: EntryPlace,
        entries: &mut DebugEntries,
    ) -> SourceFunctionId {
        if let Some(id) = self.by_entry.get(&entry) {
            return *id;
        }
        let facts = entries.facts(entry);
        let origin = facts.origin;
        let id = match self.by_entry.get(&origin) {
            Some(id) => *id,
            None => self.described(name, Some(facts)),
        };
        // Each inlined copy has an entry of its own, and all copies share the origin.
        for entry in [origin, entry] {
            self.by_entry.insert(entry, id);
        }
        id
    }

    /// A function without a declaration is taken to be in the file of the first code of it that has
    /// a line.
    pub(super) fn seen_in(&mut self, function: SourceFunctionId, file: Option<SourceFileId>) {
        let function = &mut self.functions[function.0 as usize];
        function.file = function.file.or(file);
    }

    fn described(&mut self, name: &[u8], facts: Option<EntryFacts>) -> SourceFunctionId {
        let (instance, file, line) = match facts {
            Some(facts) => (facts.instance, facts.file, facts.line),
            None => (None, None, None),
        };
        let file = file.map(|file| self.file_with(&file));
        let id = SourceFunctionId(self.functions.len() as u32);
        self.functions.push(SourceFunction {
            name: names::canonical(&String::from_utf8_lossy(name)),
            instance,
            file,
            line,
        });
        id
    }
}

/// Identity of a name that borrows from a string table: its address and length, which are cheaper
/// to hash than the text.
fn place(name: &[u8]) -> (usize, usize) {
    // Sound while the sections are in memory: `InlinedFrames` holds them beside these names.
    (name.as_ptr() as usize, name.len())
}

/// Mangled names of Rust and C++.
pub(super) fn is_mangled(name: &[u8]) -> bool {
    name.starts_with(b"_R") || name.starts_with(b"_ZN")
}
