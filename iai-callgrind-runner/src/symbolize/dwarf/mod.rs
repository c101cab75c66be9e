//! Debug information by address: the function that was compiled, those that were put into it, and the line.
//!
//! In: debug sections and addresses. Out: places of entries, and what these say. `gimli` reads units, entries and ranges; what is here decides what
//! is read at all, since an executable has a hundred times more than the addresses of a benchmark need.
//!
//! ```text
//! address → unit, by the ranges of all units       units.rs
//!         → function, by those of the unit         code.rs (shapes.rs passes over everything else)
//!         → inlined calls, by those of the function
//!         → line, by the sequences of the unit     lines.rs
//! entry   → names and declaration                  entries.rs
//! ```

mod code;
mod cursor;
mod entries;
mod lines;
mod shapes;
mod units;

use std::cmp::Ordering;

use gimli::{EndianSlice, RunTimeEndian};

pub(super) use self::entries::EntryFacts;
pub(super) use self::units::DebugUnits;

/// Bytes of a section. They outlive all that is made of them.
pub(super) type DebugSlice = EndianSlice<'static, RunTimeEndian>;

/// Place of an entry: the number of its unit, and its own offset in there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct EntryPlace {
    pub(super) unit: usize,
    pub(super) entry: usize,
}

/// A function that an instruction belongs to, and the place of the instruction or of the call of the next frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CodeFrame {
    pub(super) unit: usize,
    /// The entry that describes the function.
    pub(super) entry: Option<EntryPlace>,
    /// Number of a file of the unit.
    pub(super) file: Option<u64>,
    /// 0: none.
    pub(super) line: u32,
}

impl CodeFrame {
    fn of(entry: EntryPlace, unit: usize) -> Self {
        Self {
            entry: Some(entry),
            ..Self::without_entry(unit)
        }
    }

    fn without_entry(unit: usize) -> Self {
        Self {
            unit,
            entry: None,
            file: None,
            line: 0,
        }
    }
}

/// As `binary_search_by`, for searches that come in the order of the items: `last` is the one that was found before, which is most
/// often that of the next search.
fn search_from<T>(
    items: &[T],
    last: &mut usize,
    mut order: impl FnMut(&T) -> Ordering,
) -> Option<usize> {
    if !items.get(*last).is_some_and(|item| order(item).is_eq()) {
        *last = items.binary_search_by(order).ok()?;
    }
    Some(*last)
}

/// Where a range is, seen from an address, for a binary search.
fn order_of_range(begin: u64, end: u64, address: u64) -> Ordering {
    match address {
        address if address < begin => Ordering::Greater,
        address if address >= end => Ordering::Less,
        _ => Ordering::Equal,
    }
}
