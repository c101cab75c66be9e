//! Addresses to stacks of inlined functions.
//!
//! In: the debug sections of a file, and addresses. Out: for each address its frames, from the function that was
//! compiled to the innermost one that the compiler put in. Functions and files are kept once and named by small
//! numbers, since hundreds of thousands of frames share a few thousand of them. Code of line 0 has frames, but neither line nor
//! a file that means anything.

use std::path::Path;
use std::sync::MutexGuard;

use gimli::{Dwarf, RunTimeEndian, SectionId};
use memchr::memmem;

use super::debug_facts::{DebugFacts, UnreadDebug};
use super::dwarf::{CodeFrame, DebugSlice, DebugUnits};
use super::functions::{SourceFileId, SourceFunction, SourceFunctionId, SourceNames};
use super::sections::DebugSections;
use super::symbol_table::FunctionSymbols;

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
    units: DebugUnits,
    names: SourceNames,
    found: Vec<CodeFrame>,
    frames: Vec<SourceFrame>,
    sections: DebugSections,
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
        let slice = |id: SectionId| -> DebugSlice {
            let bytes = sections.get(id);
            // SAFETY: the bytes lie on the heap and stay where they are, unchanged, as long as the sections, which live in
            // the same value as all that has the slice and are dropped after it. No method hands a slice out.
            let bytes = unsafe { std::slice::from_raw_parts(bytes.as_ptr(), bytes.len()) };
            DebugSlice::new(bytes, endian)
        };
        let mut dwarf = Dwarf::load(|id| Ok::<_, UnreadDebug>(slice(id)))?;
        let facts = DebugFacts::read(&mut dwarf, has_names);
        let units = DebugUnits::new(dwarf);
        let units = units.map_err(|error| UnreadDebug::Damaged(error.to_string()))?;
        let frames = Self {
            units,
            names: SourceNames::default(),
            found: Vec::new(),
            frames: Vec::new(),
            sections,
        };
        Ok((frames, facts))
    }

    /// Reads the units of the crate that an executable is made of, as far as addresses in them will need it: what is measured
    /// is most often there, and later somebody waits for it.
    pub(super) fn read_ahead(&mut self, executable: &Path) {
        let Some(name) = crate_of(executable) else {
            return;
        };
        // As the Rust compiler names its units: the source, `/@/`, and the crate with a hash.
        let begin = format!("/@/{name}.");
        let begin = memmem::Finder::new(&begin);
        self.units.read_ahead(|unit| begin.find(unit).is_some());
    }

    /// Bytes of the sections in memory.
    pub(super) fn length(&self) -> usize {
        self.sections.length()
    }

    fn at(&mut self, address: u64, symbols: &FunctionSymbols) -> &[SourceFrame] {
        self.found.clear();
        self.frames.clear();
        self.units.find(address, &mut self.found);
        for (index, found) in self.found.iter().enumerate().rev() {
            // The outermost function was compiled, and so has a symbol.
            let symbol = (index == 0).then(|| symbols.at(address)).flatten();
            let symbol = symbol.map(|body| body.symbol);
            let (names, units) = (&mut self.names, &mut self.units);
            let line = Some(found.line).filter(|line| *line != 0);
            let number = line.and(found.file);
            let file = number.and_then(|number| names.file(found.unit, number, units));
            // Code of no function has no frame.
            if let Some(function) = names.of(found.entry, symbol, units) {
                names.seen_in(function, file);
                self.frames.push(SourceFrame {
                    function,
                    file,
                    line,
                });
            }
        }
        self.frames.reverse();
        &self.frames
    }
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
        self.frames.names.function(id)
    }

    /// The path of a file, as the compiler wrote it; absolute unless the compiler was told otherwise.
    pub fn file(&self, id: SourceFileId) -> &str {
        self.frames.names.path(id)
    }
}

/// The crate that an executable is made of, if it has its name: `name`, or `name-0123456789abcdef`.
fn crate_of(path: &Path) -> Option<String> {
    let stem = path.file_stem()?.to_str()?;
    let name = stem.rsplit_once('-').filter(|(_, hash)| {
        hash.len() == 16 && hash.bytes().all(|digit| digit.is_ascii_hexdigit())
    });
    Some(name.map_or(stem, |(name, _)| name).replace('-', "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executables_have_the_names_of_their_crates() {
        let name = |path: &str| crate_of(Path::new(path));
        let hash = "/t/release/deps/my-bench-95f6f7eebe9ecdf0";
        assert_eq!(name(hash).as_deref(), Some("my_bench"));
        assert_eq!(name("/t/release/my-cli").as_deref(), Some("my_cli"));
        assert_eq!(name("/lib/libc.so.6").as_deref(), Some("libc.so"));
        assert_eq!(name("/"), None);
    }
}
