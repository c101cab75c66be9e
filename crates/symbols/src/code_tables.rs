//! Addresses of executables and libraries to functions.
//!
//! Two ways to name an instruction meet in `--verify`: single steps know an offset in a file,
//! Callgrind an address of the linker. Both become a [`CodeFunction`] of one table.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSection, ObjectSegment, ObjectSymbol, SymbolKind};

/// A function of a file, or the code between two functions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CodeFunction {
    /// The executable or library.
    pub object: PathBuf,
    /// The linker's address of the function's begin.
    pub start: u64,
}

impl CodeFunction {
    /// The name of [`CodeFunction::linkage`].
    pub const LINKAGE: &str = "linkage tables";

    /// All linkage tables, by which functions of libraries are called, and code that belongs to no
    /// file. Callgrind does not say which file a table belongs to.
    pub fn linkage() -> Self {
        Self {
            object: UNKNOWN.into(),
            start: 0,
        }
    }
}

/// Callgrind's name of an unknown file.
const UNKNOWN: &str = "???";

/// The tables of files, each of which is read once.
#[derive(Debug, Default)]
pub struct CodeTables(HashMap<PathBuf, Table>);

/// Segments, symbols and linkage tables of a file.
#[derive(Debug, Default)]
struct Table {
    /// Address, offset in the file and length of each segment.
    segments: Vec<(u64, u64, u64)>,
    /// Begin, end and name of each function, in the order of the begins.
    symbols: Vec<(u64, u64, String)>,
    /// Begin and end of each linkage table.
    linkage: Vec<(u64, u64)>,
}

impl CodeTables {
    /// The function with this address.
    pub fn at_address(&mut self, object: &Path, address: u64) -> CodeFunction {
        // Callgrind knows no file for code in sections such as `.plt.got`.
        if object == Path::new(UNKNOWN) || object == Path::new("") {
            return CodeFunction::linkage();
        }
        let table = self.table(object);
        let mut linkage = table.linkage.iter();
        if linkage.any(|(start, end)| (*start..*end).contains(&address)) {
            return CodeFunction::linkage();
        }
        CodeFunction {
            object: object.to_owned(),
            start: table.start(address),
        }
    }

    /// The function at this offset in the file.
    pub fn at_place(&mut self, object: &Path, place: u64) -> CodeFunction {
        let table = self.table(object);
        let mut segments = table.segments.iter();
        let address = segments.find_map(|(address, start, length)| {
            let offset = place.checked_sub(*start)?;
            (offset < *length).then_some(address + offset)
        });
        self.at_address(object, address.unwrap_or(place))
    }

    /// The symbol of a function, if it has one.
    pub fn symbol(&mut self, function: &CodeFunction) -> Option<&str> {
        let symbols = &self.table(&function.object).symbols;
        let index = symbols.partition_point(|(start, ..)| *start < function.start);
        let (start, _, name) = symbols.get(index)?;
        (*start == function.start).then_some(name)
    }

    fn table(&mut self, object: &Path) -> &Table {
        // Not resolved: several paths of one file are rare, and cost only time.
        self.0
            .entry(object.to_owned())
            .or_insert_with(|| Table::of_file(object))
    }
}

impl Table {
    /// Reads a file and the debug file with its symbols. The table of an unreadable file is empty.
    fn of_file(path: &Path) -> Self {
        let mut table = Self::default();
        let mut debug = None;
        table.add(path, true, &mut debug);
        if let Some(debug) = debug {
            table.add(&debug, false, &mut None);
        }
        // If a function has several names, the first one stays.
        table.symbols.sort();
        table.symbols.dedup_by_key(|(start, ..)| *start);
        table
    }

    /// Adds the symbols of a file, and sets `debug` to the file with its stripped symbols.
    fn add(&mut self, path: &Path, with_segments: bool, debug: &mut Option<PathBuf>) {
        let Ok(bytes) = std::fs::read(path) else {
            return;
        };
        let Ok(file) = ElfFile64::<Endianness>::parse(bytes.as_slice()) else {
            return;
        };
        if with_segments {
            self.segments = file
                .segments()
                .map(|segment| {
                    let (place, length) = segment.file_range();
                    (segment.address(), place, length)
                })
                .collect();
            let tables = file.sections().filter(|section| {
                let name = section.name().unwrap_or_default();
                // Also `.plt.got` and `.plt.sec`, which linkers make beside it.
                name.starts_with(".plt")
            });
            let ends = tables.map(|table| (table.address(), table.address() + table.size()));
            self.linkage = ends.collect();
        }
        // Stripped libraries have dynamic symbols only.
        let symbols = file.symbols().chain(file.dynamic_symbols());
        for symbol in symbols {
            // Symbols without a size are labels within functions, and would divide these.
            let is_code = symbol.kind() == SymbolKind::Text && symbol.size() > 0;
            if let (true, Ok(name)) = (is_code, symbol.name()) {
                let start = symbol.address();
                let end = start.saturating_add(symbol.size());
                self.symbols.push((start, end, name.to_owned()));
            }
        }
        *debug = file
            .build_id()
            .ok()
            .flatten()
            .and_then(crate::debug_file::path_by_build_id);
    }

    /// The begin of the function with this address; between functions, the end of the one before.
    fn start(&self, address: u64) -> u64 {
        let after = self
            .symbols
            .partition_point(|(start, ..)| *start <= address);
        match after.checked_sub(1).map(|index| &self.symbols[index]) {
            Some((start, end, _)) if address < *end => *start,
            Some((_, end, _)) => *end,
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_functions_there_is_something_without_a_name() {
        let table = Table {
            segments: Vec::new(),
            symbols: vec![(10, 20, "f".to_owned()), (20, 25, "g".to_owned())],
            linkage: Vec::new(),
        };
        for (address, start) in [(5, 0), (10, 10), (19, 10), (20, 20), (25, 25), (99, 25)] {
            assert_eq!(table.start(address), start, "{address}");
        }
    }

    #[test]
    fn our_own_test_is_found_by_its_address_and_by_its_place() {
        let executable = std::env::current_exe().unwrap();
        let mut code = CodeTables::default();
        let symbols = &code.table(&executable).symbols;
        let name = "our_own_test_is_found_by_its_address_and_by_its_place";
        let found = symbols.iter().find(|(.., symbol)| symbol.contains(name));
        let (start, end, symbol) = found.unwrap().clone();
        let function = code.at_address(&executable, end - 1);
        assert_eq!(function.start, start);
        assert_eq!(code.symbol(&function), Some(symbol.as_str()));
        let (address, place, _) = *code.0[&executable]
            .segments
            .iter()
            .find(|(address, _, length)| (*address..address + length).contains(&start))
            .unwrap();
        assert_eq!(
            code.at_place(&executable, start - address + place),
            function
        );
    }
}
