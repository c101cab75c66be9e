//! Functions and files of debug information, each kept once.
//!
//! A mangled name stands for one function wherever it is, so its place in the table of texts is enough to know it again.
//! Other names do not (`new`, static functions of C): there the entry tells that describes the function. Both ways
//! the entry itself is read only once for each of them.

use std::sync::Arc;

use addr2line::gimli::{
    constants as dwarf_words, AttributeValue, DebugInfoOffset, Dwarf, Unit, UnitOffset,
    UnitSectionOffset,
};

use super::frames::DebugSlice;
use super::names;
use crate::fast_map::FastMap;

pub(super) type UnitPlace = UnitSectionOffset<usize>;

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

/// All functions that were met.
#[derive(Debug, Default)]
pub(super) struct SourceFunctions(Vec<SourceFunction>);

impl SourceFunctions {
    pub(super) fn get(&self, id: SourceFunctionId) -> &SourceFunction {
        &self.0[id.0 as usize]
    }
}

/// Functions and files by what names them in the debug information.
pub(super) struct SourceNames {
    pub(super) functions: SourceFunctions,
    /// By place and length of a mangled name.
    by_name: FastMap<(usize, usize), SourceFunctionId>,
    /// By the entry of an inlined or other function.
    by_entry: FastMap<EntryPlace, SourceFunctionId>,
    files: Vec<Arc<str>>,
    file_by_place: FastMap<(usize, usize), SourceFileId>,
    file_by_path: FastMap<Arc<str>, SourceFileId>,
    entries: DebugEntries,
}

impl std::fmt::Debug for SourceNames {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = formatter.debug_struct("SourceNames");
        text.field("functions", &self.functions.0.len());
        text.field("files", &self.files.len())
            .finish_non_exhaustive()
    }
}

impl SourceNames {
    pub(super) fn new(dwarf: Arc<Dwarf<DebugSlice>>) -> Self {
        Self {
            functions: SourceFunctions::default(),
            by_name: FastMap::default(),
            by_entry: FastMap::default(),
            files: Vec::new(),
            file_by_place: FastMap::default(),
            file_by_path: FastMap::default(),
            entries: DebugEntries::new(dwarf),
        }
    }

    pub(super) fn path(&self, id: SourceFileId) -> &str {
        &self.files[id.0 as usize]
    }

    /// The number of a file. The text has to live as long as the debug information.
    pub(super) fn file(&mut self, path: &str) -> SourceFileId {
        let place = (path.as_ptr() as usize, path.len());
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

    /// The number of the function with this name, which stands in a table of texts that stays, and this entry.
    pub(super) fn function(
        &mut self,
        name: &[u8],
        entry: Option<UnitOffset>,
        unit: impl FnOnce() -> Option<UnitPlace>,
        file: Option<SourceFileId>,
    ) -> SourceFunctionId {
        // A name without an entry is that of a symbol, and so of one function.
        if is_mangled(name) || entry.is_none() {
            let place = (name.as_ptr() as usize, name.len());
            if let Some(id) = self.by_name.get(&place) {
                return *id;
            }
            let unit = unit().and_then(|unit| unit.as_debug_info_offset());
            let entry = unit.zip(entry).map(|(unit, entry)| (unit.0, entry.0));
            let id = self.described(name, entry);
            self.by_name.insert(place, id);
            let function = &mut self.functions.0[id.0 as usize];
            function.file = function.file.or(file);
            return id;
        }
        let unit = unit().and_then(|unit| unit.as_debug_info_offset());
        let unit = unit.map_or(usize::MAX, |unit| unit.0);
        let entry = entry.map_or(usize::MAX, |entry| entry.0);
        let id = self.bare(name, (unit, entry));
        let function = &mut self.functions.0[id.0 as usize];
        function.file = function.file.or(file);
        id
    }

    /// A function whose name does not tell it apart: all entries that come from the same one are the same function.
    fn bare(&mut self, name: &[u8], entry: EntryPlace) -> SourceFunctionId {
        if let Some(id) = self.by_entry.get(&entry) {
            return *id;
        }
        let origin = self.entries.origin(entry);
        let known = self.by_entry.get(&origin).copied();
        let id = known.unwrap_or_else(|| self.described(name, Some(entry)));
        self.by_entry.insert(origin, id);
        self.by_entry.insert(entry, id);
        id
    }

    fn described(&mut self, name: &[u8], entry: Option<EntryPlace>) -> SourceFunctionId {
        let description = entry.map(|entry| self.entries.describe(entry));
        let description = description.unwrap_or_default();
        let file = description.file.map(|path| self.file_with(&path));
        let id = SourceFunctionId(self.functions.0.len() as u32);
        self.functions.0.push(SourceFunction {
            name: names::canonical(&String::from_utf8_lossy(name)),
            instance: description.instance,
            file,
            line: description.line,
        });
        id
    }
}

/// Mangled names of Rust and C++.
pub(super) fn is_mangled(name: &[u8]) -> bool {
    name.starts_with(b"_R") || name.starts_with(b"_ZN")
}

/// What the entry of a function says of its source.
#[derive(Debug, Default)]
struct Description {
    instance: Option<String>,
    file: Option<String>,
    line: Option<u32>,
}

/// Place of an entry: the offset of its unit, and its own in there.
type EntryPlace = (usize, usize);

/// The entries of all units.
struct DebugEntries {
    dwarf: Arc<Dwarf<DebugSlice>>,
    /// Begins of all units, in order, with those that were read.
    units: Vec<(usize, Option<Box<Unit<DebugSlice>>>)>,
}

/// References from entry to entry that are followed; damaged ones may go in circles.
const MOST_REFERENCES: usize = 8;

impl DebugEntries {
    fn new(dwarf: Arc<Dwarf<DebugSlice>>) -> Self {
        let mut units = Vec::new();
        let mut headers = dwarf.units();
        while let Ok(Some(header)) = headers.next() {
            let offset = header.offset().as_debug_info_offset();
            units.extend(offset.map(|offset: DebugInfoOffset| (offset.0, None)));
        }
        Self { dwarf, units }
    }

    /// The unit that begins here, read at its first use.
    fn unit(&mut self, offset: usize) -> Option<&Unit<DebugSlice>> {
        let index = self
            .units
            .binary_search_by_key(&offset, |(start, _)| *start);
        let (start, unit) = &mut self.units[index.ok()?];
        if unit.is_none() {
            let header = self.dwarf.debug_info;
            let header = header.header_from_offset(DebugInfoOffset(*start)).ok()?;
            *unit = Some(Box::new(self.dwarf.unit(header).ok()?));
        }
        unit.as_deref()
    }

    /// The entry that this one refers to.
    fn next(&mut self, (unit_offset, entry): EntryPlace) -> Option<EntryPlace> {
        let unit = self.unit(unit_offset)?;
        let entry = unit.entry(UnitOffset(entry)).ok()?;
        let origin = entry.attr_value(dwarf_words::DW_AT_abstract_origin).ok()?;
        let origin = match origin {
            Some(origin) => origin,
            None => entry.attr_value(dwarf_words::DW_AT_specification).ok()??,
        };
        match origin {
            AttributeValue::UnitRef(offset) => Some((unit_offset, offset.0)),
            AttributeValue::DebugInfoRef(offset) => {
                let after = self.units.partition_point(|(start, _)| *start <= offset.0);
                let (start, _) = self.units[after.checked_sub(1)?];
                Some((start, offset.0 - start))
            }
            _ => None,
        }
    }

    /// The entry at the end of all references, which may be this one.
    fn origin(&mut self, place: EntryPlace) -> EntryPlace {
        let mut last = place;
        for _ in 0..MOST_REFERENCES {
            let Some(next) = self.next(last) else { break };
            last = next;
        }
        last
    }

    /// Name, file and line from the entry and those that it refers to; the nearest one that says something counts.
    fn describe(&mut self, place: EntryPlace) -> Description {
        let mut description = Description::default();
        let mut next = Some(place);
        for _ in 0..MOST_REFERENCES {
            let Some(place) = next else { break };
            self.add(place, &mut description);
            next = self.next(place);
        }
        description
    }

    fn add(&mut self, place: EntryPlace, description: &mut Description) -> Option<()> {
        let dwarf = Arc::clone(&self.dwarf);
        let unit = self.unit(place.0)?;
        let entry = unit.entry(UnitOffset(place.1)).ok()?;
        let value = |name| entry.attr_value(name).ok().flatten();
        if description.instance.is_none() {
            let name = value(dwarf_words::DW_AT_name);
            let name = name.and_then(|name| dwarf.attr_string(unit, name).ok());
            description.instance = name.map(|name| name.to_string_lossy().into_owned());
        }
        if description.line.is_none() {
            let line = value(dwarf_words::DW_AT_decl_line).and_then(|line| line.udata_value());
            let line = line.and_then(|line| u32::try_from(line).ok());
            let file = value(dwarf_words::DW_AT_decl_file);
            let index = match file {
                Some(AttributeValue::FileIndex(index)) => Some(index),
                Some(other) => other.udata_value(),
                None => None,
            };
            description.line = line.filter(|line| *line != 0);
            description.file = index.and_then(|index| path(&dwarf, unit, index));
        }
        Some(())
    }
}

/// The path of a file of a unit, put together as the look-up of lines does it.
fn path(dwarf: &Dwarf<DebugSlice>, unit: &Unit<DebugSlice>, index: u64) -> Option<String> {
    let header = unit.line_program.as_ref()?.header();
    // In DWARF 4 and before, 0 is no file.
    if index == 0 && header.version() <= 4 {
        return None;
    }
    let file = header.file(index)?;
    let mut path = unit.comp_dir.map_or_else(String::new, |directory| {
        directory.to_string_lossy().into_owned()
    });
    let mut push = |value: AttributeValue<DebugSlice>| {
        let part = dwarf.attr_string(unit, value).ok()?;
        let part = part.to_string_lossy();
        match part.starts_with('/') {
            true => path.clear(),
            false if path.is_empty() || path.ends_with('/') => {}
            false => path.push('/'),
        }
        path += &part;
        Some(())
    };
    if file.directory_index() != 0 {
        push(file.directory(header)?)?;
    }
    push(file.path_name())?;
    Some(path)
}
