//! What the entry of a function says of its source: names, file and line of the declaration.
//!
//! Entries refer to others: an inlined call to its function, a method to its declaration. The nearest one that says something counts.

use gimli::{constants, Attribute, AttributeValue, Dwarf, Unit, UnitOffset};

use super::units::DebugUnits;
use super::{DebugSlice, EntryPlace};

/// References from entry to entry that are followed; damaged ones may go in circles.
const MOST_REFERENCES: usize = 8;

/// What an entry and those that it refers to say.
#[derive(Debug)]
pub(in super::super) struct EntryFacts {
    /// The mangled name, else the one of the source.
    pub(in super::super) name: Option<&'static [u8]>,
    /// The name with generic arguments (`DW_AT_name`).
    pub(in super::super) instance: Option<&'static [u8]>,
    /// Unit and number of the file of the declaration.
    pub(in super::super) file: Option<(usize, u64)>,
    pub(in super::super) line: Option<u32>,
    /// The entry at the end of all references, which may be this one.
    pub(in super::super) origin: EntryPlace,
}

/// What a single entry says.
#[derive(Default)]
struct SingleEntry {
    linkage_name: Option<&'static [u8]>,
    name: Option<&'static [u8]>,
    file: Option<u64>,
    line: Option<u32>,
    origin: Option<AttributeValue<DebugSlice>>,
    specification: Option<AttributeValue<DebugSlice>>,
}

impl DebugUnits {
    /// Facts about the function that an entry describes.
    pub(in super::super) fn facts(&mut self, place: EntryPlace) -> EntryFacts {
        let mut facts = EntryFacts {
            name: None,
            instance: None,
            file: None,
            line: None,
            origin: place,
        };
        for _ in 0..MOST_REFERENCES {
            let Some(entry) = self.single(facts.origin) else {
                break;
            };
            facts.name = facts.name.or(entry.linkage_name).or(entry.name);
            facts.instance = facts.instance.or(entry.name);
            if facts.line.is_none() {
                facts.line = entry.line;
                facts.file = entry.file.map(|file| (facts.origin.unit, file));
            }
            let unit = facts.origin.unit;
            let next = match entry.origin.or(entry.specification) {
                Some(AttributeValue::UnitRef(UnitOffset(entry))) => {
                    Some(EntryPlace { unit, entry })
                }
                Some(AttributeValue::DebugInfoRef(offset)) => self.entry_at(offset.0),
                _ => None,
            };
            let Some(next) = next else { break };
            facts.origin = next;
        }
        facts
    }

    /// The path of a file of a unit.
    pub(in super::super) fn path(&mut self, unit: usize, file: u64) -> Option<String> {
        let (dwarf, unit) = self.unit(unit)?;
        path(dwarf, unit, file)
    }

    /// `None`: there is no such entry, or it is damaged.
    fn single(&mut self, place: EntryPlace) -> Option<SingleEntry> {
        let (dwarf, unit) = self.unit(place.unit)?;
        let mut entries = unit.entries_raw(Some(UnitOffset(place.entry))).ok()?;
        let abbreviation = entries.read_abbreviation().ok()??;
        let mut found = SingleEntry::default();
        for specification in abbreviation.attributes() {
            found.add(dwarf, unit, &entries.read_attribute(*specification).ok()?);
        }
        Some(found)
    }
}

impl SingleEntry {
    fn add(
        &mut self,
        dwarf: &Dwarf<DebugSlice>,
        unit: &Unit<DebugSlice>,
        attribute: &Attribute<DebugSlice>,
    ) {
        let text = || {
            let text = dwarf.attr_string(unit, attribute.value());
            text.ok().map(|text| text.slice())
        };
        match attribute.name() {
            constants::DW_AT_linkage_name | constants::DW_AT_MIPS_linkage_name => {
                self.linkage_name = self.linkage_name.or_else(text);
            }
            constants::DW_AT_name => self.name = text(),
            constants::DW_AT_decl_line => {
                let line = attribute.udata_value();
                let line = line.and_then(|line| u32::try_from(line).ok());
                self.line = line.filter(|line| *line != 0);
            }
            constants::DW_AT_decl_file => {
                let file = match attribute.value() {
                    AttributeValue::FileIndex(file) => Some(file),
                    other => other.udata_value(),
                };
                // In DWARF 4 and before, 0 is no file.
                let least = u64::from(unit.header.version() < 5);
                self.file = file.filter(|file| *file >= least);
            }
            constants::DW_AT_abstract_origin => self.origin = Some(attribute.value()),
            constants::DW_AT_specification => self.specification = Some(attribute.value()),
            _ => {}
        }
    }
}

/// The path of a file: those of the unit and of its directory stand before it, unless it is absolute.
fn path(dwarf: &Dwarf<DebugSlice>, unit: &Unit<DebugSlice>, file: u64) -> Option<String> {
    let header = unit.line_program.as_ref()?.header();
    let file = header.file(file)?;
    let mut path = unit.comp_dir.map_or_else(String::new, |directory| {
        directory.to_string_lossy().into_owned()
    });
    let mut push = |part: AttributeValue<DebugSlice>| {
        let part = dwarf.attr_string(unit, part).ok()?;
        let part = part.to_string_lossy();
        match part.starts_with('/') {
            true => path.clear(),
            false if path.is_empty() || path.ends_with('/') => {}
            false => path.push('/'),
        }
        path += &part;
        Some(())
    };
    if let Some(directory) = file
        .directory(header)
        .filter(|_| file.directory_index() != 0)
    {
        push(directory)?;
    }
    push(file.path_name())?;
    Some(path)
}
