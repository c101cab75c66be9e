//! Declarations of functions, as the entries of debug information have them.
//!
//! Entries refer to others: an inlined call to its function, a method to its declaration. The
//! nearest one with a value counts. `addr2line` reads entries too, but only for the names of
//! functions.

use std::sync::Arc;

use gimli::{constants, AttributeValue, DebugInfoOffset, Dwarf, Reader, Unit};

use super::sections::DebugReader;

/// Place of an entry in the section.
pub(super) type EntryPlace = DebugInfoOffset<usize>;

/// The declaration of a function.
#[derive(Debug)]
pub(super) struct EntryFacts {
    /// The name with generic arguments (`DW_AT_name`).
    pub(super) instance: Option<String>,
    pub(super) file: Option<String>,
    pub(super) line: Option<u32>,
    /// The entry at the end of all references, which may be the first one.
    pub(super) origin: EntryPlace,
}

/// The entries of all units.
pub(super) struct DebugEntries {
    dwarf: Arc<Dwarf<DebugReader>>,
    /// The begins of all units, in order, with the units that were read.
    units: Vec<(EntryPlace, Option<Box<Unit<DebugReader>>>)>,
}

/// References from entry to entry that are followed; damaged ones may go in circles.
const MOST_REFERENCES: usize = 8;

impl DebugEntries {
    pub(super) fn new(dwarf: Arc<Dwarf<DebugReader>>) -> Self {
        let mut units = Vec::new();
        let mut headers = dwarf.units();
        while let Ok(Some(header)) = headers.next() {
            let begin = header.offset().as_debug_info_offset();
            units.extend(begin.map(|begin| (begin, None)));
        }
        Self { dwarf, units }
    }

    /// Facts about the function that an entry describes.
    pub(super) fn facts(&mut self, entry: EntryPlace) -> EntryFacts {
        let mut facts = EntryFacts {
            instance: None,
            file: None,
            line: None,
            origin: entry,
        };
        for _ in 0..MOST_REFERENCES {
            let Some(next) = self.add(&mut facts) else {
                break;
            };
            facts.origin = next;
        }
        facts
    }

    /// Adds facts of the entry that was reached. The result is the entry that it refers to.
    fn add(&mut self, facts: &mut EntryFacts) -> Option<EntryPlace> {
        let dwarf = Arc::clone(&self.dwarf);
        let unit = self.unit(facts.origin)?;
        let entry = unit.entry(facts.origin.to_unit_offset(&unit.header)?);
        let entry = entry.ok()?;
        let value = |name| entry.attr_value(name).ok().flatten();
        if facts.instance.is_none() {
            let name = value(constants::DW_AT_name);
            facts.instance = name.and_then(|name| text(&dwarf, unit, name));
        }
        // File and line are taken from one entry, since they mean nothing apart.
        if facts.line.is_none() {
            let line = value(constants::DW_AT_decl_line).and_then(|line| line.udata_value());
            let line = line.and_then(|line| u32::try_from(line).ok());
            facts.line = line.filter(|line| *line != 0);
            let file = value(constants::DW_AT_decl_file).and_then(|file| match file {
                AttributeValue::FileIndex(file) => Some(file),
                other => other.udata_value(),
            });
            facts.file = file.and_then(|file| path(&dwarf, unit, file));
        }
        let origin = value(constants::DW_AT_abstract_origin);
        match origin.or_else(|| value(constants::DW_AT_specification))? {
            AttributeValue::UnitRef(offset) => offset.to_debug_info_offset(&unit.header),
            AttributeValue::DebugInfoRef(offset) => Some(offset),
            _ => None,
        }
    }

    /// The unit of an entry, read at its first use.
    fn unit(&mut self, entry: EntryPlace) -> Option<&Unit<DebugReader>> {
        let after = self.units.partition_point(|(begin, _)| begin.0 <= entry.0);
        let (begin, unit) = &mut self.units[after.checked_sub(1)?];
        if unit.is_none() {
            let header = self.dwarf.debug_info.header_from_offset(*begin).ok()?;
            *unit = Some(Box::new(self.dwarf.unit(header).ok()?));
        }
        unit.as_deref()
    }
}

fn text(
    dwarf: &Dwarf<DebugReader>,
    unit: &Unit<DebugReader>,
    value: AttributeValue<DebugReader>,
) -> Option<String> {
    let text = dwarf.attr_string(unit, value).ok()?;
    Some(text.to_string_lossy().ok()?.into_owned())
}

/// The path of a file of a unit, put together as `addr2line` does it for lines.
fn path(dwarf: &Dwarf<DebugReader>, unit: &Unit<DebugReader>, file: u64) -> Option<String> {
    let header = unit.line_program.as_ref()?.header();
    // In DWARF 4 and before, 0 is no file.
    if file == 0 && header.version() < 5 {
        return None;
    }
    let file = header.file(file)?;
    let mut path = match &unit.comp_dir {
        Some(directory) => directory.to_string_lossy().ok()?.into_owned(),
        None => String::new(),
    };
    let directory = file.directory(header);
    let directory = directory.filter(|_| file.directory_index() != 0);
    for part in directory.into_iter().chain([file.path_name()]) {
        let part = text(dwarf, unit, part)?;
        match part.starts_with('/') {
            true => path.clear(),
            false if path.is_empty() || path.ends_with('/') => {}
            false => path.push('/'),
        }
        path += &part;
    }
    Some(path)
}
