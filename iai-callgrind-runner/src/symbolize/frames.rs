//! Addresses to stacks of inlined functions.
//!
//! In: the debug sections of a file, and addresses. Out: for each address its frames, from the function that was
//! compiled to the innermost one that the compiler put in. Functions and files are kept once and named by small
//! numbers, since hundreds of thousands of frames share a few thousand of them. Code of line 0 has frames, but neither line nor
//! a file that means anything.

use std::sync::{Arc, MutexGuard};

use addr2line::gimli::{Dwarf, EndianSlice, RunTimeEndian, SectionId};
use addr2line::{Context, Frame, LookupResult};

use super::debug_facts::{DebugFacts, UnreadDebug};
use super::functions::{
    is_mangled, SourceFileId, SourceFunction, SourceFunctionId, SourceNames, UnitPlace,
};
use super::sections::DebugSections;
use super::symbol_table::FunctionSymbols;

pub(super) type DebugSlice = EndianSlice<'static, RunTimeEndian>;

/// A function that an instruction belongs to, and where in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SourceFrame {
    /// The function.
    pub function: SourceFunctionId,
    /// The file with the line; without one it means nothing.
    pub file: Option<SourceFileId>,
    /// The line: of the instruction in the last frame, in the others of the call of the next one.
    pub line: Option<u32>,
}

/// The debug information of a file, ready for look-ups.
pub(super) struct InlinedFrames {
    // Above the sections, which it points into: fields are dropped in their order.
    context: Context<DebugSlice>,
    names: SourceNames,
    frames: Vec<SourceFrame>,
    sections: Arc<DebugSections>,
}

impl std::fmt::Debug for InlinedFrames {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = formatter.debug_struct("InlinedFrames");
        text.field("names", &self.names).finish_non_exhaustive()
    }
}

impl InlinedFrames {
    /// Reads what stands at the begin of each unit; everything else is read when an address asks for it.
    pub(super) fn new(
        sections: DebugSections,
        endian: RunTimeEndian,
        has_names: bool,
    ) -> Result<(Self, DebugFacts), UnreadDebug> {
        let sections = Arc::new(sections);
        let slice = |id: SectionId| -> DebugSlice {
            let bytes = sections.get(id);
            // SAFETY: the bytes lie on the heap and stay where they are, unchanged, as long as the `Arc`, which lives in
            // the same value as all that has the slice and is dropped after it. No method hands a slice out.
            let bytes = unsafe { std::slice::from_raw_parts(bytes.as_ptr(), bytes.len()) };
            EndianSlice::new(bytes, endian)
        };
        let mut dwarf = Dwarf::load(|id| Ok::<_, UnreadDebug>(slice(id)))?;
        let facts = DebugFacts::read(&mut dwarf, has_names);
        let dwarf = Arc::new(dwarf);
        let context = Context::from_arc_dwarf(Arc::clone(&dwarf));
        let context = context.map_err(|error| UnreadDebug::Damaged(error.to_string()))?;
        let frames = Self {
            context,
            names: SourceNames::new(dwarf),
            frames: Vec::new(),
            sections,
        };
        Ok((frames, facts))
    }

    /// Bytes of the sections in memory.
    pub(super) fn length(&self) -> usize {
        self.sections.length()
    }

    fn at(&mut self, address: u64, symbols: &FunctionSymbols) -> &[SourceFrame] {
        self.frames.clear();
        // What a split file would say is not read.
        let LookupResult::Output(Ok(mut found)) = self.context.find_frames(address) else {
            return &self.frames;
        };
        // The unit is asked for at most once, and only where names do not tell functions apart.
        let mut unit = None;
        let mut unit = || {
            *unit.get_or_insert_with(|| {
                let unit = self.context.find_dwarf_and_unit(address).skip_all_loads();
                unit.map(|unit| unit.header.offset())
            })
        };
        let mut next = found.next().ok().flatten();
        while let Some(frame) = next {
            next = found.next().ok().flatten();
            let symbol = match next {
                Some(_) => None,
                None => symbols.at(address).map(|body| body.symbol),
            };
            let kept = kept(frame, symbol, &mut self.names, &mut unit);
            self.frames.extend(kept);
        }
        self.frames.reverse();
        &self.frames
    }
}

/// The frame with numbers for names. Code of no function has none.
fn kept(
    frame: Frame<'_, DebugSlice>,
    symbol: Option<&str>,
    names: &mut SourceNames,
    unit: impl FnOnce() -> Option<UnitPlace>,
) -> Option<SourceFrame> {
    let symbol = symbol.map(str::as_bytes);
    let name = match frame.function.map(|function| function.name.slice()) {
        Some(name) if is_mangled(name) => name,
        // Where only lines were compiled in, the symbol of the function has more than its entry.
        Some(name) => symbol.filter(|symbol| is_mangled(symbol)).unwrap_or(name),
        // There are lines of functions that no entry describes.
        None => symbol?,
    };
    let location = frame.location;
    let line = location.as_ref().and_then(|location| location.line);
    let file = location.and_then(|location| location.file);
    let file = line.and(file).map(|file| names.file(file));
    let function = names.function(name, frame.dw_die_offset, unit, file);
    Some(SourceFrame {
        function,
        file,
        line,
    })
}

/// Look-ups in the debug information of a file, one at a time.
#[derive(Debug)]
pub struct FrameReader<'a> {
    pub(super) frames: MutexGuard<'a, InlinedFrames>,
    pub(super) symbols: &'a FunctionSymbols,
}

impl FrameReader<'_> {
    /// The frames of the instruction with this address, outermost first. Empty: the debug information does not
    /// know it.
    pub fn at(&mut self, address: u64) -> &[SourceFrame] {
        self.frames.at(address, self.symbols)
    }

    /// A function of a frame.
    pub fn function(&self, id: SourceFunctionId) -> &SourceFunction {
        self.frames.names.functions.get(id)
    }

    /// The path of a file, as the compiler wrote it; absolute unless the compiler was told otherwise.
    pub fn file(&self, id: SourceFileId) -> &str {
        self.frames.names.path(id)
    }
}
