//! The functions of a unit that have code, and the calls that were inlined into each.
//!
//! One pass over the entries of a unit finds its functions; the inlined calls of a function are read when an address
//! is in it. Functions and calls are looked up by their ranges, as the compiler wrote them.

use gimli::{constants, Attribute, AttributeValue, Dwarf, Unit, UnitOffset};

use super::cursor::ByteCursor;
use super::shapes::{EntryKind, EntryShapes};
use super::{order_of_range, search_from, CodeFrame, DebugSlice, EntryPlace};

/// Most ranges of the functions of a unit, and of the calls of a function. Damaged entries may all have the same long list.
const MOST_RANGES: usize = 1 << 20;

/// The functions of a unit that have code.
pub(super) struct UnitCode {
    shapes: EntryShapes,
    functions: Vec<CompiledFunction>,
    /// In the order of their begins.
    ranges: Vec<FunctionRange>,
    /// The range that was found last.
    last: usize,
}

struct CompiledFunction {
    entry: usize,
    /// Read at their first use.
    inlined: Option<InlinedCalls>,
}

struct FunctionRange {
    begin: u64,
    end: u64,
    function: usize,
}

/// The inlined calls of a function, also those in others.
#[derive(Default)]
struct InlinedCalls {
    calls: Vec<InlinedCall>,
    /// By depth, and then in the order of their begins.
    ranges: Vec<InlinedRange>,
}

/// Call in whose place is the code of the called function.
struct InlinedCall {
    /// The entry that describes the function.
    function: EntryPlace,
    file: Option<u64>,
    line: u32,
}

struct InlinedRange {
    /// Number of inlined calls around it.
    depth: usize,
    begin: u64,
    end: u64,
    call: usize,
}

impl UnitCode {
    /// Looks for the functions. A damaged unit has those before the damage.
    pub(super) fn new(dwarf: &Dwarf<DebugSlice>, unit: &Unit<DebugSlice>) -> Self {
        let mut code = Self {
            shapes: EntryShapes::default(),
            functions: Vec::new(),
            ranges: Vec::new(),
            last: 0,
        };
        let _: Option<()> = code.read(dwarf, unit);
        code.ranges.sort_by_key(|range| range.begin);
        code
    }

    /// `None`: the unit is damaged.
    fn read(&mut self, dwarf: &Dwarf<DebugSlice>, unit: &Unit<DebugSlice>) -> Option<()> {
        let header = unit.header.header_size();
        let mut cursor = entries_from(unit, header)?;
        while !cursor.is_at_end() && self.ranges.len() < MOST_RANGES {
            let entry = header + cursor.at();
            let code = cursor.unsigned()?;
            if code == 0 {
                continue;
            }
            let shape = self.shapes.of(code, unit)?;
            shape.skip(&mut cursor)?;
            if shape.kind == EntryKind::Compiled {
                self.add(dwarf, unit, entry);
            }
        }
        Some(())
    }

    fn add(&mut self, dwarf: &Dwarf<DebugSlice>, unit: &Unit<DebugSlice>, entry: usize) {
        let function = self.functions.len();
        let before = self.ranges.len();
        let ranges = &mut self.ranges;
        CodeAttributes::read(unit, Some(entry)).each_range(dwarf, unit, |begin, end| {
            ranges.push(FunctionRange {
                begin,
                end,
                function,
            });
        });
        if self.ranges.len() > before {
            self.functions.push(CompiledFunction {
                entry,
                inlined: None,
            });
        }
    }

    /// The function with this address and the inlined calls there, outermost first; each with the place of the call of the
    /// next. The last one has no line.
    pub(super) fn find(
        &mut self,
        dwarf: &Dwarf<DebugSlice>,
        unit: &Unit<DebugSlice>,
        number: usize,
        address: u64,
        frames: &mut Vec<CodeFrame>,
    ) {
        let order = |range: &FunctionRange| order_of_range(range.begin, range.end, address);
        let Some(found) = search_from(&self.ranges, &mut self.last, order) else {
            return;
        };
        let function = &mut self.functions[self.ranges[found].function];
        let place = EntryPlace {
            unit: number,
            entry: function.entry,
        };
        frames.push(CodeFrame::of(place, number));
        let shapes = &mut self.shapes;
        let inlined = function.inlined.get_or_insert_with(|| {
            let mut inlined = InlinedCalls::default();
            let _: Option<()> = inlined.read(dwarf, unit, place, shapes);
            inlined
                .ranges
                .sort_by_key(|range| (range.depth, range.begin));
            inlined
        });
        inlined.find(number, address, frames);
    }
}

impl InlinedCalls {
    /// Reads the calls below the entry of a function. `None`: the unit is damaged.
    fn read(
        &mut self,
        dwarf: &Dwarf<DebugSlice>,
        unit: &Unit<DebugSlice>,
        place: EntryPlace,
        shapes: &mut EntryShapes,
    ) -> Option<()> {
        let mut cursor = entries_from(unit, place.entry)?;
        let mut depth = 0_usize;
        // The depths of the calls around an entry, and that of a function within the function, which has nothing to do with it.
        let mut around: Vec<usize> = Vec::new();
        let mut other: Option<usize> = None;
        loop {
            let entry = place.entry + cursor.at();
            let code = cursor.unsigned()?;
            if code == 0 {
                depth = depth.checked_sub(1)?;
            } else {
                let shape = shapes.of(code, unit)?;
                shape.skip(&mut cursor)?;
                while around.last().is_some_and(|call| *call >= depth) {
                    around.pop();
                }
                other = other.filter(|function| depth > *function);
                match shape.kind {
                    _ if other.is_some() || depth == 0 => {}
                    EntryKind::Inlined => {
                        let call = EntryPlace { entry, ..place };
                        self.add(dwarf, unit, call, around.len());
                        around.push(depth);
                    }
                    EntryKind::Compiled | EntryKind::Abstract => other = Some(depth),
                    EntryKind::Other => {}
                }
                depth += usize::from(shape.has_children);
            }
            if depth == 0 || self.ranges.len() >= MOST_RANGES {
                return Some(());
            }
        }
    }

    fn add(
        &mut self,
        dwarf: &Dwarf<DebugSlice>,
        unit: &Unit<DebugSlice>,
        place: EntryPlace,
        depth: usize,
    ) {
        let attributes = CodeAttributes::read(unit, Some(place.entry));
        let call = self.calls.len();
        self.calls.push(InlinedCall {
            function: match attributes.origin {
                Some(entry) if !attributes.describes_itself => EntryPlace { entry, ..place },
                _ => place,
            },
            file: attributes.call_file,
            line: attributes.call_line,
        });
        let ranges = &mut self.ranges;
        attributes.each_range(dwarf, unit, |begin, end| {
            ranges.push(InlinedRange {
                depth,
                begin,
                end,
                call,
            });
        });
    }

    /// Adds the calls around an address to the function, outermost first.
    fn find(&self, unit: usize, address: u64, frames: &mut Vec<CodeFrame>) {
        let mut ranges = &self.ranges[..];
        for depth in 0.. {
            let order = |range: &InlinedRange| {
                let within = || order_of_range(range.begin, range.end, address);
                range.depth.cmp(&depth).then_with(within)
            };
            let Ok(found) = ranges.binary_search_by(order) else {
                return;
            };
            let call = &self.calls[ranges[found].call];
            if let Some(outer) = frames.last_mut() {
                (outer.file, outer.line) = (call.file, call.line);
            }
            frames.push(CodeFrame::of(call.function, unit));
            ranges = &ranges[found + 1..];
        }
    }
}

/// What the entry of a unit, a function or an inlined call says of its code.
#[derive(Default)]
pub(super) struct CodeAttributes {
    low: Option<AttributeValue<DebugSlice>>,
    high: Option<AttributeValue<DebugSlice>>,
    ranges: Option<AttributeValue<DebugSlice>>,
    /// The entry of the same unit that describes the function.
    origin: Option<usize>,
    /// There is a name or a declaration in the entry itself.
    describes_itself: bool,
    call_file: Option<u64>,
    call_line: u32,
}

impl CodeAttributes {
    /// Those of the entry with this offset, else of the first one. A damaged entry has those before the damage.
    pub(super) fn read(unit: &Unit<DebugSlice>, entry: Option<usize>) -> Self {
        let mut found = Self::default();
        let _: gimli::Result<()> = found.add_all(unit, entry);
        found
    }

    fn add_all(&mut self, unit: &Unit<DebugSlice>, entry: Option<usize>) -> gimli::Result<()> {
        let mut entries = unit.entries_raw(entry.map(UnitOffset))?;
        if let Some(abbreviation) = entries.read_abbreviation()? {
            for specification in abbreviation.attributes() {
                self.add(unit, &entries.read_attribute(*specification)?);
            }
        }
        Ok(())
    }

    fn add(&mut self, unit: &Unit<DebugSlice>, attribute: &Attribute<DebugSlice>) {
        let value = || Some(attribute.value());
        match attribute.name() {
            constants::DW_AT_low_pc => self.low = value(),
            constants::DW_AT_high_pc => self.high = value(),
            constants::DW_AT_ranges => self.ranges = value(),
            constants::DW_AT_call_line => {
                self.call_line = attribute.udata_value().unwrap_or(0) as u32;
            }
            constants::DW_AT_call_file => {
                // In DWARF 4 and before, 0 is no file.
                let least = u64::from(unit.header.version() < 5);
                self.call_file = match attribute.value() {
                    AttributeValue::FileIndex(file) => Some(file).filter(|file| *file >= least),
                    _ => None,
                };
            }
            constants::DW_AT_abstract_origin => {
                if let AttributeValue::UnitRef(UnitOffset(origin)) = attribute.value() {
                    self.origin = Some(origin);
                }
            }
            constants::DW_AT_name
            | constants::DW_AT_linkage_name
            | constants::DW_AT_MIPS_linkage_name
            | constants::DW_AT_specification
            | constants::DW_AT_decl_file
            | constants::DW_AT_decl_line => self.describes_itself = true,
            _ => {}
        }
    }

    /// Shows each range of code. Damaged ranges are as none.
    pub(super) fn each_range(
        &self,
        dwarf: &Dwarf<DebugSlice>,
        unit: &Unit<DebugSlice>,
        mut show: impl FnMut(u64, u64),
    ) {
        let mut show = |begin, end| {
            if begin < end {
                show(begin, end);
            }
        };
        let list = self.ranges;
        let list = list.and_then(|list| dwarf.attr_ranges(unit, list).ok().flatten());
        if let Some(mut list) = list {
            for _ in 0..MOST_RANGES {
                let Ok(Some(range)) = list.next() else { break };
                show(range.begin, range.end);
            }
            return;
        }
        let address = |value: Option<AttributeValue<DebugSlice>>| {
            let address = dwarf.attr_address(unit, value?);
            address.ok().flatten()
        };
        let Some(begin) = address(self.low) else {
            return;
        };
        let end = match self.high {
            // Code that was left out may begin at the highest address.
            Some(AttributeValue::Udata(length)) => Some(begin.wrapping_add(length)),
            high => address(high),
        };
        if let Some(end) = end {
            show(begin, end);
        }
    }
}

/// The bytes of a unit from this entry on.
fn entries_from(unit: &Unit<DebugSlice>, entry: usize) -> Option<ByteCursor<'static>> {
    let bytes = unit.header.range_from(UnitOffset(entry)..).ok()?;
    Some(ByteCursor::new(bytes))
}
