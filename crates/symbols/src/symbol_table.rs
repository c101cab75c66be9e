//! The symbol table of an executable: its functions and their names.
//!
//! Only the table is read: most of the file is debug information.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use object::elf::{FileHeader32, FileHeader64};
use object::read::elf::{ElfFile, FileHeader, Sym};
use object::{
    Endianness, FileKind, Object, ObjectSection, ObjectSymbol, ReadCache, ReadRef, SymbolKind,
};

use base::measured_function;

/// Outcome of [`find`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbols {
    /// The file has no symbol table, or an empty one.
    None,
    /// The file has symbols, but no name contains all of the texts.
    Others,
    /// A name contains all of the texts, or the file cannot be read.
    Present,
}

/// Looks for a symbol whose (mangled) name contains all of these texts. The outcome is remembered
/// for the rest of the process, also if the file changes.
pub fn find(executable: &Path, texts: &[&str]) -> Symbols {
    type Asked = (PathBuf, Vec<String>);
    static FOUND: Mutex<Vec<(Asked, Symbols)>> = Mutex::new(Vec::new());
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    let is_this = |(path, asked): &Asked| path == executable && asked == texts;
    if let Some((_, symbols)) = found.iter().find(|(asked, _)| is_this(asked)) {
        return *symbols;
    }
    let symbols = look(executable, texts);
    let asked = texts.iter().map(|text| (*text).to_owned()).collect();
    found.push(((executable.to_owned(), asked), symbols));
    symbols
}

fn look(executable: &Path, texts: &[&str]) -> Symbols {
    let mut found = Symbols::None;
    let read = for_each(executable, |name| {
        if texts.iter().all(|text| name.contains(text)) {
            found = Symbols::Present;
        } else if found == Symbols::None {
            found = Symbols::Others;
        }
    });
    read.map_or(Symbols::Present, |()| found)
}

/// Copies of benchmark functions that iai-callgrind measures, in one executable.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MeasuredCopies {
    /// The executable has a symbol table.
    pub has_symbols: bool,
    /// Instances of all copies, in the order of the symbol table.
    pub list: Vec<MeasuredCopy>,
}

/// One instance of the measured copy of a benchmark function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeasuredCopy {
    /// Name of the benchmark function in the source.
    pub benchmark: String,
    /// Name in the symbol table, mangled.
    pub symbol: String,
    /// Name as Valgrind writes it, demangled.
    pub name: String,
    /// Address in the file.
    pub address: u64,
    /// Demangled name of another function at this address that is not a copy: the linker folded
    /// identical code.
    pub folded: Option<String>,
}

/// Finds the copies of benchmark functions that iai-callgrind measures, by their names. `None`: the
/// file cannot be read.
#[must_use]
pub fn measured_copies(executable: &Path) -> Option<MeasuredCopies> {
    let mut has_symbols = false;
    let mut list: Vec<MeasuredCopy> = Vec::new();
    for_each_function(executable, |name, address| {
        has_symbols = true;
        if let Some(benchmark) = measured_function::benchmark_of(name) {
            list.push(MeasuredCopy {
                benchmark,
                symbol: name.to_owned(),
                name: measured_function::demangled(name).into_owned(),
                address,
                folded: None,
            });
        }
    })?;
    // A second pass, since a folded function may come before the copies in the table.
    let mut at: HashMap<u64, Vec<usize>> = HashMap::new();
    for (index, copy) in list.iter().enumerate() {
        at.entry(copy.address).or_default().push(index);
    }
    for_each_function(executable, |name, address| {
        let Some(indices) = at.get(&address) else {
            return;
        };
        if measured_function::benchmark_of(name).is_none() {
            for index in indices {
                list[*index].folded = Some(measured_function::demangled(name).into_owned());
            }
        }
    })?;
    Some(MeasuredCopies { has_symbols, list })
}

/// Demangled names of the functions of an executable for which `is_wanted` holds, as Valgrind
/// writes them. `None`: the file cannot be read.
pub fn functions(executable: &Path, is_wanted: impl Fn(&str) -> bool) -> Option<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for_each_function(executable, |symbol, _| {
        let name = measured_function::demangled(symbol);
        if is_wanted(&name) {
            names.insert(name.into_owned());
        }
    })?;
    Some(names)
}

/// Calls `visit` with the name of every symbol. `None`: the file cannot be read.
fn for_each(executable: &Path, mut visit: impl FnMut(&str)) -> Option<()> {
    for_each_symbol(executable, |name, _, _| visit(name))
}

/// Calls `visit` with name and address of every function that the executable defines.
fn for_each_function(executable: &Path, mut visit: impl FnMut(&str, u64)) -> Option<()> {
    for_each_symbol(executable, |name, address, is_function| {
        if is_function {
            visit(name, address);
        }
    })
}

fn for_each_symbol(executable: &Path, mut visit: impl FnMut(&str, u64, bool)) -> Option<()> {
    let cache = ReadCache::new(File::open(executable).ok()?);
    match FileKind::parse(&cache).ok()? {
        FileKind::Elf32 => walk::<FileHeader32<Endianness>, _>(&cache, &mut visit),
        FileKind::Elf64 => walk::<FileHeader64<Endianness>, _>(&cache, &mut visit),
        _ => None,
    }
}

/// Visits all symbols. Names are read in one piece: each name for itself would be two system calls.
fn walk<'data, H, R>(data: R, visit: &mut impl FnMut(&str, u64, bool)) -> Option<()>
where
    H: FileHeader<Endian = Endianness>,
    R: ReadRef<'data>,
{
    let file = ElfFile::<H, R>::parse(data).ok()?;
    let section = file.section_by_index(file.elf_symbol_table().string_section());
    let names = section.ok().and_then(|section| section.data().ok());
    for symbol in file.symbols() {
        let start = symbol.elf_symbol().st_name(file.endian()) as usize;
        let rest = names.and_then(|names| names.get(start..));
        let end = rest.and_then(|rest| memchr::memchr(0, rest));
        let name = rest.zip(end).map(|(rest, end)| &rest[..end]);
        let name = name.and_then(|name| std::str::from_utf8(name).ok());
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            let is_function = symbol.kind() == SymbolKind::Text && symbol.is_definition();
            visit(name, symbol.address(), is_function);
        }
    }
    Some(())
}

/// Name of the function `main` that the author of a program wrote, as Valgrind writes it.
///
/// Rust programs have `<crate>::main`, where the crate most often has the name of the file. They
/// also have a symbol `main`, which starts the runtime. In programs of other languages `main` is
/// the right symbol.
pub fn main_function(executable: &Path) -> String {
    let name = executable.file_name().unwrap_or_default();
    let of_file = name.to_string_lossy().replace('-', "_");
    let mut crates: Vec<String> = Vec::new();
    let mut has_main = false;
    let read = for_each(executable, |name| {
        has_main |= name == "main";
        crates.extend(crate_of_main(name).map(str::to_owned));
    });
    match (read, crates.as_slice()) {
        (Some(()), []) if has_main => "main".to_owned(),
        // Right also for a copy of the file under another name.
        (Some(()), [only]) => rust_main(only),
        // The file may not be there yet.
        _ => rust_main(&of_file),
    }
}

/// The name without a star: a function inside of `main` that matched would switch the count off.
fn rust_main(name: &str) -> String {
    format!("{name}::main")
}

/// The crate of a mangled `<crate>::main`, in the legacy (`_ZN4tool4main17h<hash>E`) or in the v0
/// form (`_RNvCs<disambiguator>_4tool4main`).
fn crate_of_main(symbol: &str) -> Option<&str> {
    if let Some(rest) = symbol.strip_prefix("_ZN") {
        let (name, rest) = identifier(rest)?;
        return rest.starts_with("4main17h").then_some(name);
    }
    let rest = symbol.strip_prefix("_RNvC")?;
    let rest = match rest.strip_prefix('s') {
        Some(rest) => rest.split_once('_')?.1,
        None => rest,
    };
    let (name, rest) = identifier(rest)?;
    (rest == "4main").then_some(name)
}

/// Splits off a name with its length before it: `4tool…`.
fn identifier(text: &str) -> Option<(&str, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let length: usize = text[..digits].parse().ok()?;
    // In v0 an underscore separates the length from names that begin with a digit or one.
    let text = text[digits..].strip_prefix('_').unwrap_or(&text[digits..]);
    text.split_at_checked(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_test_is_in_our_own_symbols() {
        let this = std::env::current_exe().unwrap();
        assert_eq!(
            find(&this, &["tests", "our_own_test_is_in_our_own_symbols"]),
            Symbols::Present
        );
        assert_eq!(
            find(&this, &["tests", "no_function_has_a_name_like_this~"]),
            Symbols::Others
        );
    }

    #[test]
    fn the_main_function_of_a_crate_is_known_by_its_symbol() {
        #[track_caller]
        fn check(symbol: &str, expected: Option<&str>) {
            assert_eq!(crate_of_main(symbol), expected, "{symbol}");
        }
        check("_ZN4tool4main17h0123456789abcdefE", Some("tool"));
        check("_ZN7my_tool4main17h0123456789abcdefE", Some("my_tool"));
        check("_RNvCs5f0cA_4tool4main", Some("tool"));
        check("_RNvC4tool4main", Some("tool"));
        check("_ZN4tool4work17h0123456789abcdefE", None);
        check("_ZN4tool4main28_$u7b$$u7b$closure$u7d$$u7d$17h01E", None);
        check("_ZN3std2rt10lang_start17h0123456789abcdefE", None);
        check("main", None);
        check("_ZN99", None);
    }

    #[test]
    fn a_program_that_is_not_there_is_taken_for_one_in_rust() {
        assert_eq!(main_function(Path::new("/absent/my-tool")), "my_tool::main");
    }
}
