//! Addresses that linkers put into executables: which code goes through memory to which function, and which numbers
//! are addresses at all.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use object::read::elf::{ElfFile, FileHeader};
use object::{
    Endianness, Object, ObjectKind, ObjectSection, ObjectSegment, ObjectSymbol, ObjectSymbolTable,
    ReadRef, RelocationTarget,
};

use super::names;

/// What the linkers of a file decide.
#[derive(Debug, Default)]
pub(super) struct LinkedAddresses {
    slots: HashMap<u64, SlotTarget>,
    /// Where the file is loaded, if that is always the same place.
    loaded: Vec<Range<u64>>,
}

/// The function whose address the dynamic linker puts into a slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SlotTarget {
    /// A function of the same file.
    Address(u64),
    /// A function of another one, by its name.
    Imported(Arc<str>),
}

/// Most slots that are kept.
const MOST: usize = 1 << 20;

impl LinkedAddresses {
    pub(super) fn read<'data, H, R>(file: &ElfFile<'data, H, R>) -> Self
    where
        H: FileHeader<Endian = Endianness>,
        R: ReadRef<'data>,
    {
        let is_fixed = file.kind() == ObjectKind::Executable;
        let segments = file.segments().filter(|_| is_fixed);
        let loaded = segments.map(|segment| {
            let start = segment.address();
            start..start.saturating_add(segment.size())
        });
        Self {
            slots: slots(file),
            loaded: loaded.collect(),
        }
    }

    /// The target of the slot at this address.
    pub(super) fn slot(&self, address: u64) -> Option<&SlotTarget> {
        self.slots.get(&address)
    }

    /// Is a number in the code an address of the file?
    pub(super) fn is_fixed(&self, number: u64) -> bool {
        self.loaded.iter().any(|range| range.contains(&number))
    }
}

fn slots<'data, H, R>(file: &ElfFile<'data, H, R>) -> HashMap<u64, SlotTarget>
where
    H: FileHeader<Endian = Endianness>,
    R: ReadRef<'data>,
{
    let tables = file.sections().filter(|section| {
        let name = section.name().unwrap_or_default();
        name == ".got" || name.starts_with(".got.")
    });
    let tables = tables.map(|section| {
        let start = section.address();
        start..start.saturating_add(section.size())
    });
    let tables: Vec<Range<u64>> = tables.collect();
    let mut slots = HashMap::new();
    let symbols = file.dynamic_symbol_table();
    let relocations = file.dynamic_relocations().into_iter().flatten();
    for (address, relocation) in relocations {
        if !tables.iter().any(|table| table.contains(&address)) || slots.len() >= MOST {
            continue;
        }
        let target = match relocation.target() {
            RelocationTarget::Absolute => SlotTarget::Address(relocation.addend() as u64),
            RelocationTarget::Symbol(index) => {
                let symbol = symbols
                    .as_ref()
                    .and_then(|symbols| symbols.symbol_by_index(index).ok());
                let Some(symbol) = symbol else { continue };
                match symbol.is_definition() {
                    true => SlotTarget::Address(symbol.address()),
                    false => {
                        let name = symbol.name_bytes().unwrap_or_default();
                        let name = String::from_utf8_lossy(name);
                        SlotTarget::Imported(names::canonical(&name).into())
                    }
                }
            }
            _ => continue,
        };
        slots.insert(address, target);
    }
    slots
}
