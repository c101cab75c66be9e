//! The units of a file: which one has an address, and each read at its first use.
//!
//! In the beginning only the first entry of each unit is read, for its ranges; hundreds of units share an executable of which a
//! benchmark runs a few. Units whose code is described in files of their own have no ranges here.

use gimli::{DebugInfoOffset, Dwarf, Unit, UnitHeader, UnitType};

use super::code::{CodeAttributes, UnitCode};
use super::lines::LineSequences;
use super::{CodeFrame, DebugSlice, EntryPlace};

/// Most bytes of units that are read ahead: beyond, it takes longer than Valgrind's start.
const MOST_AHEAD: usize = 4 << 20;

/// All units of a file.
pub(in super::super) struct DebugUnits {
    dwarf: Dwarf<DebugSlice>,
    /// In the order of their places.
    units: Vec<UnitSlot>,
    /// In the order of their ends.
    ranges: Vec<UnitRange>,
    /// The first of these that was looked at last.
    last: usize,
}

/// Place of a unit, and the unit once somebody has asked for it.
struct UnitSlot {
    start: usize,
    /// Name that the compiler gave it.
    name: Option<DebugSlice>,
    unit: Option<Box<DebugUnit>>,
}

/// Code of a unit.
struct UnitRange {
    begin: u64,
    end: u64,
    /// The lowest begin of this range and all behind it.
    lowest: u64,
    unit: usize,
}

/// A unit with what was read of it.
struct DebugUnit {
    unit: Unit<DebugSlice>,
    code: Option<UnitCode>,
    lines: Option<LineSequences>,
}

impl DebugUnits {
    /// Reads the ranges of all units. A damaged unit has none.
    ///
    /// # Errors
    ///
    /// Behind a damaged header the begin of the next unit is not known.
    pub(in super::super) fn new(dwarf: Dwarf<DebugSlice>) -> gimli::Result<Self> {
        let mut units = Vec::new();
        let mut ranges = Vec::new();
        let mut headers = dwarf.units();
        while let Some(header) = headers.next()? {
            let Some(start) = header.offset().as_debug_info_offset() else {
                continue;
            };
            let (name, of_unit) = code_of_unit(&dwarf, header);
            for (begin, end) in of_unit {
                ranges.push(UnitRange {
                    begin,
                    end,
                    lowest: 0,
                    unit: units.len(),
                });
            }
            units.push(UnitSlot {
                start: start.0,
                name,
                unit: None,
            });
        }
        ranges.sort_by_key(|range| range.end);
        let mut lowest = u64::MAX;
        for range in ranges.iter_mut().rev() {
            lowest = lowest.min(range.begin);
            range.lowest = lowest;
        }
        Ok(Self {
            dwarf,
            units,
            ranges,
            last: 0,
        })
    }

    /// Reads the units with these names, as far as addresses in them will need it.
    pub(in super::super) fn read_ahead(&mut self, is_wanted: impl Fn(&[u8]) -> bool) {
        let mut left = MOST_AHEAD;
        for slot in &mut self.units {
            if !slot.name.is_some_and(|name| is_wanted(name.slice())) {
                continue;
            }
            if let Some(unit) = slot.read(&self.dwarf) {
                let length = unit.unit.header.length_including_self();
                let Some(rest) = left.checked_sub(length) else {
                    return;
                };
                left = rest;
                unit.parts(&self.dwarf);
            }
        }
    }

    /// The frames of the instruction with this address, outermost first, as the first unit has them that knows its
    /// function or its line.
    pub(in super::super) fn find(&mut self, address: u64, frames: &mut Vec<CodeFrame>) {
        let is_before = |range: &UnitRange| range.end <= address;
        let (before, behind) = self.ranges.split_at(self.last);
        let is_same = before.last().is_none_or(is_before)
            && behind.first().is_some_and(|first| !is_before(first));
        if !is_same {
            self.last = self.ranges.partition_point(is_before);
        }
        let ranges = self.ranges[self.last..].iter();
        let ranges = ranges.take_while(|range| range.lowest <= address);
        for range in ranges.filter(|range| range.begin <= address) {
            let Some(unit) = self.units[range.unit].read(&self.dwarf) else {
                continue;
            };
            unit.find(&self.dwarf, range.unit, address, frames);
            if !frames.is_empty() {
                return;
            }
        }
    }

    /// A unit with its sections.
    pub(super) fn unit(
        &mut self,
        number: usize,
    ) -> Option<(&Dwarf<DebugSlice>, &Unit<DebugSlice>)> {
        let unit = self.units.get_mut(number)?.read(&self.dwarf)?;
        Some((&self.dwarf, &unit.unit))
    }

    /// The entry with this offset in the whole section.
    pub(super) fn entry_at(&self, offset: usize) -> Option<EntryPlace> {
        let after = self.units.partition_point(|unit| unit.start <= offset);
        let unit = after.checked_sub(1)?;
        Some(EntryPlace {
            unit,
            entry: offset - self.units[unit].start,
        })
    }
}

impl UnitSlot {
    /// The unit, read at its first use.
    fn read(&mut self, dwarf: &Dwarf<DebugSlice>) -> Option<&mut DebugUnit> {
        if self.unit.is_none() {
            let start = DebugInfoOffset(self.start);
            let header = dwarf.debug_info.header_from_offset(start).ok()?;
            self.unit = Some(Box::new(DebugUnit {
                unit: dwarf.unit(header).ok()?,
                code: None,
                lines: None,
            }));
        }
        self.unit.as_deref_mut()
    }
}

impl DebugUnit {
    /// The unit, its functions and its lines, read at their first use.
    fn parts(
        &mut self,
        dwarf: &Dwarf<DebugSlice>,
    ) -> (&Unit<DebugSlice>, &mut UnitCode, Option<&mut LineSequences>) {
        let unit = &self.unit;
        let code = self.code.get_or_insert_with(|| UnitCode::new(dwarf, unit));
        let lines = match (&mut self.lines, &unit.line_program) {
            (Some(lines), _) => Some(lines),
            (lines, Some(program)) => Some(lines.insert(LineSequences::new(program.header()))),
            (None, None) => None,
        };
        (unit, code, lines)
    }

    fn find(
        &mut self,
        dwarf: &Dwarf<DebugSlice>,
        number: usize,
        address: u64,
        frames: &mut Vec<CodeFrame>,
    ) {
        let (unit, code, lines) = self.parts(dwarf);
        code.find(dwarf, unit, number, address, frames);
        let Some(line) = lines.and_then(|lines| lines.at(address)) else {
            return;
        };
        // There are lines of functions that no entry describes.
        if frames.is_empty() {
            frames.push(CodeFrame::without_entry(number));
        }
        if let Some(innermost) = frames.last_mut() {
            innermost.file = Some(line.file);
            innermost.line = line.line;
        }
    }
}

/// The name of a unit and its code, by its first entry, else by its lines.
fn code_of_unit(
    dwarf: &Dwarf<DebugSlice>,
    header: UnitHeader<DebugSlice>,
) -> (Option<DebugSlice>, Vec<(u64, u64)>) {
    let is_compiled = !matches!(
        header.type_(),
        UnitType::Type { .. } | UnitType::SplitType { .. } | UnitType::Partial
    );
    let unit = is_compiled.then(|| dwarf.unit(header).ok()).flatten();
    let Some(unit) = unit.filter(|unit| unit.dwo_id.is_none()) else {
        return (None, Vec::new());
    };
    let mut ranges = Vec::new();
    let attributes = CodeAttributes::read(&unit, None);
    attributes.each_range(dwarf, &unit, |begin, end| ranges.push((begin, end)));
    if let (true, Some(program)) = (ranges.is_empty(), &unit.line_program) {
        ranges.extend(LineSequences::new(program.header()).ranges());
    }
    (unit.name, ranges)
}
