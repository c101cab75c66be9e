//! Functions and files of debug information, each kept once.
//!
//! A mangled name stands for one function wherever it is, so its place in the table of texts is enough to know it again.
//! Other names do not (`new`, static functions of C): there the entry tells that describes the function. Both ways
//! an entry is read only once.

use std::sync::Arc;

use super::dwarf::{DebugUnits, EntryFacts, EntryPlace};
use super::names;
use crate::fast_map::FastMap;

/// Number of a function among those of a file's debug information.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceFunctionId(pub u32);

/// Number of a source file among those of a file's debug information.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceFileId(pub u32);

/// A function as debug information describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFunction {
    /// The canonical name; without path where only lines were compiled in.
    pub name: String,
    /// The name with its generic arguments, as the compiler wrote it (`DW_AT_name`).
    pub instance: Option<String>,
    /// The file of its declaration, else of the first code of it that has a line.
    pub file: Option<SourceFileId>,
    /// The line of its declaration.
    pub line: Option<u32>,
}

/// Functions and files by what names them in the debug information.
#[derive(Debug, Default)]
pub(super) struct SourceNames {
    functions: Vec<SourceFunction>,
    /// By place and length of a mangled name.
    by_name: FastMap<(usize, usize), SourceFunctionId>,
    /// By the entries that describe them.
    by_entry: FastMap<EntryPlace, EntryName>,
    files: Vec<Arc<str>>,
    /// By unit and number. `None`: there is no such file.
    file_by_number: FastMap<(usize, u64), Option<SourceFileId>>,
    file_by_path: FastMap<Arc<str>, SourceFileId>,
}

/// What the names of an entry and of those that it refers to tell.
#[derive(Debug, Clone, Copy)]
enum EntryName {
    /// It is mangled, and so that of one function.
    Mangled(SourceFunctionId),
    /// It has no path, and no symbol says more. All entries with the same origin are the same function.
    Bare(SourceFunctionId),
    /// It is not mangled as the symbol of the code is, which says more. So far nobody has asked without a symbol.
    OfSymbol,
}

impl SourceNames {
    pub(super) fn function(&self, id: SourceFunctionId) -> &SourceFunction {
        &self.functions[id.0 as usize]
    }

    pub(super) fn path(&self, id: SourceFileId) -> &str {
        &self.files[id.0 as usize]
    }

    /// The number of a file of a unit.
    pub(super) fn file(
        &mut self,
        unit: usize,
        number: u64,
        units: &mut DebugUnits,
    ) -> Option<SourceFileId> {
        if let Some(id) = self.file_by_number.get(&(unit, number)) {
            return *id;
        }
        let path = units.path(unit, number);
        let id = path.map(|path| self.file_with(&path));
        self.file_by_number.insert((unit, number), id);
        id
    }

    /// Each unit has its own numbers of the same paths.
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

    /// The function that an entry describes, or without an entry the one with this symbol. Code of an inlined function has
    /// no symbol. `None`: it has no name.
    pub(super) fn of(
        &mut self,
        entry: Option<EntryPlace>,
        symbol: Option<&str>,
        units: &mut DebugUnits,
    ) -> Option<SourceFunctionId> {
        let symbol = symbol.map(str::as_bytes);
        let Some(entry) = entry else {
            return symbol.map(|symbol| self.named(symbol, None, units));
        };
        let mangled_symbol = symbol.filter(|symbol| is_mangled(symbol));
        let known = self.by_entry.get(&entry).copied();
        match (known, mangled_symbol) {
            (Some(EntryName::Mangled(id)), _) | (Some(EntryName::Bare(id)), None) => {
                return Some(id);
            }
            (Some(_), Some(symbol)) => {
                if let Some(id) = self.by_name.get(&place(symbol)) {
                    return Some(*id);
                }
            }
            _ => {}
        }
        let facts = units.facts(entry);
        let mangled = facts.name.filter(|name| is_mangled(name));
        // Where only lines were compiled in, the symbol of the function has more than its entry.
        if let Some(name) = mangled.or(mangled_symbol) {
            let id = self.named(name, Some(&facts), units);
            let name = match mangled {
                Some(_) => EntryName::Mangled(id),
                None => known.unwrap_or(EntryName::OfSymbol),
            };
            self.by_entry.insert(entry, name);
            return Some(id);
        }
        let id = match self.by_entry.get(&facts.origin) {
            Some(EntryName::Bare(id)) => *id,
            _ => self.described(facts.name.or(symbol)?, Some(&facts), units),
        };
        for entry in [facts.origin, entry] {
            self.by_entry.insert(entry, EntryName::Bare(id));
        }
        Some(id)
    }

    /// A function without a declaration is taken to be in the file of the first code of it that has a line.
    #[inline]
    pub(super) fn seen_in(&mut self, function: SourceFunctionId, file: Option<SourceFileId>) {
        let function = &mut self.functions[function.0 as usize];
        function.file = function.file.or(file);
    }

    /// The function with a name that stands for it alone, in a table of texts that stays.
    fn named(
        &mut self,
        name: &[u8],
        facts: Option<&EntryFacts>,
        units: &mut DebugUnits,
    ) -> SourceFunctionId {
        if let Some(id) = self.by_name.get(&place(name)) {
            return *id;
        }
        let id = self.described(name, facts, units);
        self.by_name.insert(place(name), id);
        id
    }

    fn described(
        &mut self,
        name: &[u8],
        facts: Option<&EntryFacts>,
        units: &mut DebugUnits,
    ) -> SourceFunctionId {
        let file = facts.and_then(|facts| facts.file);
        let file = file.and_then(|(unit, file)| self.file(unit, file, units));
        let instance = facts.and_then(|facts| facts.instance);
        let id = SourceFunctionId(self.functions.len() as u32);
        self.functions.push(SourceFunction {
            name: names::canonical(&String::from_utf8_lossy(name)),
            instance: instance.map(|name| String::from_utf8_lossy(name).into_owned()),
            file,
            line: facts.and_then(|facts| facts.line),
        });
        id
    }
}

/// What a name in a table is known by.
fn place(name: &[u8]) -> (usize, usize) {
    (name.as_ptr() as usize, name.len())
}

/// Mangled names of Rust and C++.
fn is_mangled(name: &[u8]) -> bool {
    name.starts_with(b"_R") || name.starts_with(b"_ZN")
}
