//! Addresses that linkers put into executables: which code goes through memory to which function,
//! and which numbers are addresses at all.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use object::read::elf::{ElfFile, FileHeader};
use object::{
    Endianness, Object, ObjectKind, ObjectSection, ObjectSegment, ObjectSymbol, ObjectSymbolTable,
    ReadRef, RelocationTarget,
};

use super::names;

/// Addresses that are decided by the linker and the dynamic linker.
#[derive(Debug, Default)]
pub(super) struct LinkedAddresses {
    slots: HashMap<u64, SlotTarget>,
    /// Targets of the other pointers, ascending by their place.
    pointers: Vec<(u64, SlotTarget)>,
    /// Loaded segments, if the file is always loaded at the same address.
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
        // Elsewhere no number in the code is an address, since the file may be loaded anywhere.
        let segments = file.segments().filter(|_| is_fixed);
        let loaded = segments.map(|segment| {
            let start = segment.address();
            start..start.saturating_add(segment.size())
        });
        let (slots, pointers) = slots(file);
        Self {
            slots,
            pointers,
            loaded: loaded.collect(),
        }
    }

    /// The target of the slot at this address.
    pub(super) fn slot(&self, address: u64) -> Option<&SlotTarget> {
        self.slots.get(&address)
    }

    /// The target of a pointer outside of these tables.
    pub(super) fn pointer(&self, address: u64) -> Option<&SlotTarget> {
        let place = |(place, _): &(u64, SlotTarget)| *place;
        let found = self.pointers.binary_search_by_key(&address, place).ok()?;
        Some(&self.pointers[found].1)
    }

    /// Addresses of this file that pointers outside of these tables hold.
    pub(super) fn pointed(&self) -> impl Iterator<Item = u64> + '_ {
        self.pointers.iter().filter_map(|(_, target)| match target {
            SlotTarget::Address(address) => Some(*address),
            SlotTarget::Imported(_) => None,
        })
    }

    /// Is a number in the code an address of the file?
    pub(super) fn is_fixed(&self, number: u64) -> bool {
        self.loaded.iter().any(|range| range.contains(&number))
    }
}

/// Slots of the linkage tables, and pointers elsewhere, ascending by their place.
fn slots<'data, H, R>(
    file: &ElfFile<'data, H, R>,
) -> (HashMap<u64, SlotTarget>, Vec<(u64, SlotTarget)>)
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
    let mut pointers = Vec::new();
    let symbols = file.dynamic_symbol_table();
    let relocations = file.dynamic_relocations().into_iter().flatten();
    for (address, relocation) in relocations {
        if slots.len() + pointers.len() >= MOST {
            break;
        }
        let target = match relocation.target() {
            // A relative relocation: the dynamic linker adds the place of the file to this address.
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
        match tables.iter().any(|table| table.contains(&address)) {
            true => drop(slots.insert(address, target)),
            false => pointers.push((address, target)),
        }
    }
    // Linkers group relocations by kind and symbol (`-z combreloc`), not by place.
    pointers.sort_by_key(|(address, _)| *address);
    (slots, pointers)
}
