//! Functions of an ELF file by address, from its symbol tables.
//!
//! Both tables are read, since libraries are often stripped of all but the dynamic one. Of several
//! names of an address one is taken, and no two functions overlap.

use object::elf::STT_FUNC;
use object::read::elf::{ElfFile, ElfSymbol, FileHeader, Sym};
use object::{Endianness, Object, ObjectSection, ObjectSymbol, ReadRef, SectionKind, SymbolKind};

use super::functions::is_mangled;

/// Functions, in the order of their addresses.
#[derive(Debug, Default)]
pub(super) struct FunctionSymbols {
    symbols: Vec<Symbol>,
    /// Mangled names of Rust that are not taken, ascending by address.
    aliases: Vec<Symbol>,
    /// All names, one behind the other.
    names: String,
}

#[derive(Debug, Clone, Copy)]
struct Symbol {
    start: u64,
    end: u64,
    /// Place in the names.
    name: usize,
    name_length: usize,
}

/// A function in the symbol table, or one instance of a generic function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CodeBody<'a> {
    /// Address of the first instruction in the file.
    pub start: u64,
    /// Length in bytes.
    pub size: u64,
    /// Name in the symbol table, mangled.
    pub symbol: &'a str,
}

impl FunctionSymbols {
    /// Reads both tables of a file.
    pub(super) fn read<'data, H, R>(file: &ElfFile<'data, H, R>) -> Self
    where
        H: FileHeader<Endian = Endianness>,
        R: ReadRef<'data>,
    {
        let mut table = Self::default();
        table.add(file, true);
        table.add(file, false);
        table.settle(&text_ends(file));
        table
    }

    /// Is there any function? Looks no further than the first one with a length.
    pub(super) fn are_in<'data, H, R>(file: &ElfFile<'data, H, R>) -> bool
    where
        H: FileHeader<Endian = Endianness>,
        R: ReadRef<'data>,
    {
        let mut symbols = file.dynamic_symbols().chain(file.symbols());
        let is_whole = symbols.any(|symbol| {
            let has_name = symbol.elf_symbol().st_name(file.endian()) > 0;
            is_function(&symbol) && symbol.size() > 0 && has_name
        });
        is_whole || Self::read(file).all().next().is_some()
    }

    /// Names are read in one piece: each name for itself would be two system calls.
    fn add<'data, H, R>(&mut self, file: &ElfFile<'data, H, R>, is_dynamic: bool)
    where
        H: FileHeader<Endian = Endianness>,
        R: ReadRef<'data>,
    {
        let (table, symbols) = match is_dynamic {
            true => (file.elf_dynamic_symbol_table(), file.dynamic_symbols()),
            false => (file.elf_symbol_table(), file.symbols()),
        };
        let section = file.section_by_index(table.string_section());
        let Some(names) = section.ok().and_then(|section| section.data().ok()) else {
            return;
        };
        for symbol in symbols {
            if !is_function(&symbol) {
                continue;
            }
            let start = symbol.elf_symbol().st_name(file.endian()) as usize;
            let rest = names.get(start..).unwrap_or_default();
            let end = memchr::memchr(0, rest).unwrap_or(0);
            self.push(symbol.address(), symbol.size(), &rest[..end]);
        }
    }

    fn push(&mut self, start: u64, size: u64, name: &[u8]) {
        if name.is_empty() {
            return;
        }
        let begin = self.names.len();
        match std::str::from_utf8(name) {
            Ok(name) => self.names += name,
            Err(_) => self.names += &String::from_utf8_lossy(name),
        }
        self.symbols.push(Symbol {
            start,
            end: start.saturating_add(size),
            name: begin,
            name_length: self.names.len() - begin,
        });
    }

    /// Keeps one symbol for each address, computes missing lengths, and cuts overlaps.
    fn settle(&mut self, text_ends: &[(u64, u64)]) {
        let mut symbols = std::mem::take(&mut self.symbols);
        symbols.sort_by_cached_key(|symbol| (symbol.start, self.preference(symbol)));
        self.aliases = symbols
            .windows(2)
            .filter(|pair| pair[0].start == pair[1].start)
            .map(|pair| pair[1])
            .filter(|symbol| is_mangled(self.name(symbol).as_bytes()))
            .collect();
        symbols.dedup_by_key(|symbol| symbol.start);
        for index in 0..symbols.len() {
            let next = symbols.get(index + 1).map_or(u64::MAX, |next| next.start);
            let symbol = &mut symbols[index];
            // Symbols of assembler files often have no length: they end at the next one or with the
            // section.
            if symbol.end == symbol.start {
                let mut sections = text_ends.iter();
                let section = sections.find(|(start, end)| (*start..*end).contains(&symbol.start));
                symbol.end = section.map_or(symbol.start, |(_, end)| *end);
            }
            // An entry within a function, as assembler files have them, begins a function of its
            // own.
            symbol.end = symbol.end.min(next);
        }
        symbols.retain(|symbol| symbol.start < symbol.end);
        symbols.shrink_to_fit();
        self.symbols = symbols;
    }

    /// Lowest for the name that is taken: one with a length, without underscores at its begin, and
    /// short.
    fn preference(&self, symbol: &Symbol) -> (bool, usize, usize, &str) {
        let name = self.name(symbol);
        // All mangled names begin with underscores, and mean more than others.
        let is_mangled = is_mangled(name.as_bytes());
        let underscores = name.len() - name.trim_start_matches('_').len();
        let underscores = if is_mangled { 0 } else { underscores };
        (symbol.end == symbol.start, underscores, name.len(), name)
    }

    /// The function with this address.
    pub(super) fn at(&self, address: u64) -> Option<CodeBody<'_>> {
        let after = self
            .symbols
            .partition_point(|symbol| symbol.start <= address);
        let symbol = &self.symbols[after.checked_sub(1)?];
        (address < symbol.end).then(|| CodeBody {
            start: symbol.start,
            size: symbol.end - symbol.start,
            symbol: self.name(symbol),
        })
    }

    /// Mangled names of Rust for this address beside the one that is taken.
    pub(super) fn aliases(&self, address: u64) -> impl Iterator<Item = &str> {
        let first = self
            .aliases
            .partition_point(|symbol| symbol.start < address);
        let here = self.aliases[first..].iter();
        here.take_while(move |symbol| symbol.start == address)
            .map(|symbol| self.name(symbol))
    }

    /// All functions, in the order of their addresses.
    pub(super) fn all(&self) -> impl Iterator<Item = CodeBody<'_>> {
        self.symbols.iter().map(|symbol| CodeBody {
            start: symbol.start,
            size: symbol.end - symbol.start,
            symbol: self.name(symbol),
        })
    }

    fn name(&self, symbol: &Symbol) -> &str {
        &self.names[symbol.name..symbol.name + symbol.name_length]
    }
}

/// Is it a function of this file? Indirect ones are the resolvers, and not the functions that they
/// choose.
fn is_function<'data, H, R>(symbol: &ElfSymbol<'data, '_, H, R>) -> bool
where
    H: FileHeader<Endian = Endianness>,
    R: ReadRef<'data>,
{
    let is_code = symbol.kind() == SymbolKind::Text && symbol.elf_symbol().st_type() == STT_FUNC;
    is_code && symbol.is_definition()
}

/// Begin and end of all sections with code.
fn text_ends<'data>(file: &impl Object<'data>) -> Vec<(u64, u64)> {
    let sections = file.sections();
    let text = sections.filter(|section| section.kind() == SectionKind::Text);
    text.map(|section| {
        let start = section.address();
        (start, start.saturating_add(section.size()))
    })
    .collect()
}
