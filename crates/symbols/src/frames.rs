//! Addresses to stacks of inlined functions.
//!
//! In: the debug sections of a file, and addresses. Out: for each address its frames, from the
//! function that was compiled to the innermost one that the compiler put in. Functions and files
//! are kept once and named by small numbers, since hundreds of thousands of frames share a few
//! thousand of them. Code of line 0 has frames, but neither line nor a file that means anything.
//!
//! `addr2line` finds the frames. Damaged entries cost frames, no more. It calls itself for each
//! inlined call within another, so a file that was made for it, with thousands of them, overflows
//! the stack. Nobody gains by that: an executable that is read here was run before.

use std::sync::{Arc, MutexGuard};

use addr2line::{Context, Frame, LookupResult};
use gimli::{Dwarf, RunTimeEndian};

use super::debug_facts::{DebugFacts, UnreadDebug};
use super::entries::{DebugEntries, EntryPlace};
use super::function_symbols::FunctionSymbols;
use super::functions::{is_mangled, SourceFileId, SourceFunction, SourceFunctionId, SourceNames};
use super::sections::{DebugReader, DebugSections};

/// Frame of an instruction: a function, compiled or inlined, and the place in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SourceFrame {
    /// Function of the frame.
    pub function: SourceFunctionId,
    /// File that has the line; `None` if there is no line.
    pub file: Option<SourceFileId>,
    /// Line, counted from 1: of the instruction in the last frame, in the others of the call that
    /// was inlined as the next frame.
    pub line: Option<u32>,
}

/// The debug information of a file, ready for look-ups.
pub(super) struct InlinedFrames {
    context: Context<DebugReader>,
    entries: DebugEntries,
    names: SourceNames,
    frames: Vec<SourceFrame>,
}

impl std::fmt::Debug for InlinedFrames {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = formatter.debug_struct("InlinedFrames");
        text.field("names", &self.names).finish_non_exhaustive()
    }
}

impl InlinedFrames {
    /// Reads the beginning of each unit; everything else is read on demand.
    pub(super) fn new(
        sections: DebugSections,
        endian: RunTimeEndian,
        has_names: bool,
    ) -> Result<(Self, DebugFacts), UnreadDebug> {
        let section = |id| Ok::<_, UnreadDebug>(DebugReader::new(sections.get(id), endian));
        let mut dwarf = Dwarf::load(section)?;
        let facts = DebugFacts::read(&mut dwarf, has_names);
        let dwarf = Arc::new(dwarf);
        let context = Context::from_arc_dwarf(Arc::clone(&dwarf));
        let context = context.map_err(|error| UnreadDebug::Damaged(error.to_string()))?;
        let frames = Self {
            context,
            entries: DebugEntries::new(dwarf),
            names: SourceNames::default(),
            frames: Vec::new(),
        };
        Ok((frames, facts))
    }

    fn at(&mut self, address: u64, symbols: &FunctionSymbols) -> &[SourceFrame] {
        self.frames.clear();
        // `addr2line` computes the next address.
        if address == u64::MAX {
            return &self.frames;
        }
        // Debug information in files of its own is not read.
        let LookupResult::Output(Ok(mut found)) = self.context.find_frames(address) else {
            return &self.frames;
        };
        let mut next = found.next().ok().flatten();
        while let Some(frame) = next {
            next = found.next().ok().flatten();
            // The outermost function was compiled, and so has a symbol.
            let symbol = next.is_none().then(|| symbols.at(address)).flatten();
            let symbol = symbol.map(|body| body.symbol.as_bytes());
            let name = frame
                .function
                .as_ref()
                .map(|function| function.name.bytes());
            // Where only lines were compiled in, the symbol of a function has more than its entry.
            let name = match (name, symbol.filter(|symbol| is_mangled(symbol))) {
                (Some(name), Some(symbol)) if !is_mangled(name) => Some(symbol),
                (name, _) => name.or(symbol),
            };
            // Code of no function has no frame.
            let Some(name) = name else { continue };
            // Asked for only where it is needed: the unit of the address is searched once more.
            let entry = || entry_of(&frame, address, &self.context);
            let function = match is_mangled(name) || frame.dw_die_offset.is_none() {
                true => self.names.named(name, entry, &mut self.entries),
                false => match entry() {
                    Some(entry) => self.names.of_entry(name, entry, &mut self.entries),
                    None => continue,
                },
            };
            let line = frame.location.as_ref().and_then(|location| location.line);
            let file = frame.location.as_ref().and_then(|location| location.file);
            let file = line.and(file).map(|file| self.names.file(file));
            self.names.seen_in(function, file);
            self.frames.push(SourceFrame {
                function,
                file,
                line,
            });
        }
        // `addr2line` has the innermost function first.
        self.frames.reverse();
        &self.frames
    }
}

/// The entry of the function or of the inlined call of a frame.
fn entry_of(
    frame: &Frame<'_, DebugReader>,
    address: u64,
    context: &Context<DebugReader>,
) -> Option<EntryPlace> {
    let entry = frame.dw_die_offset?;
    let unit = context.find_dwarf_and_unit(address).skip_all_loads()?;
    entry.to_debug_info_offset(&unit.header)
}

/// Look-ups in the debug information of a file, one at a time. From
/// [`CodeObject::frames`](crate::CodeObject::frames).
#[derive(Debug)]
pub struct FrameReader<'a> {
    pub(super) frames: MutexGuard<'a, InlinedFrames>,
    pub(super) symbols: &'a FunctionSymbols,
}

impl FrameReader<'_> {
    /// Frames of the instruction at this address: first the function that was compiled, last the
    /// innermost inlined one. Empty: the debug information does not know the address.
    pub fn at(&mut self, address: u64) -> &[SourceFrame] {
        self.frames.at(address, self.symbols)
    }

    /// Function of a frame.
    ///
    /// # Panics
    ///
    /// The id is from another reader and has a higher number than all of this one.
    pub fn function(&self, id: SourceFunctionId) -> &SourceFunction {
        self.frames.names.function(id)
    }

    /// Path of a source file, as the compiler wrote it; absolute unless the compiler was told
    /// otherwise.
    ///
    /// # Panics
    ///
    /// The id is from another reader and has a higher number than all of this one.
    pub fn file(&self, id: SourceFileId) -> &str {
        self.frames.names.path(id)
    }
}
